/** Cutting of texts to the length that they take in an answer. */

/**
 * Beginning of a text that takes at most so many characters in an answer. A control character counts as the six by which
 * JSON escapes it, and a surrogate pair is not cut in two.
 */
export function startOf(text: string, chars: number): string {
  if (text.length <= chars && !ESCAPED.test(text)) return text
  return withoutHalf(text.slice(0, fittingUnits(text.slice(0, chars), chars)))
}

/** End of a text, otherwise as {@link startOf}. */
export function endOf(text: string, chars: number): string {
  const last = chars === 0 ? '' : text.slice(-chars)
  if (!ESCAPED.test(last)) return withoutFirstHalf(last)
  const backwards = fittingUnits([...last].reverse().join(''), chars)
  return withoutFirstHalf(backwards === 0 ? '' : last.slice(-backwards))
}

/** Length of a text in an answer, as {@link startOf} counts. */
export const shownLength = (text: string) => text.length + (ESCAPED.test(text) ? 5 * count(text) : 0)

/** Number of leading units of a text whose length in an answer fits. */
function fittingUnits(text: string, chars: number): number {
  if (!ESCAPED.test(text)) return text.length
  let length = 0
  for (let at = 0; at < text.length; at++) {
    length += ESCAPED.test(text.charAt(at)) ? 6 : 1
    if (length > chars) return at
  }
  return text.length
}

/** Control characters that JSON has no short escape for. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is counted
const ESCAPED = /[\0-\x07\x0b\x0e-\x1f]/
const count = (text: string) => text.split(ESCAPED).length - 1

const withoutHalf = (text: string) => (/[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text)
const withoutFirstHalf = (text: string) => (/^[\udc00-\udfff]/.test(text) ? text.slice(1) : text)
