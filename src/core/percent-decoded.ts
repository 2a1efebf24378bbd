/** A text with its percent-encoding decoded; unchanged where a `%` in it encodes nothing. */
export function percentDecoded(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
