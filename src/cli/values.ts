import { usageError } from './failure.ts'

/** A whole number that an option has, or its usual one. @param option with its dashes, for the error @throws CliError of usage */
export function integerOf<Usual extends number | undefined>(
  text: string | undefined,
  option: string,
  {
    usual,
    min = 0,
    max = Number.MAX_SAFE_INTEGER,
  }: { readonly usual: Usual; readonly min?: number; readonly max?: number },
): number | Usual {
  if (text === undefined) return usual
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  if (value >= min && value <= max) return value
  throw usageError(`${option} cannot be "${text}"`, `give a whole number from ${min} to ${max}`)
}

/** Seconds of a duration as people write it: `90`, `90s`, `15m`, `2h`, `7d`. @throws CliError of usage */
export function secondsOf(text: string | undefined, option: string): number | undefined {
  if (text === undefined) return undefined
  const [, count = '', unit = ''] = /^(\d{1,9})([smhd]?)$/.exec(text) ?? []
  const seconds = Number(count) * ({ '': 1, s: 1, m: 60, h: 3_600, d: 86_400 }[unit] ?? 1)
  if (count !== '' && seconds > 0) return seconds
  throw usageError(`${option} cannot be "${text}"`, 'write a duration as 90s, 15m, 2h or 7d')
}

/** Names and values of options such as `--label team=otters`. @throws CliError of usage */
export function pairsOf(texts: readonly string[], option: string, separator = '='): Record<string, string> {
  const pairs = texts.map((text) => {
    const at = text.indexOf(separator)
    if (at < 1) throw usageError(`${option} cannot be "${text}"`, `write it as ${option} NAME${separator}VALUE`)
    return [text.slice(0, at), text.slice(at + separator.length)]
  })
  return Object.fromEntries(pairs)
}

/** The record without what is undefined, for bodies and queries. */
export const given = <T extends object>(record: T): T =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as T
