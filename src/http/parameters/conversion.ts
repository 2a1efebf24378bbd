import type { Params } from './params.ts'

/**
 * Brings a parameter that a tool does not have, and that is no synonym, to arguments that it has.
 * @param value of the parameter
 * @param args all others, by their canonical names
 * @param note takes a sentence for the answer, about what the value was taken for
 * @returns all arguments, without the parameter; a text that says why the call is refused; or null where the value or what is beside
 * it says nothing known
 */
export type Conversion = (value: unknown, args: Params, note: (sentence: string) => void) => Params | string | null

/**
 * Brings a value that no such argument has to one that it has.
 * @param args all arguments, by their canonical names
 * @returns all arguments, or null where the value stays as it is
 */
export type ValueConversion = (value: unknown, args: Params, note: (sentence: string) => void) => Params | null

/** Arguments and others that were not given; null when one of them was, with another value. */
export function filling(args: Params, more: Params): Params | null {
  const isFree = ([name, value]: [string, unknown]) =>
    args[name] === undefined || args[name] === null || String(args[name]) === String(value)
  return Object.entries(more).every(isFree) ? { ...args, ...more } : null
}

/** Conversions by the spellings of their parameters. @param names with spaces between them */
export const named = <C>(conversion: C, names: string): Readonly<Record<string, C>> =>
  Object.fromEntries(names.split(' ').map((name) => [name, conversion]))
