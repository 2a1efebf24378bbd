import { isDeepStrictEqual } from 'node:util'
import { toWire } from '../../src/tools/python-actions/python-values.ts'

/** One recorded case; which fields it has depends on its kind. Tuples are `{"__tuple__": [...]}`. */
export interface Case {
  readonly id: string
  readonly kind?: string
  readonly python_source?: string
  readonly entry?: string | null
  readonly options?: Readonly<Record<string, unknown>>
  readonly action?: string
  readonly parser?: string
  readonly api?: string
  readonly executor?: string
  readonly input?: unknown
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

/** @throws Error naming what differs */
export function expectSame(what: string, got: unknown, expected: unknown): void {
  const [ours, theirs] = [toWire(got), toWire(expected)]
  if (isDeepStrictEqual(ours, theirs)) return
  throw new Error(`${what}\n    ours     ${shown(ours)}\n    expected ${shown(theirs)}`)
}

/** The order in a set's text is not fixed. */
export const sorted = (text: string) =>
  text.replaceAll(/\{([^{}]*)\}/g, (_, inside: string) => `{${inside.split(', ').sort().join(', ')}}`)

const shown = (value: unknown) => JSON.stringify(value)?.slice(0, 2_000)
