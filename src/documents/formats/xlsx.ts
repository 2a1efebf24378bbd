import { MAX_SHEET_CELLS, MAX_SHEET_CHARS } from '../../core/limits/documents.ts'
import { tooMuch } from '../broken.ts'
import type { OpenDocument } from '../document.ts'
import { blocks, heading } from '../markdown.ts'
import { type NumberFormat, numberFormats, shownNumber } from '../number-format.ts'
import { coreProperties, openPackage, relations, xmlAt } from '../ooxml.ts'
import { sheetTable } from '../sheet.ts'
import { child, childrenNamed, childrenOf, descendant, elements, textOf, type XmlElement } from '../xml.ts'
import type { Zip } from '../zip.ts'

/** Excel's own format: each sheet a table, with the values that formulas had when it was saved, or the formulas where they had none. */
export async function openXlsx(bytes: Uint8Array): Promise<OpenDocument> {
  const { zip, main } = await openPackage(bytes, /spreadsheetml|ms-excel/, 'an Excel workbook')
  const workbook = await xmlAt(zip, main)
  const related = await relations(zip, main)
  const sheets = childrenNamed(child(workbook, 'sheets'), 'sheet').flatMap(({ attributes }) => {
    const found = related.get(attributes['r:id'] ?? '')
    if (!found || !zip.has(found.target)) return []
    return [
      { name: attributes.name ?? '', target: found.target, hidden: (attributes.state ?? 'visible') !== 'visible' },
    ]
  })
  const at = (type: string) => [...related.values()].find((one) => one.type === type)?.target ?? ''
  const book = {
    strings: await sharedStrings(zip, at('sharedStrings')),
    formats: readFormats(await xmlAt(zip, at('styles'))),
    from1904: ['1', 'true'].includes(child(workbook, 'workbookPr')?.attributes.date1904 ?? ''),
    unevaluated: 0,
  }
  const notes: string[] = []
  return {
    unit: 'sheet',
    count: sheets.length,
    metadata: { ...(await coreProperties(zip)), sheets: sheets.length },
    notes,
    async read(number) {
      const sheet = sheets[number - 1]
      if (!sheet) return ''
      const rows = readRows((await zip.text(sheet.target)) ?? '', book)
      if (book.unevaluated > 0 && notes.length === 0) notes.push(UNEVALUATED)
      return blocks([
        heading(2, `${sheet.name}${sheet.hidden ? ' (hidden)' : ''}`),
        sheetTable(rows) || '(empty sheet)',
      ])
    },
  }
}

interface Book {
  readonly strings: readonly string[]
  readonly formats: readonly NumberFormat[]
  readonly from1904: boolean
  /** Number of formulas without a value that were read. */
  unevaluated: number
}

async function sharedStrings(zip: Zip, name: string): Promise<string[]> {
  const text = await zip.text(name)
  return text === null ? [] : [...childrenOf(text, 'sst')].map(richText)
}

/** Runs of formatted text, without the reading aids that stand above Japanese. */
const richText = (node: XmlElement): string =>
  elements(node)
    .map((one) => (one.name === 't' ? textOf(one) : one.name === 'r' ? textOf(child(one, 't')) : ''))
    .join('')

function readFormats(styles: XmlElement | undefined): NumberFormat[] {
  const own = childrenNamed(child(styles, 'numFmts'), 'numFmt').map(
    ({ attributes }) => [Number(attributes.numFmtId), attributes.formatCode ?? ''] as const,
  )
  const ids = childrenNamed(child(styles, 'cellXfs'), 'xf').map(({ attributes }) => Number(attributes.numFmtId ?? 0))
  return numberFormats(ids, new Map(own))
}

function readRows(text: string, book: Book): string[][] {
  const rows: string[][] = []
  let cells = 0
  let chars = 0
  let last = -1
  for (const row of childrenOf(text, 'sheetData')) {
    if (row.name !== 'row') continue
    const at = Number(row.attributes.r ?? last + 2) - 1
    const values: string[] = []
    for (const cell of childrenNamed(row, 'c')) {
      const column = columnOf(cell.attributes.r) ?? values.length
      const value = cellText(cell, book)
      if (value === '') continue
      while (values.length < column) values.push('')
      values[column] = value
      chars += value.length
    }
    cells += values.length + 1
    if (values.length === 0) continue
    // Of empty rows between others one is kept: a sheet may have its last cell in row 1,048,576, and claim any other.
    if (rows.length > 0 && at > last + 1) rows.push([])
    last = at
    if (cells > MAX_SHEET_CELLS)
      tooMuch(`a sheet has more than ${MAX_SHEET_CELLS} cells; read it with a script by execute_code`)
    if (chars > MAX_SHEET_CHARS) tooMuch(`a sheet has more than ${MAX_SHEET_CHARS} characters (MAX_SHEET_CHARS)`)
    rows.push(values)
  }
  return rows
}

const UNEVALUATED =
  'formulas without a value are shown as they are written, e.g. =B2*C2: the program that saved the file did not calculate them'

const MAX_COLUMN = 16_384

function columnOf(reference: string | undefined): number | null {
  const letters = /^[A-Z]{1,3}/.exec(reference ?? '')?.[0]
  if (!letters) return null
  const column = [...letters].reduce((value, letter) => value * 26 + letter.charCodeAt(0) - 64, 0) - 1
  return column < MAX_COLUMN ? column : null
}

function cellText(cell: XmlElement, book: Book): string {
  const { strings, formats, from1904 } = book
  const value = textOf(child(cell, 'v'))
  // A formula whose value is an empty text says that it is one.
  const formula = value === '' && cell.attributes.t !== 'str' ? child(cell, 'f') : undefined
  if (formula) {
    book.unevaluated += 1
    // One of several that share a formula has none of its own.
    return `=${textOf(formula) || '…'}`
  }
  switch (cell.attributes.t) {
    case 's':
      return strings[Number(value)] ?? ''
    case 'inlineStr': {
      const inline = descendant(cell, 'is')
      return inline ? richText(inline) : ''
    }
    case 'b':
      return value === '1' ? 'TRUE' : 'FALSE'
    case 'str':
    case 'e':
    case 'd':
      return value
    default:
      return value === '' ? '' : shownNumber(value, formats[Number(cell.attributes.s ?? 0)] ?? 'plain', from1904)
  }
}
