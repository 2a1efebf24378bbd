/** Lines of a file to be read: numbers from 1, both ends included; `last` is 0 for a file without lines. */
export interface ReadRange {
  readonly first: number
  readonly last: number
  /** Notes for a caller who asked for other lines. */
  readonly notes: readonly string[]
}

/**
 * Lines that a caller asks for, clamped to those that there are, as the Tool Server does; a note says so where other lines come back
 * than were meant. Negative numbers count from the end: from -20 on are the last 20 lines, and -1 is the last.
 * @param start first line; the first one when left out, and for 0
 * @param end last line; the last one when left out
 */
export function readRange(start: number | undefined, end: number | undefined, total: number): ReadRange {
  const from = fromEnd(start ?? 1, total)
  const to = fromEnd(end ?? total, total)
  const first = clamp(from, 1, total)
  const last = clamp(to, first, total)
  return { first, last, notes: noteOf(from, to, total) }
}

function noteOf(from: number, to: number, total: number): string[] {
  if (total === 0) return []
  if (from > total) {
    return [`Line ${from} is past the end: the file has ${lines(total)}. The last one is shown.`]
  }
  if (to < Math.max(from, 1) && to > 0) {
    return [`The end, line ${to}, is before the start, line ${from}: line ${from} alone is shown.`]
  }
  return []
}

const lines = (total: number) => (total === 1 ? '1 line' : `${total} lines`)

const fromEnd = (line: number, total: number) => (line < 0 ? Math.max(total + line + 1, 1) : line)

const clamp = (value: number, low: number, high: number) => Math.max(low, Math.min(value, high))
