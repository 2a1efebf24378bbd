import { fail } from '../core/failure.ts'
import { say, tool } from '../core/saying/saying.ts'
import { type Database, type DatabaseRow, sql } from '../ports/database.ts'
import { VISIBLE } from './corpora.ts'
import { arxivParts, canonicalId } from './names.ts'

/** A row of `papers`. */
export interface PaperRow extends DatabaseRow {
  no: number
  corpus: number
  id: string
  title: string
  abstract: string
  authors: string
  year: string | null
  categories: string
  chunks: number
  chars: number
}

/** Passage: a part of a paper, as it is searched and read. */
export interface Passage {
  /** "chunk_001", from 1. */
  readonly docId: string
  readonly index: number
  readonly section: string
  readonly text: string
}

/**
 * The paper of this id, or of this other name; the newest version when none is named. A reader's own one goes before the
 * public one.
 * @throws FailureError `not_found`
 */
export async function findPaper(db: Database, reader: string, given: string): Promise<PaperRow> {
  const id = canonicalId(given)
  const [exact, named] = (await db.batch([
    sql(
      `SELECT papers.* FROM papers JOIN paper_corpora ON paper_corpora.no = papers.corpus
       WHERE papers.corpus IN ${VISIBLE} AND papers.id = ?2 ORDER BY owner DESC LIMIT 1`,
      reader,
      id,
    ),
    sql(
      `SELECT papers.* FROM paper_names JOIN papers ON papers.no = paper_names.paper
       JOIN paper_corpora ON paper_corpora.no = papers.corpus
       WHERE paper_names.corpus IN ${VISIBLE} AND name = ?2 ORDER BY version DESC, owner DESC, papers.no DESC LIMIT 1`,
      reader,
      id,
    ),
  ])) as PaperRow[][]
  return exact?.[0] ?? named?.[0] ?? (await notFound(db, reader, id))
}

async function notFound(db: Database, reader: string, id: string): Promise<never> {
  const shown = id.slice(0, 200)
  const parts = arxivParts(id)
  if (parts?.version != null) {
    const other = await findPaper(db, reader, parts.name).catch(() => null)
    if (other) fail('not_found', `Paper not found: ${shown}; it is here as "${other.id}"`)
  }
  fail('not_found', say`Paper not found: ${shown}; use a file_id from the results of ${tool('rag_search_abstracts')}`)
}

/** The parts of a paper in reading order; of one without a text, its abstract is the only part. */
export async function passagesOf(db: Database, paper: PaperRow): Promise<Passage[]> {
  if (paper.chunks === 0) return [{ docId: docId(1), index: 1, section: '', text: paper.abstract || paper.title }]
  const rows = await db.rows<{ position: number; section: string; text: string }>(
    sql('SELECT position, section, text FROM paper_chunks WHERE paper = ? ORDER BY position', paper.no),
  )
  return rows.map(({ position, section, text }) => ({ docId: docId(position), index: position, section, text }))
}

const docId = (position: number) => `chunk_${String(position).padStart(3, '0')}`

/** Chunk id as {@link passagesOf} gives it, of one as models shorten it: "7", "chunk_7". Another id stays as it is. */
export function canonicalDocId(given: string): string {
  const [, position] = /^(?:chunk[_ -]?)?0*([1-9]\d{0,5})$/i.exec(given.trim()) ?? []
  return position === undefined ? given : docId(Number(position))
}

/** Shown content of a part: its headings, then its text. */
export const contentOf = ({ section, text }: Passage) => (section === '' ? text : `${section}\n\n${text}`)

/** The whole paper: what neighbouring parts share stands once, headings where they begin. */
export function wholeText(passages: readonly Passage[]): string {
  let whole = ''
  let section = ''
  let before = ''
  for (const passage of passages) {
    if (passage.section !== section) {
      if (passage.section !== '') whole += `${whole === '' ? '' : '\n\n'}${heading(passage.section)}`
      section = passage.section
      whole += `${whole === '' ? '' : '\n\n'}${passage.text}`
    } else {
      const shared = sharedChars(before, passage.text)
      const glue = whole === '' ? '' : shared === 0 ? '\n\n' : ''
      whole += glue + passage.text.slice(shared)
    }
    before = passage.text
  }
  return whole
}

function heading(section: string): string {
  const levels = section.split(' > ')
  return `${'#'.repeat(Math.min(6, levels.length + 1))} ${levels.at(-1)}`
}

const MIN_SHARED_CHARS = 16
const MAX_SHARED_CHARS = 4_000

/** Length of the longest end of `before` that is the start of `after`, in characters. */
function sharedChars(before: string, after: string): number {
  const start = after.slice(0, MIN_SHARED_CHARS)
  if (start.length < MIN_SHARED_CHARS) return 0
  const tail = before.slice(-MAX_SHARED_CHARS)
  for (let at = tail.indexOf(start); at >= 0; at = tail.indexOf(start, at + 1)) {
    if (after.startsWith(tail.slice(at))) return tail.length - at
  }
  return 0
}
