/** Code points that change what a terminal does or in which order it shows text: C0, DEL, C1, and marks of direction. */
const isControl = (point: number): boolean =>
  point < 0x20 ||
  (point >= 0x7f && point <= 0x9f) ||
  point === 0x61c ||
  (point >= 0x200e && point <= 0x200f) ||
  (point >= 0x2028 && point <= 0x202e) ||
  (point >= 0x2066 && point <= 0x2069)

/** Text for one line of a terminal: control characters are shown as `\n` or `\x1b`, so that none does anything. */
export const printableLine = (text: string): string => printed(text, () => false)

/** Text for several lines of a terminal: as {@link printableLine}, but line feeds and tabs stay. */
export const printableText = (text: string): string => printed(text, (point) => point === 0x0a || point === 0x09)

/** JSON that may be shown by a terminal: what JSON leaves as it is of {@link isControl} is escaped, which means the same. */
export const printableJson = (value: unknown, indent?: number): string =>
  printed(
    JSON.stringify(value, null, indent) ?? 'null',
    (point) => point === 0x0a,
    (point) => `\\u${hex(point, 4)}`,
  )

function printed(text: string, stays: (point: number) => boolean, shown: (point: number) => string = visible): string {
  let result = ''
  let from = 0
  for (let at = 0; at < text.length; at++) {
    const point = text.charCodeAt(at)
    if (!isControl(point) || stays(point)) continue
    result += text.slice(from, at) + shown(point)
    from = at + 1
  }
  return result + text.slice(from)
}

function visible(point: number): string {
  if (point === 0x0a) return '\\n'
  if (point === 0x0d) return '\\r'
  if (point === 0x09) return '\\t'
  return point <= 0xff ? `\\x${hex(point, 2)}` : `\\u${hex(point, 4)}`
}

const hex = (point: number, digits: number): string => point.toString(16).padStart(digits, '0')
