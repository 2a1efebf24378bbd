import type { Piece } from './placed-text.ts'

/** Columns of prose have this many lines at least, and about this many characters in each. */
const MIN_LINES = 5
const MIN_CHARS_PER_LINE = 18
/** Narrowest gutter, in points. */
const MIN_GUTTER = 7

/**
 * Pieces in groups that are read one after another: where a page has columns of prose, the left one comes first. Pieces
 * across all columns (a title, a wide figure) divide the page into parts above and below. Tables are left whole.
 */
export function readingGroups(pieces: readonly Piece[], depth = 0): Piece[][] {
  const gutter = depth < 4 && pieces.length >= 2 * MIN_LINES ? findGutter(pieces) : null
  if (gutter === null) return [[...pieces]]
  const groups: Piece[][] = []
  const crossing = (piece: Piece) => piece.x < gutter - 1 && piece.right > gutter + 1
  const spanning = lineSpans(pieces.filter(crossing))
  let band: Piece[] = []
  let across: Piece[] = []
  const endBand = () => {
    if (band.length > 0) groups.push(...bandGroups(band, gutter, depth))
    band = []
  }
  for (const piece of [...pieces].sort((one, two) => one.y - two.y)) {
    if (spanning.some(({ top, bottom }) => piece.y > top && piece.y < bottom)) {
      endBand()
      across.push(piece)
    } else {
      if (across.length > 0) groups.push(across)
      across = []
      band.push(piece)
    }
  }
  if (across.length > 0) groups.push(across)
  endBand()
  return groups
}

function bandGroups(band: readonly Piece[], gutter: number, depth: number): Piece[][] {
  const left = band.filter((piece) => piece.x < gutter)
  const right = band.filter((piece) => piece.x >= gutter)
  if (!isProse(left) && !isProse(right) && left.length > 0 && right.length > 0 && areAligned(left, right))
    return [[...band]]
  return [left, right].filter((one) => one.length > 0).flatMap((one) => readingGroups(one, depth + 1))
}

function lineSpans(pieces: readonly Piece[]) {
  return pieces.map(({ y, size }) => ({ top: y - size * 0.6, bottom: y + size * 0.4 }))
}

/** The x that prose stands on both sides of, and that nearly nothing crosses. */
function findGutter(pieces: readonly Piece[]): number | null {
  const first = Math.min(...pieces.map(({ x }) => x))
  const last = Math.max(...pieces.map(({ right }) => right))
  const width = last - first
  // Amount of text over each point: the ends of pieces, summed up.
  const cover = new Int32Array(Math.ceil(width) + 2)
  for (const { x, right } of pieces) {
    const from = Math.max(0, Math.floor(x - first))
    const to = Math.min(cover.length - 1, Math.ceil(right - first))
    cover[from] = (cover[from] ?? 0) + 1
    cover[to] = (cover[to] ?? 0) - 1
  }
  for (let at = 1; at < cover.length; at++) cover[at] = (cover[at] ?? 0) + (cover[at - 1] ?? 0)
  const few = Math.max(1, Math.floor(pieces.length * 0.12))
  const gaps: { at: number; width: number }[] = []
  for (let at = Math.floor(width * 0.15); at < width * 0.85; at++) {
    let end = at
    while (end < width * 0.9 && (cover[end] ?? 0) <= few) end++
    if (end - at >= MIN_GUTTER) gaps.push({ at: first + (at + end) / 2, width: end - at })
    at = Math.max(at, end)
  }
  const usable = gaps
    .sort((one, two) => two.width - one.width)
    .slice(0, 8)
    .find(({ at }) => {
      const left = pieces.filter(({ right }) => right <= at + 1)
      const right = pieces.filter(({ x }) => x >= at - 1)
      return isProse(left) && isProse(right) && overlap(left, right)
    })
  return usable?.at ?? null
}

/** Lines long enough, and enough of them. A line may be many pieces: they are counted by their height. */
function isProse(pieces: readonly Piece[]): boolean {
  const lines = new Map<number, { chars: number; left: number; right: number }>()
  for (const { y, text, x, right } of pieces) {
    const key = Math.round(y / 2)
    const line = lines.get(key) ?? { chars: 0, left: x, right }
    lines.set(key, {
      chars: line.chars + text.length,
      left: Math.min(line.left, x),
      right: Math.max(line.right, right),
    })
  }
  if (lines.size < MIN_LINES) return false
  const long = [...lines.values()].filter(({ chars }) => chars >= MIN_CHARS_PER_LINE).length
  return long >= Math.max(MIN_LINES, lines.size * 0.6)
}

function overlap(left: readonly Piece[], right: readonly Piece[]): boolean {
  const range = (pieces: readonly Piece[]) =>
    [Math.min(...pieces.map(({ y }) => y)), Math.max(...pieces.map(({ y }) => y))] as const
  const [top, bottom] = range(left)
  const [otherTop, otherBottom] = range(right)
  return Math.min(bottom, otherBottom) - Math.max(top, otherTop) > 40
}

/** Whether most lines on the left have one on the right at the same height, as rows of a table do. */
function areAligned(left: readonly Piece[], right: readonly Piece[]): boolean {
  const heights = new Set(right.map(({ y }) => Math.round(y)))
  const found = left.filter(({ y }) => [-1, 0, 1].some((off) => heights.has(Math.round(y) + off))).length
  return found >= Math.min(left.length, right.length) * 0.6
}
