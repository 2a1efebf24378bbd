/** Whether Python counts a character as white space, which differs from JavaScript. */
function isBlank(character: string): boolean {
  const code = character.charCodeAt(0)
  return (/\s/.test(character) && code !== 0xfeff) || (0x1c <= code && code <= 0x1f) || code === 0x85
}

/** Python's `text.lstrip()`. */
export function trimStart(text: string): string {
  let start = 0
  while (start < text.length && isBlank(text.charAt(start))) start += 1
  return text.slice(start)
}

/** Python's `text.rstrip()`. */
export function trimEnd(text: string): string {
  let end = text.length
  while (end > 0 && isBlank(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}

/** Python's `text.strip()`. */
export const trim = (text: string): string => trimEnd(trimStart(text))
