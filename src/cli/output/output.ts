import { printableJson, printableLine, printableText } from './printable.ts'
import { type Progress, progressOn } from './progress.ts'
import { type Sink, written } from './streams.ts'
import { type Column, tableLines } from './table.ts'

/** Styles of text, as SGR numbers. */
const STYLES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const
export type Style = keyof typeof STYLES

interface OutputSettings {
  readonly stdout: Sink
  readonly stderr: Sink
  /** Whether programs read stdout, as `--json` says. */
  readonly isJson: boolean
  readonly env: Readonly<Record<string, string | undefined>>
}

/**
 * Printer of a command. Results go to stdout, all else to stderr. With `isJson` stdout has one JSON document (`result`, `list`) or JSON
 * lines (`item`), and nothing else. Control characters are made visible everywhere but in `bytes`.
 */
export class Output {
  readonly isJson: boolean
  readonly #settings: OutputSettings

  constructor(settings: OutputSettings) {
    this.isJson = settings.isJson
    this.#settings = settings
  }

  /** Whether a terminal shows stdout. */
  get isTerminal(): boolean {
    return this.#settings.stdout.isTTY === true
  }

  /** A result: the value for programs, the text for people. @param text lines; control characters but line feeds are made visible */
  result(value: unknown, text: string): Promise<void> {
    const shown = this.isJson ? printableJson(value, 2) : printableText(text)
    return this.#print(shown.endsWith('\n') || shown === '' ? shown : `${shown}\n`)
  }

  /** A list: an array for programs, a table for people. @param none sentence for stderr where there is nothing */
  async list<Row>(rows: readonly Row[], columns: readonly Column<Row>[], none: string): Promise<void> {
    if (this.isJson) return this.#print(`${printableJson(rows, 2)}\n`)
    if (rows.length === 0) return this.note(none)
    await this.table(rows, columns)
  }

  /** A table for people, fitted to the terminal; whole where no terminal shows it. */
  table<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): Promise<void> {
    const { stdout } = this.#settings
    const cells = rows.map((row) => columns.map(({ cell }) => printableLine(String(cell(row) ?? ''))))
    const [head = '', ...lines] = tableLines(columns, cells, stdout.isTTY ? (stdout.columns ?? 80) : null)
    return this.#print(`${[this.styled('bold', head), ...lines].join('\n')}\n`)
  }

  /** Fields of one thing: an object for programs, lines of name and value for people; without value none. */
  fields(value: unknown, fields: readonly (readonly [name: string, value: string | number | null | undefined])[]) {
    const worded = fields.filter(([, text]) => text !== null && text !== undefined && text !== '')
    const width = worded.reduce((most, [name]) => Math.max(most, name.length), 0)
    const lines = worded.map(([name, text]) => `${name.padEnd(width)}  ${printableLine(String(text))}`)
    return this.result(value, lines.join('\n'))
  }

  /** An item of a stream: a JSON line for programs, a line for people. */
  item(value: unknown, text: string): Promise<void> {
    return this.#print(`${this.isJson ? printableJson(value) : printableText(text)}\n`)
  }

  /** Bytes or text as they are, control characters too. @param to stdout unless said */
  bytes(chunk: string | Uint8Array, to: 'stdout' | 'stderr' = 'stdout'): Promise<void> {
    return written(this.#settings[to], chunk)
  }

  /** A remark for people, on stderr. */
  note(text: string): Promise<void> {
    return written(this.#settings.stderr, `${printableText(text)}\n`)
  }

  /** An error, on stderr: one line. */
  error(line: string): Promise<void> {
    return written(this.#settings.stderr, `${this.styled('red', 'error', 'stderr')}: ${printableLine(line)}\n`)
  }

  /** A question to a person, on stderr, without a line feed. */
  prompt(text: string): Promise<void> {
    return written(this.#settings.stderr, printableLine(text))
  }

  /** A bar on stderr, where a terminal shows it. @param total null where it is not known */
  progress(label: string, total: number | null, unit: 'bytes' | 'pieces' = 'bytes'): Progress {
    return progressOn(this.#settings.stderr, label, total, unit)
  }

  /** Text in a style, where a terminal shows it and NO_COLOR is not set. Only for text of {@link help}, since others lose it. */
  styled(style: Style, text: string, on: 'stdout' | 'stderr' = 'stdout'): string {
    const { env } = this.#settings
    const isOff = (env.NO_COLOR ?? '') !== '' || env.TERM === 'dumb' || !this.#settings[on].isTTY
    return isOff || text === '' ? text : `\x1b[${STYLES[style]}m${text}\x1b[0m`
  }

  /** Text of the command line's own, such as help, with its styles. */
  help(text: string): Promise<void> {
    return this.#print(text.endsWith('\n') ? text : `${text}\n`)
  }

  #print(text: string): Promise<void> {
    return text === '' ? Promise.resolve() : written(this.#settings.stdout, text)
  }
}
