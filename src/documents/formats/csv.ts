import { MAX_SHEET_CELLS } from '../../core/limits/documents.ts'
import { tooMuch } from '../broken.ts'
import { decodeText } from '../decode.ts'
import type { OpenDocument } from '../document.ts'
import { table } from '../markdown.ts'
import { inTableParts } from '../parts.ts'

/** Comma-separated values, or with whatever separates them. */
export function openCsv(bytes: Uint8Array, name: string): OpenDocument {
  const { text, encoding } = decodeText(bytes)
  const stated = /^sep=(.)\r?\n/.exec(text)
  const body = stated ? text.slice(stated[0].length) : text
  const rows = readRows(body, stated?.[1] ?? delimiterOf(body, name))
  const columns = rows.reduce((most, row) => Math.max(most, row.length), 0)
  return inTableParts(table(rows), { lines: rows.length, columns, encoding })
}

const SAMPLE_CHARS = 64 * 1024

/** The one that splits the first lines most evenly. */
function delimiterOf(text: string, name: string): string {
  const usual = name.toLowerCase().endsWith('.tsv') ? '\t' : ','
  let best = { delimiter: usual, score: 0 }
  const sample = text.slice(0, SAMPLE_CHARS)
  for (const delimiter of [usual, ',', ';', '\t', '|']) {
    const widths = readRows(sample, delimiter)
      .slice(0, 50)
      .map((row) => row.length)
    const first = widths[0] ?? 1
    const even = widths.filter((width) => width === first).length / Math.max(1, widths.length)
    const score = first < 2 ? 0 : even * 10 + Math.log2(first)
    if (score > best.score + 1e-9) best = { delimiter, score }
  }
  return best.delimiter
}

/** RFC 4180, and what programs make of it: any line break, quotes that open only at the start of a field. */
function readRows(text: string, delimiter: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let cells = 0
  let at = 0
  const endRow = () => {
    if (row.length > 1 || row[0] !== '') rows.push(row)
    row = []
  }
  while (at < text.length) {
    let field: string
    if (text[at] === '"') {
      const quoted = readQuoted(text, at + 1)
      const rest = fieldEnd(text, quoted.end, delimiter)
      field = quoted.text + text.slice(quoted.end, rest)
      at = rest
    } else {
      const end = fieldEnd(text, at, delimiter)
      field = text.slice(at, end)
      at = end
    }
    row.push(field)
    if (++cells > MAX_SHEET_CELLS)
      tooMuch(`it has more than ${MAX_SHEET_CELLS} cells; read it with a script by execute_code`)
    if (text[at] === delimiter) {
      at++
      if (at === text.length) row.push('')
    } else if (at < text.length) {
      at += text.startsWith('\r\n', at) ? 2 : 1
      endRow()
    }
  }
  if (row.length > 0) endRow()
  return rows
}

function readQuoted(text: string, start: number): { readonly text: string; readonly end: number } {
  let found = ''
  let at = start
  for (;;) {
    const quote = text.indexOf('"', at)
    if (quote === -1) return { text: found + text.slice(at), end: text.length }
    found += text.slice(at, quote)
    if (text[quote + 1] !== '"') return { text: found, end: quote + 1 }
    found += '"'
    at = quote + 2
  }
}

function fieldEnd(text: string, start: number, delimiter: string): number {
  let at = start
  while (at < text.length && text[at] !== delimiter && text[at] !== '\n' && text[at] !== '\r') at++
  return at
}
