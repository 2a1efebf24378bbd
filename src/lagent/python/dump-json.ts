import { MAX_NESTING } from '../limits.ts'
import { Float } from './float.ts'
import { entriesOf, floatRepr, isDict, numberRepr, typeName } from './to-text.ts'

/**
 * JSON as Python's `json.dumps(value, ensure_ascii=False)` writes it: a blank after each comma and colon, NaN as NaN.
 * @throws TypeError for what JSON has not; RangeError for more levels than {@link MAX_NESTING}, cycles among them
 */
export const dumpJson = (value: unknown): string => dump(value, 0)

function dump(value: unknown, depth: number): string {
  if (depth > MAX_NESTING) throw new RangeError(`a value has more than ${MAX_NESTING} levels (MAX_NESTING)`)
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'string') return quoted(value)
  if (typeof value === 'boolean') return String(value)
  if (typeof value === 'number') return numberJson(value)
  if (value instanceof Float) return Number.isFinite(value.value) ? floatRepr(value) : numberJson(value.value)
  if (typeof value === 'bigint') return value.toString()
  if (Array.isArray(value)) return `[${Array.from(value, (item) => dump(item, depth + 1)).join(', ')}]`
  if (isDict(value)) {
    return `{${entriesOf(value)
      .map(([key, item]) => `${quoted(keyText(key))}: ${dump(item, depth + 1)}`)
      .join(', ')}}`
  }
  throw new TypeError(`Object of type ${typeName(value)} is not JSON serializable`)
}

/** String as JSON. An unpaired surrogate, which JavaScript would escape, stays as it is. */
const quoted = (text: string) =>
  `"${text
    .split(/(\p{Surrogate})/u)
    .map((part) => (/^\p{Surrogate}$/u.test(part) ? part : JSON.stringify(part).slice(1, -1)))
    .join('')}"`

function numberJson(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  return Number.isFinite(value) ? numberRepr(value) : value > 0 ? 'Infinity' : '-Infinity'
}

const keyText = (key: unknown) => (typeof key === 'string' ? key : dump(key, 0))
