/** Columns that a text takes in a terminal: two for wide characters, none for marks that combine. */
export function widthOf(text: string): number {
  let width = 0
  for (const character of text) width += columnsOf(character.codePointAt(0) ?? 0)
  return width
}

/** The text in so many columns at most, with `…` for what was cut. */
export function fitted(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text
  let width = 1
  let kept = ''
  for (const character of text) {
    width += columnsOf(character.codePointAt(0) ?? 0)
    if (width > columns) break
    kept += character
  }
  return columns < 1 ? '' : `${kept}…`
}

/** Spaces behind the text up to a width. */
export const padded = (text: string, columns: number): string => text + ' '.repeat(Math.max(0, columns - widthOf(text)))

/** First and last code points of blocks that are wide in East Asian terminals (UAX 11: W and F), the emoji among them. */
const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x231a, 0x231b],
  [0x23e9, 0x23ec],
  [0x2614, 0x2615],
  [0x2705, 0x2705],
  [0x2728, 0x2728],
  [0x274c, 0x274c],
  [0x2b50, 0x2b50],
  [0x2e80, 0x303e],
  [0x3041, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x1f300, 0x1f64f],
  [0x1f680, 0x1f6ff],
  [0x1f900, 0x1faff],
  [0x20000, 0x3fffd],
]

/** First and last code points that add no column. */
const ZERO: readonly (readonly [number, number])[] = [
  [0x300, 0x36f],
  [0x483, 0x489],
  [0x591, 0x5bd],
  [0x200b, 0x200f],
  [0x20d0, 0x20f0],
  [0xfe00, 0xfe0f],
  [0xfe20, 0xfe2f],
  [0xe0100, 0xe01ef],
]

function columnsOf(point: number): 0 | 1 | 2 {
  if (point < 0x300) return 1
  const isIn = ([first, last]: readonly [number, number]) => point >= first && point <= last
  if (ZERO.some(isIn)) return 0
  return WIDE.some(isIn) ? 2 : 1
}
