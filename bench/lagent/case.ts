import { isDeepStrictEqual } from 'node:util'
import { Complex, ELLIPSIS } from '../../src/lagent/python/complex.ts'
import { Float } from '../../src/lagent/python/float.ts'
import { entriesOf, isDict, toStr } from '../../src/lagent/python/to-text.ts'
import { Tuple } from '../../src/lagent/python/tuple.ts'
import { toWire } from '../../src/tools/python-actions/python-values.ts'

/** Recorded case; its fields depend on its kind. Tuples are `{"__tuple__": [...]}`. */
export interface Case {
  readonly id: string
  readonly kind?: string
  readonly python_source?: string
  readonly entry?: string | null
  readonly options?: Readonly<Record<string, unknown>>
  readonly action?: string
  readonly parser?: string
  readonly api?: string
  /** The executor in words, as a call of the class, or its arguments by name. */
  readonly executor?: string | Readonly<Record<string, unknown>>
  /** Hooks, where they do not stand in `executor`; `formatted` of the message likewise. */
  readonly hooks?: unknown
  readonly formatted?: unknown
  readonly input?: unknown
  /** A text for `format_result`, else by name. */
  readonly expected?: Readonly<Record<string, unknown>>
  readonly expected_description?: unknown
  readonly expected_instance_description?: unknown
  readonly is_toolkit?: boolean
  readonly expected_error?: Thrown
}

export interface Thrown {
  readonly type: string
  readonly message: string
}

/** Compares two values. @throws Error naming the difference */
export function expectSame(what: string, got: unknown, expected: unknown): void {
  const [ours, theirs] = [toPlain(got), toPlain(expected)]
  if (isDeepStrictEqual(ours, theirs)) return
  throw new Error(`${what}\n    ours     ${shown(ours)}\n    expected ${shown(theirs)}`)
}

/** Value as cases record it: a value that JSON lacks is text, and a number is the same in any notation. */
function toPlain(value: unknown): unknown {
  if (value instanceof Set || value instanceof Uint8Array || value instanceof Complex || value === ELLIPSIS)
    return toStr(value)
  if (value instanceof Float) return toPlain(value.value)
  if (value === 0) return 0 // no sign
  if (value instanceof Tuple) return { __tuple__: Array.from(value, toPlain) }
  if (Array.isArray(value)) return value.map(toPlain)
  if (!isDict(value)) return toWire(value)
  return Object.fromEntries(entriesOf(value).map(([key, item]) => [toStr(key), toPlain(item)]))
}

/** The order in a set's text is not fixed. */
export const sorted = (text: string) =>
  text.replaceAll(/\{([^{}]*)\}/g, (_, inside: string) => `{${inside.split(', ').sort().join(', ')}}`)

const shown = (value: unknown) => JSON.stringify(value)?.slice(0, 2_000)
