import { ROWS_MAX, rowsOf } from './rows.ts'
import type { TextViewProps } from './text-view.ts'

/** A cell of a column of numbers. */
const NUMBER = /^-?[\d.,]*$/

/** Text of rows and columns as a table, whose first row has the names. */
export function Table({ text, ending }: TextViewProps) {
  const rows = rowsOf(text, ending === 'tsv' ? '\t' : ',')
  const [names = [], ...rest] = rows
  const isOfNumbers = names.map((_, column) => rest.length > 0 && rest.every((row) => NUMBER.test(row[column] ?? '')))
  const classAt = (column: number) => (isOfNumbers[column] ? 'number' : undefined)
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard */}
      <section class="scroll-x" aria-label="Table" tabIndex={0}>
        <table>
          <thead>
            <tr>
              {names.map((name, at) => (
                <th key={at} scope="col" class={classAt(at)}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rest.map((row, at) => (
              <tr key={at}>
                {row.map((cell, column) => (
                  <td key={column} class={classAt(column)}>
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
