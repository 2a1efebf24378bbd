import { Float } from '../../lagent/python/float.ts'
import { floatRepr, isDict } from '../../lagent/python/to-text.ts'
import { Tuple } from '../../lagent/python/tuple.ts'

/**
 * Value with Python's values that JSON has no word for, as `ports/python.ts` writes them. Values are as deep as the parsers
 * let them be.
 */
export function toWire(value: unknown): unknown {
  if (value instanceof Tuple) return { __tuple__: Array.from(value, toWire) }
  if (Array.isArray(value)) return value.map(toWire)
  if (typeof value === 'bigint') return { __int__: value.toString() }
  if (value instanceof Float) return { __float__: floatRepr(value) }
  if (typeof value === 'number' && !Number.isFinite(value)) return { __float__: floatRepr(new Float(value)) }
  if (!isDict(value)) return value
  return Object.fromEntries(
    Object.entries(value instanceof Map ? Object.fromEntries(value) : value).map(([key, item]) => [key, toWire(item)]),
  )
}

export function fromWire(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(fromWire)
  if (!isDict(value)) return value
  const entries = Object.entries(value)
  const [[only, inner] = ['', null]] = entries
  if (entries.length === 1 && only === '__tuple__' && Array.isArray(inner)) return Tuple.from(inner, fromWire)
  if (entries.length === 1 && only === '__int__') return BigInt(String(inner))
  if (entries.length === 1 && only === '__float__') return floatOf(Number(String(inner).replace('inf', 'Infinity')))
  return Object.fromEntries(entries.map(([key, item]) => [key, fromWire(item)]))
}

const floatOf = (value: number) => (Number.isInteger(value) ? new Float(value) : value)
