/** Beginning of a text that a spreadsheet may take for a formula; spaces before it are skipped there. Fullwidth signs count too. */
const FORMULA = /^[\s=+\-@|＝＋－＠]/

/** A row of CSV (RFC 4180), with its end. */
export const csvRow = (cells: readonly (string | number)[]): string => `${cells.map(csvCell).join(',')}\r\n`

/**
 * A cell of CSV. A text that a spreadsheet would take for a formula gets an apostrophe before it, which spreadsheets show as the text:
 * names are tenants' and their agents' own.
 * @see https://owasp.org/www-community/attacks/CSV_Injection
 */
function csvCell(value: string | number): string {
  if (typeof value === 'number') return String(value)
  const text = FORMULA.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
