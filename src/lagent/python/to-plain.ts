import { MAX_NESTING } from '../limits.ts'
import { entriesOf, isDict, toStr } from './to-text.ts'

/** The value as JSON has it: Maps become objects, tuples and sets arrays, bytes and large integers text. */
export function toPlain(value: unknown, depth = 0): unknown {
  if (depth > MAX_NESTING) throw new RangeError(`a value has more than ${MAX_NESTING} levels (MAX_NESTING)`)
  if (Array.isArray(value)) return Array.from(value, (item) => toPlain(item, depth + 1))
  if (value instanceof Set) return Array.from(value, (item) => toPlain(item, depth + 1))
  if (value instanceof Uint8Array || typeof value === 'bigint') return toStr(value)
  if (!isDict(value)) return value
  return Object.fromEntries(entriesOf(value).map(([key, item]) => [toStr(key), toPlain(item, depth + 1)]))
}
