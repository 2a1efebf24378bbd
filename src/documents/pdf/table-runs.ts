import type { Cell, Line } from './lines.ts'

export type Run = { readonly kind: 'line'; readonly line: Line } | { readonly kind: 'table'; readonly rows: string[][] }

/** Limits in sizes of the text: the distance of a table's first rows, and the mean length of its cells. */
const FIRST_PITCH = 3.6
const WRAPPED_PITCH = 1.9
const MAX_CELL_CHARS = 70
/** Cells of one column are apart from those of the next by this many points. */
const MIN_SEPARATOR = 2

/** Tables among lines: rows one after another whose cells stand below each other. No drawn lines are needed. */
export function tableRuns(lines: readonly Line[]): Run[] {
  const runs: Run[] = []
  let at = 0
  while (at < lines.length) {
    const end = runEnd(lines, at)
    const rows = end > at + 1 ? tableRows(lines.slice(at, end)) : null
    const line = lines[at]
    if (rows) {
      runs.push({ kind: 'table', rows })
      at = end
    } else if (line) {
      runs.push({ kind: 'line', line })
      at++
    }
  }
  return runs
}

/** End of the run of rows that begins at `start`; lines of one cell count when rows follow them. */
function runEnd(lines: readonly Line[], start: number): number {
  if ((lines[start]?.cells.length ?? 0) < 2) return start
  let end = start + 1
  let pitch = 0
  for (let at = start + 1; at < lines.length; at++) {
    const before = lines[at - 1]
    const line = lines[at]
    if (!before || !line) break
    const gap = line.y - before.y
    const size = Math.max(line.size, before.size)
    const first = line.cells.length > 1 ? FIRST_PITCH : WRAPPED_PITCH
    if (gap > (pitch === 0 ? first * size : Math.max(1.75 * pitch, 2.2 * size))) break
    if (line.cells.length === 1 && (line.size > before.size * 1.12 || at - end >= MAX_SINGLE_LINES)) break
    if (line.cells.length > 1) {
      pitch = pitch === 0 ? gap / (at - end + 1) : pitch
      end = at + 1
    }
  }
  return end
}

/** Lines in a row that have one cell only, inside a table: wrapped text. */
const MAX_SINGLE_LINES = 3

function tableRows(lines: readonly Line[]): string[][] | null {
  const rows = lines.filter(({ cells }) => cells.length > 1)
  if (rows.length < 2) return null
  const separators = separatorsOf(rows)
  const columns = separators.length + 1
  if (columns < 2) return null
  const cells = rows.flatMap((line) => line.cells)
  const chars = cells.reduce((sum, { text }) => sum + text.length, 0)
  if (chars / cells.length > MAX_CELL_CHARS) return null
  return squeezed(lines.map((line) => placed(line.cells, separators)))
}

/**
 * Rows with superfluous columns removed. A heading over several columns may make a column of its own: it moves to the one
 * beside it, when there is room.
 */
function squeezed(rows: string[][]): string[][] {
  const width = rows[0]?.length ?? 0
  for (let column = width - 1; column >= 0; column--) {
    const filled = rows.filter((row) => row[column] !== '')
    if (filled.length > 1 || rows.length < 3) continue
    const beside = [column - 1, column + 1].find((other) => other >= 0 && filled.every((row) => row[other] === ''))
    if (beside === undefined) continue
    for (const row of filled) row[beside] = row[column] ?? ''
    for (const row of rows) row.splice(column, 1)
  }
  return rows
}

/** The gaps between columns: where all rows, but for a few with wide cells, have none of their text. */
function separatorsOf(rows: readonly Line[]): number[] {
  const edges = rows
    .flatMap(({ cells }) =>
      cells.flatMap(({ x, right }) => [
        { at: x, open: 1 },
        { at: right, open: -1 },
      ]),
    )
    .sort((one, two) => one.at - two.at || two.open - one.open)
  const allowed = rows.length < 4 ? 0 : Math.max(1, Math.floor(rows.length * 0.15))
  const separators: number[] = []
  let open = 0
  let freeFrom: number | null = null
  for (const [index, edge] of edges.entries()) {
    open += edge.open
    if (open <= allowed && freeFrom === null && index < edges.length - 1) freeFrom = edge.at
    else if (open > allowed && freeFrom !== null) {
      const isInside = separators.length > 0 || edges.some(({ at }) => at < (freeFrom ?? 0))
      if (edge.at - freeFrom >= MIN_SEPARATOR && isInside) separators.push((freeFrom + edge.at) / 2)
      freeFrom = null
    }
  }
  return separators.filter((x) => hasTextOnBothSides(rows, x))
}

const hasTextOnBothSides = (rows: readonly Line[], x: number) =>
  rows.some(({ cells }) => cells.some((cell) => cell.right <= x + 1)) &&
  rows.some(({ cells }) => cells.some((cell) => cell.x >= x - 1))

function placed(cells: readonly Cell[], separators: readonly number[]): string[] {
  const row = Array.from({ length: separators.length + 1 }, () => '')
  for (const { text, x } of cells) {
    const column = separators.filter((separator) => x >= separator - 1).length
    row[column] = row[column] === '' ? text : `${row[column]} ${text}`
  }
  return row
}
