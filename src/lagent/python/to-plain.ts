import { MAX_NESTING } from '../limits.ts'
import { Complex, ELLIPSIS } from './complex.ts'
import { Float } from './float.ts'
import { entriesOf, isDict, toStr } from './to-text.ts'

/** Depth of readable values, as an argument in a dict of arguments; a value that contains itself is deeper than any. */
const MAX_LEVELS = MAX_NESTING + 1

/**
 * The value as JSON has it: Maps become objects, tuples and sets arrays, bytes and large integers text.
 * @param onlyPython what becomes of complex numbers and `...`; text unless told
 * @throws RangeError for more levels than `maxLevels`, cycles among them
 */
export const toPlain = (
  value: unknown,
  maxLevels = MAX_LEVELS,
  onlyPython: (value: unknown) => unknown = toStr,
): unknown => plain(value, maxLevels, { maxLevels, onlyPython })

function plain(
  value: unknown,
  left: number,
  how: { readonly maxLevels: number; readonly onlyPython: (value: unknown) => unknown },
): unknown {
  const below = (item: unknown) => plain(item, left - 1, how)
  if (typeof value === 'bigint' || value instanceof Uint8Array) return toStr(value)
  if (value instanceof Float) return value.value
  if (value instanceof Complex || value === ELLIPSIS) return how.onlyPython(value)
  const isList = Array.isArray(value) || value instanceof Set
  if (!isList && !isDict(value)) return value
  if (left === 0) throw new RangeError(`a value has more than ${how.maxLevels} levels`)
  if (isList) return Array.from(value, below)
  return Object.fromEntries(entriesOf(value).map(([key, item]) => [toStr(key), below(item)]))
}
