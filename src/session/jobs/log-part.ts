/**
 * Text of a log from a byte on, at most `maxBytes` of it, and no character in two parts. A negative `from` counts from the end.
 * @returns the byte at which the text begins, and the one behind it
 */
export function partOf(content: Uint8Array, from: number, maxBytes: number) {
  const start = Math.min(content.byteLength, from < 0 ? Math.max(0, content.byteLength + from) : from)
  let end = Math.min(content.byteLength, start + maxBytes)
  // Back to the first byte of a character that is cut.
  for (let back = 0; back < 3 && end < content.byteLength && isInside(content[end]); back++) end -= 1
  return { text: new TextDecoder().decode(content.subarray(start, end)), from: start, next: end }
}

const isInside = (byte = 0) => (byte & 0xc0) === 0x80
