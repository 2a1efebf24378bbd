/** Rows and columns of a table that are drawn. */
export const ROWS_MAX = 1_000
export const COLUMNS_MAX = 60

/** Cells of the first rows. Quoted cells may hold separators, line breaks, and doubled quotes. */
export function rowsOf(text: string, separator: string): readonly (readonly string[])[] {
  const rows: string[][] = []
  let row: string[] = []
  let at = 0
  const endRow = () => {
    if (row.length > 1 || row[0]) rows.push(row.slice(0, COLUMNS_MAX))
    row = []
  }
  while (at < text.length && rows.length <= ROWS_MAX) {
    let cell = ''
    if (text[at] === '"') {
      for (at++; at < text.length; ) {
        const end = text.indexOf('"', at)
        cell += text.slice(at, end < 0 ? text.length : end)
        at = end < 0 ? text.length : end + 1
        if (end < 0 || text[at] !== '"') break
        cell += '"'
        at++
      }
    }
    const from = at
    while (at < text.length && text[at] !== separator && text[at] !== '\n') at++
    row.push(cell + text.slice(from, at).replace(/\r$/, ''))
    if (text[at] !== separator) endRow()
    else if (at === text.length - 1) row.push('')
    at++
  }
  endRow()
  return rows
}
