import type { Piece } from './placed-text.ts'

/** Text that stands together on one line, with no wide gap in it. */
export interface Cell {
  readonly text: string
  readonly x: number
  readonly right: number
}

export interface Line {
  readonly y: number
  readonly size: number
  readonly x: number
  readonly right: number
  readonly cells: readonly Cell[]
}

/** Widths of gaps, in sizes of the text: one above the first begins another cell, one below the second begins no new word. */
const CELL_GAP = 1
const WORD_GAP = 0.15
/** Distance of raised or lowered text from the line, in sizes of the text. */
const BASELINE_SLACK = 0.45

/** Pieces that stand beside each other, joined; from above to below. */
export function linesOf(pieces: readonly Piece[]): Line[] {
  const rows: { y: number; size: number; pieces: Piece[] }[] = []
  // Large text first, so that raised text finds the line that it belongs to.
  for (const piece of [...pieces].sort((one, two) => one.y - two.y || one.x - two.x)) {
    const row = rows.slice(-RECENT).findLast((one) => belongs(piece, one))
    if (row) {
      row.pieces.push(piece)
      if (piece.size > row.size * 1.05) {
        row.size = piece.size
        row.y = piece.y
      }
    } else rows.push({ y: piece.y, size: piece.size, pieces: [piece] })
  }
  return rows.map(toLine).sort((one, two) => one.y - two.y)
}

/** Lines that may still get a piece that stands a little lower. */
const RECENT = 4

const belongs = (piece: Piece, row: { readonly y: number; readonly size: number }) => {
  const larger = Math.max(piece.size, row.size)
  const smaller = Math.min(piece.size, row.size)
  const slack = smaller < larger * 0.85 ? BASELINE_SLACK * larger : 0.25 * smaller
  return Math.abs(piece.y - row.y) <= slack
}

function toLine({ y, size, pieces }: { y: number; size: number; pieces: Piece[] }): Line {
  const sorted = pieces.sort((one, two) => one.x - two.x)
  const cells: { text: string; x: number; right: number }[] = []
  for (const { text, x, right, size: own } of sorted) {
    const last = cells.at(-1)
    const gap = last ? x - last.right : 0
    if (!last || gap > CELL_GAP * size) cells.push({ text, x, right })
    else {
      const spaced = gap > WORD_GAP * Math.min(size, own) && !last.text.endsWith(' ') && !text.startsWith(' ')
      last.text += `${spaced ? ' ' : ''}${text}`
      last.right = Math.max(last.right, right)
    }
  }
  const trimmed = labelled(
    cells.map((cell) => ({ ...cell, text: cell.text.trim() })),
    size,
  )
  return {
    y,
    size,
    x: trimmed[0]?.x ?? 0,
    right: trimmed.reduce((most, cell) => Math.max(most, cell.right), 0),
    cells: trimmed,
  }
}

/** `1.`, `.2`, `(a)`, `iv)` and bullets. */
export const LABEL =
  /^(?:[•●○◦▪■□–—*·-]|[([]?(?:\d{1,3}(?:\.\d{1,3}){0,4}|[a-zA-Z]|[ivxIVX]{1,5})[.)\]]|\.\d{1,3}|\d{1,2}(?:\.\d{1,3}){1,4})$/

/** Separates a label from the text that it numbers. */
function labelled(cells: Cell[], size: number): Cell[] {
  const [label, text, ...more] = cells
  if (!label || !text || more.length > 0 || !LABEL.test(label.text)) return cells
  // A number with a point in it may as well be a value of a table, when it stands far away.
  if (/^\d+\.\d+$/.test(label.text) && text.x - label.right > 4 * size) return cells
  return [{ text: `${label.text} ${text.text}`, x: label.x, right: text.right }]
}
