/** A text without the given characters at its end. A pattern such as `/\/+$/` would start again at each of them. */
export function withoutLast(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text[end - 1] ?? '')) end--
  return text.slice(0, end)
}
