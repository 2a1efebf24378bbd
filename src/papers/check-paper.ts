import { fail } from '../core/failure.ts'
import {
  MAX_ABSTRACT_CHARS,
  MAX_CHUNK_CHARS,
  MAX_CHUNKS_PER_PAPER,
  MAX_PAPER_AUTHORS,
  MAX_PAPER_CATEGORIES,
  MAX_PAPER_CHARS,
  MAX_PAPER_ID_CHARS,
  MAX_PAPER_NAMES,
  MAX_PAPER_WORD_CHARS,
} from '../core/limits/papers.ts'
import type { Paper } from '../ports/papers.ts'

/** Refuses papers that cannot be stored. @throws FailureError `invalid_input`, `limit_exceeded` for one that is too large */
export function checkPaper(paper: Paper): void {
  for (const name of [paper.fileId, ...paper.aliases]) checkName(name)
  const where = `the paper "${paper.fileId}"`
  if (paper.year !== null && !/^\d{4}$/.test(paper.year)) {
    fail('invalid_input', `${where} has the year "${paper.year.slice(0, 20)}"; give four digits, or none`)
  }
  if (`${paper.title}${paper.abstract}`.trim() === '' && paper.chunks.length === 0) {
    fail('invalid_input', `${where} has neither title, abstract nor text; give one of them`)
  }
  const most = (count: number, limit: number, limitName: string, what: string) => {
    if (count > limit) fail('limit_exceeded', `${where} has ${count} ${what}; at most ${limit} are kept (${limitName})`)
  }
  most(
    paper.title.length + paper.abstract.length,
    MAX_ABSTRACT_CHARS,
    'MAX_ABSTRACT_CHARS',
    'characters of title and abstract',
  )
  most(paper.aliases.length, MAX_PAPER_NAMES, 'MAX_PAPER_NAMES', 'other names')
  most(paper.authors.length, MAX_PAPER_AUTHORS, 'MAX_PAPER_AUTHORS', 'authors')
  most(paper.categories.length, MAX_PAPER_CATEGORIES, 'MAX_PAPER_CATEGORIES', 'categories')
  const words = [...paper.authors, ...paper.categories].reduce((sum, { length }) => sum + length, 0)
  most(words, MAX_PAPER_WORD_CHARS, 'MAX_PAPER_WORD_CHARS', 'characters of authors and categories')
  most(paper.chunks.length, MAX_CHUNKS_PER_PAPER, 'MAX_CHUNKS_PER_PAPER', 'chunks')
  most(charsOf(paper), MAX_PAPER_CHARS, 'MAX_PAPER_CHARS', 'characters of text')
  const longest = Math.max(0, ...paper.chunks.map(chunkChars))
  most(longest, MAX_CHUNK_CHARS, 'MAX_CHUNK_CHARS', 'characters in one chunk')
}

/** Length of all its chunks. */
export const charsOf = (paper: Paper) => paper.chunks.reduce((sum, chunk) => sum + chunkChars(chunk), 0)

const chunkChars = ({ section, text }: Paper['chunks'][number]) => section.length + text.length

function checkName(name: string): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
  if (name === '' || name.trim() !== name || /[\u0000-\u001f\u007f]/.test(name) || !name.isWellFormed()) {
    fail(
      'invalid_input',
      `"${name.slice(0, 50)}" is no id for a paper; give one without control characters or blanks at its ends`,
    )
  }
  if (name.length > MAX_PAPER_ID_CHARS) {
    fail('invalid_input', `an id of a paper has at most ${MAX_PAPER_ID_CHARS} characters (MAX_PAPER_ID_CHARS)`)
  }
}
