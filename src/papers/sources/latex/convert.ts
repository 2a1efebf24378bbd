import { MAX_TEX_DEPTH } from '../../../core/limits/papers.ts'
import { MAX_HEADING_CHARS, type PaperText, type Section } from '../paper-text.ts'
import { ACCENTS, CHARACTERS } from './accents.ts'
import {
  DROPPED,
  DROPPED_ENVIRONMENTS,
  ENVIRONMENT_ARGUMENTS,
  MATH_ENVIRONMENTS,
  SECTION_LEVELS,
  THEOREMS,
  VERBATIM_ENVIRONMENTS,
} from './commands.ts'
import { takeDefinition } from './definitions.ts'
import { formula } from './formula.ts'
import { Macros, Reader, type Token, tooDeep } from './reader.ts'

/** Sink of the text; sections begin only at its top level. */
interface Sink {
  write(text: string): void
  readonly depth: number
}

/** A paper as its LaTeX says it: readable text, with formulas and citation keys as they are written. */
export function convert(source: string): PaperText {
  const paper = new Paper(new Macros())
  paper.read(source)
  return paper.result()
}

class Paper {
  readonly #macros: Macros
  readonly #theorems = new Map(THEOREMS)
  readonly #sections: Section[] = []
  readonly #above: { readonly level: number; readonly title: string }[] = []
  readonly #counts: number[] = []
  readonly #authors: string[] = []
  #isAppendix = false
  #inBody = false
  #title = ''
  #abstract = ''
  #text = ''

  constructor(macros: Macros) {
    this.#macros = macros
  }

  result(): PaperText {
    this.#endSection()
    return { title: this.#title, abstract: this.#abstract, authors: this.#authors, sections: this.#sections }
  }

  read(source: string): void {
    // A piece without a preamble is all body.
    this.#inBody = !/\\begin\s*\{document\}/.test(source)
    const reader = new Reader(source, this.#macros)
    const sink: Sink = {
      depth: 0,
      write: (text) => {
        if (this.#inBody) this.#text += text
      },
    }
    for (let token = reader.next(); token; token = reader.next()) {
      if (!this.#take(token, reader, sink)) return
    }
  }

  /** Arguments, as one text. */
  #inline(source: string, depth: number): string {
    if (depth > MAX_TEX_DEPTH) tooDeep()
    const reader = new Reader(source, this.#macros)
    let out = ''
    const sink: Sink = {
      depth,
      write: (text) => {
        out += text
      },
    }
    for (let token = reader.next(); token; token = reader.next()) this.#take(token, reader, sink)
    return out.normalize('NFC')
  }

  #line(source: string, sink: Sink): string {
    return oneLine(this.#inline(source, sink.depth + 1))
  }

  /** Takes one token. @returns false at the document's end */
  #take(token: Token, reader: Reader, sink: Sink): boolean {
    switch (token.kind) {
      case 'text':
        sink.write(token.text)
        return true
      case 'math':
        sink.write(`$${formula(token.text, this.#macros)}$`)
        return true
      case 'paragraph':
        sink.write('\n\n')
        return true
      case 'tie':
        sink.write(' ')
        return true
      case 'cell':
        sink.write(' | ')
        return true
      case 'open':
      case 'close':
        return true
      case 'command':
        return this.#command(token.name, reader, sink)
    }
  }

  #command(name: string, reader: Reader, sink: Sink): boolean {
    const character = CHARACTERS.get(name)
    const accent = ACCENTS.get(name)
    const level = SECTION_LEVELS.get(name)
    const dropped = DROPPED.get(name)
    if (character !== undefined) sink.write(character)
    else if (accent !== undefined) sink.write(this.#accented(accent, reader, sink))
    else if (level !== undefined) this.#section(level, reader, sink)
    else if (dropped !== undefined) this.#drop(dropped, reader)
    else if (/cite/i.test(name) && name.length < 20) this.#cite(reader, sink)
    else if (/^(?:eq|auto|page|name|v|c|C)?ref$/.test(name))
      sink.write(`[${this.#line(argumentAfterStar(reader), sink)}]`)
    else return this.#structure(name, reader, sink)
    return true
  }

  #structure(name: string, reader: Reader, sink: Sink): boolean {
    switch (name) {
      case 'begin':
        this.#begin(reader.argument().trim(), reader, sink)
        break
      case 'end':
        return this.#end(reader.argument().trim(), sink)
      case '\\':
      case 'newline':
      case 'tabularnewline':
      case 'linebreak':
        reader.star()
        reader.option()
        sink.write('\n')
        break
      case 'par':
      case 'bigskip':
      case 'medskip':
      case 'smallskip':
        sink.write('\n\n')
        break
      case 'item':
        sink.write(`\n- ${this.#line(reader.option() ?? '', sink)} `)
        break
      case 'title':
        reader.option()
        this.#title ||= this.#line(reader.argument(), sink)
        break
      case 'author':
        reader.option()
        this.#author(reader.argument(), sink)
        break
      case 'and':
      case 'And':
      case 'AND':
        sink.write(AUTHOR_MARK)
        break
      case 'abstract':
        this.#setAbstract(reader.argument(), sink)
        break
      case 'caption':
        reader.star()
        reader.option()
        sink.write(`\n\n${this.#line(reader.argument(), sink)}\n\n`)
        break
      case 'footnote':
        reader.option()
        sink.write(` (${this.#line(reader.argument(), sink)})`)
        break
      case 'url':
      case 'path':
        sink.write(reader.argument())
        break
      case 'verb':
        reader.star()
        sink.write(reader.verbatim())
        break
      case '(':
        sink.write(`$${formula(reader.until('\\)'), this.#macros)}$`)
        break
      case '[':
        sink.write(`\n$${formula(reader.until('\\]'), this.#macros)}$\n`)
        break
      case 'iffalse':
        reader.until('\\fi')
        break
      case 'appendix':
        this.#isAppendix = true
        this.#counts.length = 0
        break
      default:
        // Any other command vanishes, and the braces behind it are read as text.
        if (!takeDefinition(name, reader, this.#theorems)) reader.adjacentOption()
    }
    return true
  }

  #drop(count: number, reader: Reader): void {
    reader.star()
    while (reader.option() !== null);
    for (let at = 0; at < count; at++) {
      reader.argument()
      reader.option()
    }
  }

  #cite(reader: Reader, sink: Sink): void {
    reader.star()
    while (reader.option() !== null);
    const keys = oneLine(reader.argument()).replace(/ ?, ?/g, ', ')
    sink.write(`[${keys}]`)
  }

  #accented(mark: string, reader: Reader, sink: Sink): string {
    const letters = this.#line(reader.argument(), sink).replace('ı', 'i').replace('ȷ', 'j')
    return `${letters.slice(0, 1)}${letters === '' ? '' : mark}${letters.slice(1)}`.normalize('NFC')
  }

  #section(level: number, reader: Reader, sink: Sink): void {
    const isNumbered = !reader.star() && level < 5
    reader.option()
    const title = this.#line(reader.argument(), sink).slice(0, MAX_HEADING_CHARS).toWellFormed()
    if (sink.depth > 0 || !this.#inBody) {
      sink.write(`${title} `)
      return
    }
    this.#endSection()
    const number = isNumbered ? `${this.#number(level)} ` : ''
    while (this.#above.length > 0 && (this.#above.at(-1)?.level ?? 0) >= level) this.#above.pop()
    this.#above.push({ level, title: `${number}${title}` })
  }

  #number(level: number): string {
    this.#counts.length = level + 1
    this.#counts[level] = (this.#counts[level] ?? 0) + 1
    const used = [...this.#counts].filter((count) => count !== undefined)
    const [first = 0, ...rest] = used
    return [this.#isAppendix ? String.fromCharCode(64 + Math.min(first, 26)) : first, ...rest].join('.')
  }

  #endSection(): void {
    const text = tidied(this.#text)
    if (text !== '') this.#sections.push({ path: this.#above.map(({ title }) => title).join(' > '), text })
    this.#text = ''
  }

  #begin(given: string, reader: Reader, sink: Sink): void {
    const name = given.replace(/\*$/, '')
    const theorem = this.#theorems.get(name.toLowerCase())
    if (name === 'document') this.#inBody = true
    else if (name === 'abstract') this.#setAbstract(reader.until('\\end{abstract}'), sink)
    else if (DROPPED_ENVIRONMENTS.has(name)) reader.until(`\\end{${given}}`)
    else if (VERBATIM_ENVIRONMENTS.has(name)) sink.write(`\n\n${reader.until(`\\end{${given}}`)}\n\n`)
    else if (MATH_ENVIRONMENTS.has(name)) sink.write(`\n$${formula(reader.until(`\\end{${given}}`), this.#macros)}$\n`)
    else if (theorem !== undefined) {
      const note = this.#line(reader.option() ?? '', sink)
      sink.write(`\n\n${theorem}${note && ` (${note})`}. `)
    } else {
      reader.option()
      for (let at = ENVIRONMENT_ARGUMENTS.get(name) ?? 0; at > 0; at--) {
        reader.argument()
        reader.option()
      }
      sink.write('\n\n')
    }
  }

  #end(name: string, sink: Sink): boolean {
    if (name === 'document') return false
    sink.write('\n\n')
    return true
  }

  #setAbstract(source: string, sink: Sink): void {
    this.#abstract ||= this.#line(source, sink)
  }

  /** The first line of each block of names: affiliations and addresses follow below. */
  #author(source: string, sink: Sink): void {
    for (const block of this.#inline(source, sink.depth + 1).split(AUTHOR_MARK)) {
      const [line = ''] = block.trim().split('\n')
      for (const name of line.split(/,|\band\b/)) {
        const plain = oneLine(name.replace(/\$[^$]*\$|[*†‡§¶]/g, ''))
        if (/^[^@\d]{3,80}$/.test(plain) && this.#authors.length < MAX_AUTHORS) this.#authors.push(plain)
      }
    }
  }
}

const MAX_AUTHORS = 500
/** A character that no text has. */
const AUTHOR_MARK = '\u0000'

const argumentAfterStar = (reader: Reader) => {
  reader.star()
  return reader.argument()
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()

/** Paragraphs with one empty line between them, each line tidy. */
const tidied = (text: string) =>
  text
    .normalize('NFC')
    .replaceAll(AUTHOR_MARK, ' ')
    .split('\n')
    .map((line) => line.replace(/[ \t\u00a0]+/g, ' ').trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
