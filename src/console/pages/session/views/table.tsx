import type { TextViewProps } from './text-view.ts'

/** Rows and columns that are drawn. */
const ROWS_MAX = 1_000
const COLUMNS_MAX = 60

/** Text of rows and columns as a table, whose first row has the names. */
export function Table({ text, ending }: TextViewProps) {
  const rows = rowsOf(text, ending === 'tsv' ? '\t' : ',')
  const [names = [], ...rest] = rows
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard */}
      <section class="scroll-x" aria-label="Table" tabIndex={0}>
        <table>
          <thead>
            <tr>
              {names.map((name, at) => (
                <th key={at} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rest.map((row, at) => (
              <tr key={at}>
                {row.map((cell, column) => (
                  <td key={column} class={/^-?[\d.,]+$/.test(cell) ? 'number' : ''}>
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {rows.length > ROWS_MAX && <p class="soft">The first {ROWS_MAX} rows. Download the file for the rest.</p>}
    </>
  )
}

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
    at++
  }
  endRow()
  return rows
}
