/** Page of pdf.js, with the members used here. */
export interface PdfPage {
  getTextContent(): Promise<PdfText>
  getViewport(options: { scale: number }): { width: number; height: number; transform: readonly number[] }
  cleanup(): boolean
}
export interface PdfText {
  readonly items: readonly { readonly str?: string; readonly transform?: readonly number[]; readonly width?: number }[]
}

/** A run of text in one font; x to the right and y downwards from the page's upper left corner, in points. */
export interface Piece {
  readonly text: string
  readonly x: number
  /** Height of the baseline. */
  readonly y: number
  readonly right: number
  readonly size: number
}

export interface PlacedText {
  readonly width: number
  readonly height: number
  readonly pieces: readonly Piece[]
  /** Text that runs up, down or aslant, in the file's order: watermarks, labels of axes, arXiv's margin. */
  readonly turned: readonly string[]
}

/** Greatest number of pieces of text: more than any page for people has. */
const MAX_PIECES = 50_000

export function placedText({ items }: PdfText, page: PdfPage): PlacedText {
  const { width, height, transform } = page.getViewport({ scale: 1 })
  const pieces: Piece[] = []
  const turned: string[] = []
  const seen = new Set<string>()
  for (const { str = '', transform: own = [], width: length = 0 } of items.slice(0, MAX_PIECES)) {
    if (str.trim() === '') continue
    const text = cleaned(str)
    const [a, b, c, d, x, y] = multiplied(transform, own)
    const size = Math.hypot(c, d)
    if (size === 0 || Math.abs(b) > Math.abs(a) * 0.2) {
      turned.push(text)
      continue
    }
    // Bold print is made by some programs by printing twice.
    const key = `${text}|${Math.round(x)}|${Math.round(y)}`
    if (seen.has(key)) continue
    seen.add(key)
    pieces.push({ text, x, y, right: x + length, size })
  }
  return { width, height, pieces, turned }
}

/** Ligatures and presentation forms become letters; what fonts left without a meaning vanishes. */
const cleaned = (text: string) =>
  text
    .replace(/[\ufb00-\ufdff\ufe70-\ufeff]/g, (char) => char.normalize('NFKC'))
    // biome-ignore lint/suspicious/noControlCharactersInRegex: broken fonts map glyphs to control characters
    .replace(/[\x00-\x08\x0b-\x1f\ufffe\uffff]/g, '')
    .replace(/\s+/g, ' ')

type Matrix = readonly [number, number, number, number, number, number]

function multiplied(first: readonly number[], second: readonly number[]): Matrix {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = first
  const [g = 1, h = 0, i = 0, j = 1, k = 0, l = 0] = second
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f]
}
