/**
 * Estimates of tokens: a quarter for each code point, a half for digits and line breaks, and one for each of Chinese, Japanese and
 * Korean, of emoji, and of whatever is as rare. docs/answers.md has the error.
 */

/** First code point that counts as a token: what is below is letters of alphabets, and punctuation. */
const WIDE = 0x2e80

/** Cost in quarters of a token. */
function costOf(codePoint: number): number {
  if (codePoint >= WIDE) return 4
  return codePoint === 10 || (codePoint >= 48 && codePoint <= 57) ? 2 : 1
}

/** Estimated number of tokens of a text. */
export function tokensOf(text: string): number {
  let quarters = 0
  for (const character of text) quarters += costOf(character.codePointAt(0) ?? 0)
  return Math.ceil(quarters / 4)
}

/** Beginning of a text that has so many tokens at most. */
export function firstTokens(text: string, tokens: number): string {
  let left = tokens * 4
  let at = 0
  for (const character of text) {
    left -= costOf(character.codePointAt(0) ?? 0)
    if (left < 0) return text.slice(0, at)
    at += character.length
  }
  return text
}

/** End of a text that has so many tokens at most. */
export function lastTokens(text: string, tokens: number): string {
  let left = tokens * 4
  let at = text.length
  while (at > 0) {
    const isPair = at > 1 && (text.codePointAt(at - 2) ?? 0) > 0xffff
    const start = at - (isPair ? 2 : 1)
    left -= costOf(text.codePointAt(start) ?? 0)
    if (left < 0) return text.slice(at)
    at = start
  }
  return text
}
