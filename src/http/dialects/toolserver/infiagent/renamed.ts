import { fail } from '../../../../core/failure.ts'
import type { Wording } from './vocabulary.ts'

export type Params = Readonly<Record<string, unknown>>

/**
 * Arguments under their canonical names. Null counts as absent.
 * @throws FailureError `invalid_input` when both names of an argument are given and differ
 */
export function renamed(params: Params, names: Wording['names']): Params {
  const args = new Map(Object.entries(params))
  for (const [name, canonical] of Object.entries(names)) {
    const value = args.get(name)
    if (!args.delete(name) || value === null || value === undefined) continue
    const other = args.get(canonical)
    if (other !== null && other !== undefined && !isSame(value, other)) {
      fail('invalid_input', `${name} and ${canonical} are two names of one parameter, and differ; give one of them`)
    }
    args.set(canonical, value)
  }
  return Object.fromEntries(args)
}

/** True for equal values; a single value equals a list of it. */
const isSame = (one: unknown, other: unknown) => JSON.stringify(toList(one)) === JSON.stringify(toList(other))

export const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value])
