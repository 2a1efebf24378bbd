import type { Params } from './params.ts'

/**
 * Brings a parameter that a tool does not have, and that is no synonym, to arguments that it has.
 * @param value of the parameter
 * @param args all others, by their canonical names
 * @returns all arguments, without the parameter; a text that says why the call is refused; or null where the value or what is beside
 * it says nothing known
 */
export type Conversion = (value: unknown, args: Params) => Params | string | null

/** Arguments and others that were not given; null when one of them was, with another value. */
export function filling(args: Params, more: Params): Params | null {
  const isFree = ([name, value]: [string, unknown]) =>
    args[name] === undefined || args[name] === null || String(args[name]) === String(value)
  return Object.entries(more).every(isFree) ? { ...args, ...more } : null
}
