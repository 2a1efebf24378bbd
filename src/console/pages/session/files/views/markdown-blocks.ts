/** A Markdown text from top to bottom, as far as it is drawn. */
export interface Markdown {
  readonly blocks: readonly Block[]
  /** Whether some of the text was left out. */
  readonly isCut: boolean
}

/** A part of a Markdown text. */
export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly runs: Runs }
  | { readonly kind: 'paragraph' | 'quote'; readonly runs: Runs }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly Item[] }
  | { readonly kind: 'table'; readonly rows: readonly (readonly Runs[])[] }
  | { readonly kind: 'rule' }

interface Item {
  readonly depth: number
  readonly mark: string
  readonly runs: Runs
}

type Runs = readonly Run[]

/** A run of text in a line. An address stands beside its words: nothing here is a link. */
export interface Run {
  readonly kind: 'text' | 'code' | 'strong' | 'em' | 'address'
  readonly text: string
}

/** Blocks, items, rows, cells and runs of a whole text that are drawn: a browser draws as many within a second or so. */
export const PIECES_MAX = 20_000
/** Lines of a text that are read: a paragraph, or code, is one piece however long it is. */
export const LINES_MAX = 20_000
/** Rows and columns of a table that are drawn. */
export const ROWS_MAX = 1_000
export const COLUMNS_MAX = 60

const FENCE = /^ {0,3}(```+|~~~+)/
const HEADING = /^ {0,3}(#{1,6})[ \t]+(\S.*)$/
const RULE = /^ {0,3}([-*_])(\s*\1){2,}\s*$/
const ITEM = /^(\s*)([-*+]|\d{1,9}[.)])[ \t]+(\S.*)$/
const QUOTE = /^ {0,3}> ?(.*)$/
const TABLE_LINE = /^[\s|:]*-[-\s|:]*$/
const INLINE =
  /(`{1,3})([^`]+)\1|\*\*([^*\n]+)\*\*|__([^_\n]+)__|\*([^*\s][^*\n]*)\*|!?\[([^\][\n]{0,500})\]\(([^()\s]{0,2000})(?:[ \t][^()\n]{0,200})?\)/g

/** Reads a Markdown text, in time that grows as its length does. What it does not know is text. */
export function markdownOf(text: string): Markdown {
  const lines = text.replaceAll('\r\n', '\n').split('\n', LINES_MAX + 1)
  const reader = new Reader(lines.slice(0, LINES_MAX))
  return { blocks: reader.blocks(), isCut: reader.isCut || lines.length > LINES_MAX }
}

/** Reads lines until they end, or as many pieces are read as are drawn. */
class Reader {
  isCut = false
  /** The line that is read next. */
  #at = 0
  /** Pieces that may still be read; negative once one more was wanted. */
  #left = PIECES_MAX
  readonly #lines: readonly string[]

  constructor(lines: readonly string[]) {
    this.#lines = lines
  }

  blocks(): readonly Block[] {
    const blocks: Block[] = []
    while (this.#at < this.#lines.length) {
      if (this.#line.trim() === '') this.#at++
      else if (this.#take()) blocks.push(this.#block())
      else break
    }
    return blocks
  }

  get #line(): string {
    return this.#lines[this.#at] ?? ''
  }

  /** Takes one of the pieces that are left. @returns whether there was one */
  #take(): boolean {
    this.#left = Math.max(-1, this.#left - 1)
    this.isCut ||= this.#left < 0
    return this.#left >= 0
  }

  #block(): Block {
    const line = this.#line
    const fence = FENCE.exec(line)?.[1]
    if (fence) {
      this.#at++
      const lines = this.#linesThat((other) => !other.trimStart().startsWith(fence))
      this.#at++
      return { kind: 'code', text: lines.join('\n') }
    }
    const heading = HEADING.exec(line)
    if (heading) {
      this.#at++
      return { kind: 'heading', level: heading[1]?.length ?? 1, runs: this.#runs(heading[2] ?? '') }
    }
    if (RULE.test(line)) {
      this.#at++
      return { kind: 'rule' }
    }
    if (ITEM.test(line)) return { kind: 'list', items: this.#items() }
    if (QUOTE.test(line)) {
      const lines = this.#linesThat((other) => QUOTE.test(other))
      return { kind: 'quote', runs: this.#runs(lines.map((other) => QUOTE.exec(other)?.[1] ?? '').join('\n')) }
    }
    if (line.includes('|') && TABLE_LINE.test(this.#lines[this.#at + 1] ?? '')) {
      this.#at += 2
      return { kind: 'table', rows: this.#rows([line, ...this.#linesThat((other) => other.includes('|'))]) }
    }
    this.#at++
    const lines = this.#linesThat(
      (other) => other.trim() !== '' && ![FENCE, HEADING, RULE, ITEM, QUOTE].some((one) => one.test(other)),
    )
    return { kind: 'paragraph', runs: this.#runs([line, ...lines].join('\n')) }
  }

  /** Lines from here on for which something holds. */
  #linesThat(holds: (line: string) => boolean): readonly string[] {
    const from = this.#at
    while (this.#at < this.#lines.length && holds(this.#line)) this.#at++
    return this.#lines.slice(from, this.#at)
  }

  #items(): readonly Item[] {
    const items: Item[] = []
    while (this.#at < this.#lines.length) {
      const [, indent = '', mark = '', first = ''] = ITEM.exec(this.#line) ?? []
      if (!mark || !this.#take()) break
      this.#at++
      const more = this.#linesThat((other) => /^\s+\S/.test(other) && !ITEM.test(other))
      const runs = this.#runs([first, ...more.map((other) => other.trim())].join('\n'))
      items.push({ depth: Math.min(6, Math.floor(indent.replaceAll('\t', '    ').length / 2)), mark, runs })
    }
    return items
  }

  #rows(lines: readonly string[]): readonly (readonly Runs[])[] {
    const rows: Runs[][] = []
    this.isCut ||= lines.length > 1 + ROWS_MAX
    for (const line of lines.slice(0, 1 + ROWS_MAX)) {
      if (!this.#take()) break
      const cells = cellsOf(line)
      this.isCut ||= cells.length > COLUMNS_MAX
      const row: Runs[] = []
      for (const cell of cells.slice(0, COLUMNS_MAX)) if (this.#take()) row.push(this.#runs(cell))
      rows.push(row)
    }
    return rows
  }

  /** Runs of a text, with its marks taken away. */
  #runs(text: string): Runs {
    const runs: Run[] = []
    let at = 0
    const add = (kind: Run['kind'], words: string | undefined) => {
      if (words && this.#take()) runs.push({ kind, text: words })
    }
    for (const found of text.matchAll(INLINE)) {
      const [whole, , code, strong, strongToo, em, words, address] = found
      add('text', text.slice(at, found.index))
      add('code', code)
      add('strong', strong ?? strongToo)
      add('em', em)
      add('text', words)
      add('address', address)
      at = found.index + whole.length
      if (this.#left < 0) return runs
    }
    add('text', text.slice(at))
    return runs
  }
}

/** Cells of a line, at most one more than are drawn. */
const cellsOf = (line: string): readonly string[] =>
  line
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|', COLUMNS_MAX + 1)
    .map((cell) => cell.trim())
