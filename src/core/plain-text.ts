/**
 * Characters of foreign text that nobody sees and that change what is read: control characters but for line breaks and tabs, marks of
 * direction, and the invisible tags of Unicode, in which whole sentences have been hidden from people and read by models.
 */
const UNSEEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e0fff}]/gu

/** Foreign text without the characters that nobody sees. */
export const plainText = (text: string): string => text.replace(/\r\n?/g, '\n').toWellFormed().replace(UNSEEN, '')

/** Foreign JSON with all texts in it as {@link plainText}, names of fields too. @param value JSON of bounded depth */
export function plainValue(value: unknown): unknown {
  if (typeof value === 'string') return plainText(value)
  if (Array.isArray(value)) return value.map(plainValue)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [plainText(name), plainValue(item)]))
}
