/** Length up to which counting is cheaper than encoding. */
const COUNTED_CHARS = 512

/** Length of a text in UTF-8, in bytes. */
export function utf8Length(text: string): number {
  if (text.length > COUNTED_CHARS) return new TextEncoder().encode(text).length
  let bytes = text.length
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit < 0x80) continue
    bytes += unit < 0x800 ? 1 : 2
    // A surrogate pair is four bytes; a lone surrogate is sent as U+FFFD, which is three.
    if (isHigh(unit) && isLow(text.charCodeAt(at + 1))) at++
  }
  return bytes
}

const isHigh = (unit: number) => unit >= 0xd800 && unit < 0xdc00
const isLow = (unit: number) => unit >= 0xdc00 && unit < 0xe000
