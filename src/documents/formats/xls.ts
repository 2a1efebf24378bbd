import { MAX_SHEET_CELLS, MAX_SHEET_CHARS } from '../../core/limits/documents.ts'
import { broken, PROTECTED, tooMuch } from '../broken.ts'
import { CompoundFile } from '../compound-file.ts'
import type { OpenDocument } from '../document.ts'
import { blocks, heading } from '../markdown.ts'
import { type NumberFormat, numberFormats, shownNumber } from '../number-format.ts'
import { sheetTable } from '../sheet.ts'

/** The records that are read here, by their numbers. */
const FORMULA = 0x06
const END = 0x0a
const DATE_MODE = 0x22
const FILE_PASS = 0x2f
const CONTINUE = 0x3c
const BOUND_SHEET = 0x85
const MULTIPLE_RK = 0xbd
const EXTENDED_FORMAT = 0xe0
const SHARED_STRINGS = 0xfc
const LABEL_SST = 0xfd
const NUMBER = 0x203
const LABEL = 0x204
const BOOLEAN_OR_ERROR = 0x205
const STRING = 0x207
const RK = 0x27e
const FORMAT = 0x41e
const BEGIN = 0x809

const EXCEL_97 = 0x600

interface Record {
  readonly id: number
  readonly data: DataView
  /** Continuation records: in them a string repeats the flag of its character size. */
  readonly more: readonly DataView[]
}

/**
 * Excel's binary format of 1997 to 2003: each sheet a table.
 * @see [MS-XLS]
 */
export function openXls(bytes: Uint8Array): OpenDocument {
  const file = new CompoundFile(bytes)
  const stream = file.read('Workbook')
  if (!stream) {
    if (file.has('EncryptedPackage')) return broken(PROTECTED)
    return broken(file.has('Book') ? 'it is older than Excel 97; save it as .xlsx' : 'it is not an Excel workbook')
  }
  const book = whole(() => readBook(stream))
  return {
    unit: 'sheet',
    count: book.sheets.length,
    metadata: { sheets: book.sheets.length },
    read(number) {
      const sheet = book.sheets[number - 1]
      if (!sheet) return ''
      const table = sheetTable(whole(() => readSheet(stream, sheet.offset, book)))
      return blocks([heading(2, `${sheet.name}${sheet.hidden ? ' (hidden)' : ''}`), table || '(empty sheet)'])
    },
  }
}

/** Reads records, which may claim more bytes than there are. */
function whole<T>(read: () => T): T {
  try {
    return read()
  } catch (thrown) {
    if (thrown instanceof RangeError) return broken('it is damaged: its records end in the middle', { cause: thrown })
    throw thrown
  }
}

interface Book {
  readonly sheets: { readonly name: string; readonly offset: number; readonly hidden: boolean }[]
  readonly strings: string[]
  readonly formats: readonly NumberFormat[]
  readonly from1904: boolean
}

function* recordsFrom(stream: Uint8Array, start: number): Generator<Record> {
  const view = new DataView(stream.buffer, stream.byteOffset, stream.byteLength)
  const at = (offset: number) =>
    new DataView(stream.buffer, stream.byteOffset + offset + 4, view.getUint16(offset + 2, true))
  let offset = start
  while (offset + 4 <= stream.length) {
    const id = view.getUint16(offset, true)
    const data = at(offset)
    offset += 4 + data.byteLength
    const more: DataView[] = []
    while (offset + 4 <= stream.length && view.getUint16(offset, true) === CONTINUE) {
      const next = at(offset)
      more.push(next)
      offset += 4 + next.byteLength
    }
    yield { id, data, more }
    if (id === END) return
  }
}

function readBook(stream: Uint8Array): Book {
  const sheets: Book['sheets'] = []
  const ids: number[] = []
  const codes = new Map<number, string>()
  let strings: string[] = []
  let from1904 = false
  for (const { id, data, more } of recordsFrom(stream, 0)) {
    if (id === FILE_PASS) broken(PROTECTED)
    else if (id === BEGIN && data.getUint16(0, true) !== EXCEL_97) broken('it is older than Excel 97; save it as .xlsx')
    else if (id === DATE_MODE) from1904 = data.getUint16(0, true) === 1
    else if (id === FORMAT) codes.set(data.getUint16(0, true), new Strings([data], 2).read(2))
    else if (id === EXTENDED_FORMAT) ids.push(data.getUint16(2, true))
    else if (id === SHARED_STRINGS) strings = sharedStrings([data, ...more])
    else if (id === BOUND_SHEET && data.getUint8(5) === 0) {
      sheets.push({
        offset: data.getUint32(0, true),
        hidden: (data.getUint8(4) & 3) !== 0,
        name: new Strings([data], 6).read(1),
      })
    }
  }
  return { sheets, strings, formats: numberFormats(ids, codes), from1904 }
}

function sharedStrings(parts: readonly DataView[]): string[] {
  const count = parts[0]?.getUint32(4, true) ?? 0
  if (count > MAX_SHEET_CELLS)
    tooMuch(`it has more than ${MAX_SHEET_CELLS} texts; read it with a script by execute_code`)
  const reader = new Strings(parts, 8)
  const found: string[] = []
  while (found.length < count && !reader.atEnd) found.push(reader.read(2))
  return found
}

/** Reader of Excel 97's strings, which may continue in the next record at any character. */
class Strings {
  readonly #parts: readonly DataView[]
  #part = 0
  #at: number

  constructor(parts: readonly DataView[], start: number) {
    this.#parts = parts
    this.#at = start
  }

  get atEnd(): boolean {
    return this.#part >= this.#parts.length - 1 && this.#at >= (this.#parts[this.#part]?.byteLength ?? 0)
  }

  /** Reads a string. @param lengthBytes number of bytes of its length */
  read(lengthBytes: 1 | 2): string {
    const length = lengthBytes === 1 ? this.#byte() : this.#byte() + this.#byte() * 256
    let flags = this.#byte()
    const runs = flags & 8 ? this.#byte() + this.#byte() * 256 : 0
    const extra = flags & 4 ? this.#byte() + this.#byte() * 256 + this.#byte() * 65_536 + this.#byte() * 16_777_216 : 0
    let text = ''
    for (let at = 0; at < length; at++) {
      if (this.#turn()) flags = this.#byte()
      text += String.fromCharCode(flags & 1 ? this.#byte() + this.#byte() * 256 : this.#byte())
    }
    this.#skip(runs * 4 + extra)
    return text
  }

  /** Moves to the next record at the end of this one. */
  #turn(): boolean {
    const isRead = this.#at >= (this.#parts[this.#part]?.byteLength ?? 0)
    if (!isRead) return false
    this.#part++
    this.#at = 0
    return true
  }

  #byte(): number {
    this.#turn()
    const view = this.#parts[this.#part]
    if (!view) throw new RangeError('a string goes on behind the last record')
    return view.getUint8(this.#at++)
  }

  #skip(bytes: number) {
    let rest = bytes
    while (rest > 0 && this.#part < this.#parts.length) {
      const step = Math.min(rest, (this.#parts[this.#part]?.byteLength ?? 0) - this.#at)
      this.#at += step
      rest -= step
      if (rest > 0) {
        this.#part++
        this.#at = 0
      }
    }
  }
}

const ERRORS = new Map([
  [0x00, '#NULL!'],
  [0x07, '#DIV/0!'],
  [0x0f, '#VALUE!'],
  [0x17, '#REF!'],
  [0x1d, '#NAME?'],
  [0x24, '#NUM!'],
  [0x2a, '#N/A'],
])

function readSheet(stream: Uint8Array, offset: number, { strings, formats, from1904 }: Book): string[][] {
  const rows: string[][] = []
  let cells = 0
  let chars = 0
  const put = (row: number, column: number, text: string) => {
    if (text === '') return
    while (rows.length <= row) rows.push([])
    const values = rows[row] ?? []
    cells += Math.max(1, column - values.length)
    if (cells > MAX_SHEET_CELLS)
      tooMuch(`a sheet has more than ${MAX_SHEET_CELLS} cells; read it with a script by execute_code`)
    while (values.length < column) values.push('')
    chars += text.length - (values[column]?.length ?? 0)
    if (chars > MAX_SHEET_CHARS) tooMuch(`a sheet has more than ${MAX_SHEET_CHARS} characters (MAX_SHEET_CHARS)`)
    values[column] = text
  }
  const shown = (value: number, style: number) => shownNumber(String(value), formats[style] ?? 'plain', from1904)
  let formula: { row: number; column: number } | null = null
  for (const { id, data, more } of recordsFrom(stream, offset)) {
    if (id === STRING && formula) put(formula.row, formula.column, new Strings([data, ...more], 0).read(2))
    if (!CELLS.has(id)) continue
    const row = data.getUint16(0, true)
    const column = data.getUint16(2, true)
    const style = data.getUint16(4, true)
    if (id === NUMBER) put(row, column, shown(data.getFloat64(6, true), style))
    else if (id === RK) put(row, column, shown(rkNumber(data.getUint32(6, true)), style))
    else if (id === LABEL_SST) put(row, column, strings[data.getUint32(6, true)] ?? '')
    else if (id === LABEL) put(row, column, new Strings([data, ...more], 6).read(2))
    else if (id === BOOLEAN_OR_ERROR) put(row, column, truthOrError(data.getUint8(6), data.getUint8(7) === 1))
    else if (id === MULTIPLE_RK) {
      for (let at = 4, next = column; at + 6 <= data.byteLength - 2; at += 6, next++) {
        put(row, next, shown(rkNumber(data.getUint32(at + 2, true)), data.getUint16(at, true)))
      }
    } else if (data.getUint16(12, true) !== 0xffff) put(row, column, shown(data.getFloat64(6, true), style))
    else {
      const kind = data.getUint8(6)
      formula = kind === 0 ? { row, column } : null
      if (kind === 1 || kind === 2) put(row, column, truthOrError(data.getUint8(8), kind === 2))
    }
  }
  return rows.filter((row, at) => row.length > 0 || (rows[at - 1]?.length ?? 0) > 0)
}

const CELLS = new Set([FORMULA, NUMBER, RK, LABEL_SST, LABEL, BOOLEAN_OR_ERROR, MULTIPLE_RK])

const truthOrError = (value: number, isError: boolean) =>
  isError ? (ERRORS.get(value) ?? '#N/A') : value === 1 ? 'TRUE' : 'FALSE'

/** A number in 30 bits: whole, or the upper part of a float; both may be in hundredths. */
function rkNumber(packed: number): number {
  let value: number
  if (packed & 2) value = (packed | 0) >> 2
  else {
    const view = new DataView(new ArrayBuffer(8))
    view.setUint32(0, packed & 0xfffffffc)
    value = view.getFloat64(0)
  }
  return packed & 1 ? value / 100 : value
}
