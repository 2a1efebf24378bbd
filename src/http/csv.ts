/**
 * Place behind which a spreadsheet may take a text for a formula: its beginning, and a sign that separates cells in other countries,
 * where quotation marks that do not begin a line are none. Spaces before a formula are skipped there. Fullwidth signs count too.
 */
const FORMULA = /(^|[;\t])(?=[\s=+\-@|＝＋－＠])/g

/** A row of CSV (RFC 4180), with its end. */
export const csvRow = (cells: readonly (string | number)[]): string => `${cells.map(csvCell).join(',')}\r\n`

/**
 * A cell of CSV. A text that a spreadsheet would take for a formula gets an apostrophe before it, which spreadsheets show as the text:
 * names are tenants' and their agents' own.
 * @see https://owasp.org/www-community/attacks/CSV_Injection
 */
function csvCell(value: string | number): string {
  if (typeof value === 'number') return String(value)
  const text = value.replace(FORMULA, "$1'")
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
