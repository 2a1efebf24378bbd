/** A text without the characters at its end that are among these. A pattern as `/\/+$/` looks at each of them once more. */
export function withoutLast(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text[end - 1] ?? '')) end--
  return text.slice(0, end)
}
