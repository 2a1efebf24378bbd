import { fail } from '../../../../core/failure.ts'
import type { Outcome, ToolCall } from '../../../../core/outcome.ts'
import type { Params } from '../../../parameters/params.ts'

/** Makes one call in the session of the request. */
export type Call = (call: ToolCall) => Promise<Outcome>

export type Data = Readonly<Record<string, unknown>>

/** The outcome with other data, when it is done. */
export const answering = (outcome: Outcome, data: (data: Data) => Data): Outcome =>
  outcome.kind === 'done' ? { ...outcome, result: { ...outcome.result, data: data(outcome.result.data) } } : outcome

/** Text of a parameter; null when it is absent. @throws FailureError `invalid_input` when it is no text */
export function textOf(params: Params, name: string): string | null {
  const value = params[name] ?? null
  if (value === null || value === '') return null
  return typeof value === 'string' ? value : fail('invalid_input', `${name} must be text`)
}

/** Boolean of a parameter; null when it is absent. Models also write `"true"`. @throws FailureError `invalid_input` */
export function flagOf(params: Params, name: string): boolean | null {
  const value = params[name] ?? null
  if (value === null || typeof value === 'boolean') return value
  const word = String(value).toLowerCase()
  if (word === 'true' || word === 'false') return word === 'true'
  return fail('invalid_input', `${name} must be true or false`)
}

/**
 * Whole number of a parameter; null when it is absent. @throws FailureError `invalid_input` for anything but a whole number from
 * `least` on
 */
export function countOf(params: Params, name: string, least: number): number | null {
  const value = params[name] ?? null
  if (value === null) return null
  const count = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value
  if (typeof count === 'number' && Number.isInteger(count) && count >= least) return count
  return fail('invalid_input', `${name} must be a whole number from ${least} on`)
}

/** The parameters without those names. */
export const without = (params: Params, ...names: readonly string[]): Params =>
  Object.fromEntries(Object.entries(params).filter(([name]) => !names.includes(name)))
