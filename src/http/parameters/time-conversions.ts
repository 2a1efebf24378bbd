import { type Conversion, filling, named } from './conversion.ts'

/** A length of time in milliseconds for an argument in seconds, up to the next whole second. */
const milliseconds =
  (argument: string): Conversion =>
  (value, args, note) => {
    const given = typeof value === 'string' && /^\s*\d{1,12}\s*$/.test(value) ? Number(value) : value
    if (typeof given !== 'number' || !Number.isFinite(given) || given <= 0) return null
    const seconds = Math.max(1, Math.ceil(given / 1_000))
    const filled = filling(args, { [argument]: seconds })
    if (filled && seconds * 1_000 !== given)
      note(`${given} milliseconds are taken as ${argument} ${seconds}, in seconds`)
    return filled
  }

/** Conversions of lengths of time in milliseconds, by the argument in seconds that they are for. */
export const TIME_CONVERSIONS: Readonly<Record<string, Readonly<Record<string, Conversion>>>> = {
  timeout: named(milliseconds('timeout'), 'timeoutms timeoutmillis timeoutmilliseconds timeoutmsecs'),
  wait_seconds: named(milliseconds('wait_seconds'), 'waitms waitmilliseconds timeoutms'),
}
