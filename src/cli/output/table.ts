import { fitted, padded, widthOf } from './width.ts'

/** A column of a table. */
export interface Column<Row> {
  /** Heading, in capitals. */
  readonly head: string
  /** Text of a cell: control characters in it are made visible. */
  readonly cell: (row: Row) => string | number | null | undefined
  /** Whether cells stand at the right, as numbers do. */
  readonly isNumber?: boolean
  /** Whether it is never cut, as a name that one copies. */
  readonly isWhole?: boolean
}

/** Columns between two columns. */
const GAP = 2
/** Least columns of a column that is cut. */
const LEAST = 8

/**
 * Lines of a table, its heading first. Columns that may be cut share what the others leave.
 * @param cells texts without control characters, by row
 * @param columns width to fit; null for no limit, as for a pipe
 */
export function tableLines(
  columns: readonly Pick<Column<never>, 'head' | 'isNumber' | 'isWhole'>[],
  cells: readonly (readonly string[])[],
  width: number | null,
): readonly string[] {
  const heads = columns.map(({ head }) => head)
  const natural = columns.map((_, at) =>
    [heads, ...cells].reduce((most, row) => Math.max(most, widthOf(row[at] ?? '')), 0),
  )
  const widths = width === null ? natural : fittedWidths(columns, natural, width)
  return [heads, ...cells].map((row) =>
    columns
      .map(({ isNumber = false }, at) => {
        const wanted = widths[at] ?? 0
        const text = fitted(row[at] ?? '', wanted)
        if (isNumber) return ' '.repeat(Math.max(0, wanted - widthOf(text))) + text
        return at === columns.length - 1 ? text : padded(text, wanted)
      })
      .join(' '.repeat(GAP))
      .trimEnd(),
  )
}

/** Widths of columns: the widest that may be cut is made narrower until all fit, or none can be cut further. */
function fittedWidths(
  columns: readonly { readonly isNumber?: boolean; readonly isWhole?: boolean }[],
  natural: readonly number[],
  width: number,
): readonly number[] {
  const widths = [...natural]
  const cut = columns.flatMap(({ isNumber, isWhole }, at) => (isNumber || isWhole ? [] : [at]))
  let over = widths.reduce((sum, one) => sum + one, GAP * (widths.length - 1)) - width
  while (over > 0) {
    const widest = cut.reduce((best, at) => ((widths[at] ?? 0) > (widths[best] ?? 0) ? at : best), cut[0] ?? -1)
    if (widest < 0 || (widths[widest] ?? 0) <= LEAST) break
    widths[widest] = (widths[widest] ?? 0) - 1
    over--
  }
  return widths
}
