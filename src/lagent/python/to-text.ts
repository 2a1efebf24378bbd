import { MAX_NESTING } from '../limits.ts'
import { Complex, ELLIPSIS } from './complex.ts'
import { Float } from './float.ts'
import { Tuple } from './tuple.ts'

/** Python's `str(value)`: text as it is, everything else as by {@link toRepr}. */
export const toStr = (value: unknown): string => (typeof value === 'string' ? value : toRepr(value))

/**
 * Python's `repr(value)` of the equivalent value: None for null and undefined, True, lists, dicts of objects and Maps,
 * tuples, sets, bytes. A number without a fraction is an int; a {@link Float} is none.
 * @throws RangeError for more levels than {@link MAX_NESTING}, cycles among them
 */
export const toRepr = (value: unknown): string => repr(value, 0)

/** Whether a value is a dict in Python: an object without a class, or a Map. */
export function isDict(value: unknown): value is Readonly<Record<string, unknown>> | Map<unknown, unknown> {
  if (value instanceof Map) return true
  if (typeof value !== 'object' || value === null) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

export const entriesOf = (dict: object): [unknown, unknown][] =>
  dict instanceof Map ? [...dict] : Object.entries(dict).filter(([, value]) => value !== undefined)

/** Whether Python takes a value for true: not when it is empty, zero or None. */
export function isTruthy(value: unknown): boolean {
  if (Array.isArray(value) || value instanceof Uint8Array) return value.length > 0
  if (value instanceof Set) return value.size > 0
  if (value instanceof Float) return value.value !== 0
  return isDict(value) ? entriesOf(value).length > 0 : Boolean(value) || Number.isNaN(value)
}

/** Python's name of a value's type, for messages. */
export function typeName(value: unknown): string {
  if (value === null || value === undefined) return 'NoneType'
  if (typeof value === 'string') return 'str'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'bigint') return 'int'
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float'
  if (value instanceof Float) return 'float'
  if (value instanceof Tuple) return 'tuple'
  if (Array.isArray(value)) return 'list'
  if (value instanceof Set) return 'set'
  if (value instanceof Uint8Array) return 'bytes'
  if (value instanceof Complex) return 'complex'
  if (value === ELLIPSIS) return 'ellipsis'
  return isDict(value) ? 'dict' : 'object'
}

function repr(value: unknown, depth: number): string {
  if (depth > MAX_NESTING) throw new RangeError(`a value has more than ${MAX_NESTING} levels (MAX_NESTING)`)
  const below = (item: unknown) => repr(item, depth + 1)
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'string') return stringRepr(value)
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'number') return numberRepr(value)
  if (value instanceof Float) return floatRepr(value)
  if (value instanceof Tuple) return value.length === 1 ? `(${below(value[0])},)` : `(${value.map(below).join(', ')})`
  if (Array.isArray(value)) return `[${value.map(below).join(', ')}]`
  if (value instanceof Set) return value.size === 0 ? 'set()' : `{${[...value].map(below).join(', ')}}`
  if (value instanceof Uint8Array) return bytesRepr(value)
  if (value instanceof Complex) return complexRepr(value)
  if (value === ELLIPSIS) return 'Ellipsis'
  if (isDict(value)) {
    return `{${entriesOf(value)
      .map(([key, item]) => `${below(key)}: ${below(item)}`)
      .join(', ')}}`
  }
  return String(value)
}

/** An integer that is exact as an int; of a float Python writes the exponent from 1e16 and below 1e-4, in two digits. */
export function numberRepr(value: number): string {
  if (Number.isSafeInteger(value)) return BigInt(value).toString()
  if (Number.isNaN(value)) return 'nan'
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf'
  const size = Math.abs(value)
  if (size >= 1e16 || size < 1e-4) return value.toExponential().replace(/e([-+])(\d)$/, 'e$10$2')
  return Number.isInteger(value) ? `${value}.0` : String(value)
}

/** Always with a fraction or an exponent. */
export function floatRepr({ value }: Float): string {
  const text = Object.is(value, -0) ? '-0' : numberRepr(value)
  return /^-?\d+$/.test(text) ? `${text}.0` : text
}

/** Complex number, in brackets unless there is only the imaginary part; whole numbers without a fraction. */
function complexRepr({ real, imaginary }: Complex): string {
  const part = (value: number) => (Object.is(value, -0) ? '-0' : numberRepr(value).replace(/\.0$/, ''))
  if (Object.is(real, 0)) return `${part(imaginary)}j`
  const sign = imaginary < 0 || Object.is(imaginary, -0) ? '' : '+'
  return `(${part(real)}${sign}${part(imaginary)}j)`
}

const ESCAPES = new Map([
  ['\\', '\\\\'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
])

/** Characters that Python escapes: controls, formats, surrogates, unassigned ones, and blanks but for the space. */
const UNPRINTABLE = /[\\\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu

function stringRepr(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'"
  const body = text.replaceAll(UNPRINTABLE, (character) => ESCAPES.get(character) ?? escaped(character))
  return quote + (quote === "'" ? body.replaceAll("'", "\\'") : body) + quote
}

function escaped(character: string): string {
  const hex = (character.codePointAt(0) ?? 0).toString(16)
  if (hex.length <= 2) return `\\x${hex.padStart(2, '0')}`
  return hex.length <= 4 ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`
}

function bytesRepr(bytes: Uint8Array): string {
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  return `b${stringRepr(text).replaceAll(/[^\p{ASCII}]/gu, escaped)}`
}
