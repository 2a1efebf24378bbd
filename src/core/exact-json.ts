/**
 * `JSON.parse` that keeps every number exact: whole numbers beyond what JavaScript's numbers hold, most beyond 2^53, and those
 * beyond 1.8e308 come as text, digit for digit.
 * @param text of bounded depth
 */
export function parseExactly(text: string): unknown {
  return MAYBE_INEXACT.test(text) ? JSON.parse(text, exactly) : JSON.parse(text)
}

/** Signs of such a number: parsing with a reviver is ten times slower, and hardly any text needs it. */
const MAYBE_INEXACT = /\d{16}|\d[eE]\+?\d{3}/

function exactly(_name: string, value: unknown, { source = '' }: { readonly source?: string } = {}): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value
  if (!Number.isFinite(value)) return source
  return /^-?\d+$/.test(source) && BigInt(source) !== BigInt(value) ? source : value
}

/** Whether a value may be a whole number that {@link parseExactly} returned as text. */
export const isExactInteger = (value: unknown): value is string =>
  typeof value === 'string' && /^-?[1-9]\d{15,}$/.test(value) && !Number.isSafeInteger(Number(value))
