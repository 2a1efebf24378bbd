import { fail } from '../core/failure.ts'
import {
  MAX_ABSTRACT_CHARS,
  MAX_CHUNK_CHARS,
  MAX_OWN_PAPER_CHARS,
  MAX_OWN_PAPERS,
  MAX_PAPERS_PER_PUT,
  MAX_PUT_CHARS,
} from '../core/limits/papers.ts'
import { type Database, type DatabaseRow, type Statement, sql } from '../ports/database.ts'
import type { Paper, PaperStore } from '../ports/papers.ts'
import { charsOf, checkPaper } from './check-paper.ts'
import { type Corpus, ownCorpus, PAPERS_PER_CORPUS, PUBLIC } from './corpora.ts'
import type { Embeddings } from './embeddings.ts'
import { countTerms, type IndexedPaper, inCorpus, indexTerms, yearTerm } from './index-terms.ts'
import { jsonPages } from './json-pages.ts'
import { canonicalId, namesOf } from './names.ts'
import { shortForms } from './short-forms.ts'

/** Tries of a change while others write to the same corpus: one more each time that the corpus changed in between. */
const TRIES = 8

interface PaperStoreParts {
  readonly db: Database
  /** Owner of the papers that are written. */
  readonly owner: string
  readonly embeddings: Embeddings | null
  /** False for papers that the owner keeps already. */
  readonly isLimited?: boolean
  /** Whether a paper that is there stays, as the newer one, where one of its id is put. */
  readonly keepsOld?: boolean
}

interface OldPaper extends DatabaseRow {
  no: number
  id: string
  title: string
  abstract: string
  year: string | null
  chunks: number
}

/** Paper to be written, with its number and index terms. */
interface NumberedPaper {
  readonly no: number
  readonly paper: Paper
  readonly indexed: IndexedPaper
}

/** Difference that one change makes to the totals and counts of a corpus. */
interface Change {
  papers: number
  chunks: number
  length: number
  readonly terms: Map<string, number>
  readonly shortForms: Map<string, number>
}

export function paperStore({
  db,
  owner,
  embeddings,
  isLimited = owner !== PUBLIC,
  keepsOld = false,
}: PaperStoreParts): PaperStore {
  /** Runs `plan` on the current corpus, and again when somebody changed the corpus meanwhile. */
  async function change<T>(plan: (corpus: Corpus) => Promise<{ statements: Statement[]; result: T }>): Promise<T> {
    for (let tried = 1; ; tried++) {
      const corpus = await ownCorpus(db, owner)
      const { statements, result } = await plan(corpus)
      try {
        if (statements.length > 0) await db.batch([...statements])
        return result
      } catch (thrown) {
        const changed = (await ownCorpus(db, owner)).epoch !== corpus.epoch
        if (!changed) throw thrown
        if (tried === TRIES) {
          fail('conflict', 'these papers are being changed by many at the same time; put them in one after another')
        }
      }
    }
  }

  return {
    async put(given) {
      checkPut(given)
      // The later one of two with the same id in one call counts.
      const papers = [...new Map(given.map((paper) => [paper.fileId, clean(paper)])).values()]
      if (papers.length === 0) return { added: 0, replaced: 0 }
      const indexed = papers.map((paper) => ({ paper, indexed: indexTerms(paper) }))
      const { texts, ...result } = await change(async (corpus) => {
        const ids = jsonPages(papers.map(({ fileId }) => fileId))
        const found = await oldPapers(db, corpus, ids)
        const [kept, old] = keepsOld ? [[...found.values()], []] : [[], [...found.values()]]
        const taken = keepsOld ? indexed.filter(({ paper }) => !found.has(paper.fileId)) : indexed
        const added = taken.length - old.length
        if (isLimited && corpus.papers + added > MAX_OWN_PAPERS) {
          fail('limit_exceeded', `a tenant keeps at most ${MAX_OWN_PAPERS} papers (MAX_OWN_PAPERS); remove some first`)
        }
        if (isLimited) await requireRoom(db, corpus, papers)
        let next = corpus.next_paper
        const put = taken.map((one): NumberedPaper => {
          return { ...one, no: found.get(one.paper.fileId)?.no ?? corpus.no * PAPERS_PER_CORPUS + next++ }
        })
        const delta = emptyChange()
        for (const paper of old) takeOut(paper, delta)
        for (const { paper, indexed } of put) putIn(paper, indexed, delta)
        const statements = [
          ...changeCorpus(corpus, next, delta),
          ...removals(old.map(({ no }) => no)),
          ...additions(corpus, put),
        ]
        // Also of those that stay: a crash may have come between them and their vectors.
        const texts = [...kept, ...put.map(({ no, paper }) => ({ ...paper, no }))].map(embeddedText)
        return { statements: put.length > 0 ? statements : [], result: { added, replaced: old.length, texts } }
      })
      await embeddings?.put(owner, texts)
      return result
    },

    async list({ limit, after = '' }) {
      const rows = await db.rows<{ id: string; title: string; year: string | null; chunks: number }>(
        sql(
          `SELECT id, title, year, chunks FROM papers
           WHERE corpus = (SELECT no FROM paper_corpora WHERE owner = ?) AND id > ? ORDER BY id LIMIT ?`,
          owner,
          after,
          limit,
        ),
      )
      return rows.map(({ id, title, year, chunks }) => ({ fileId: id, title, year, chunks }))
    },

    async remove(fileId) {
      const removed = await change(async (corpus) => {
        const old = [...(await oldPapers(db, corpus, [JSON.stringify([canonicalId(fileId)])])).values()]
        if (old.length === 0) return { statements: [], result: old }
        const delta = emptyChange()
        for (const paper of old) takeOut(paper, delta)
        const numbers = old.map(({ no }) => no)
        const statements = [
          ...changeCorpus(corpus, corpus.next_paper, delta),
          ...removals(numbers),
          sql('DELETE FROM papers WHERE no IN (SELECT value FROM json_each(?))', JSON.stringify(numbers)),
        ]
        return { statements, result: old }
      })
      if (removed.length > 0) await embeddings?.remove(removed.map(({ no }) => String(no)))
      return removed.length > 0
    },
  }
}

function checkPut(papers: readonly Paper[]): void {
  if (papers.length > MAX_PAPERS_PER_PUT) {
    fail(
      'limit_exceeded',
      `at most ${MAX_PAPERS_PER_PUT} papers go in at a time (MAX_PAPERS_PER_PUT); send the rest after them`,
    )
  }
  for (const paper of papers) checkPaper(paper)
  if (charsIn(papers) > MAX_PUT_CHARS && papers.length > 1) {
    fail(
      'limit_exceeded',
      `at most ${MAX_PUT_CHARS} characters go in at a time (MAX_PUT_CHARS); send fewer papers at once`,
    )
  }
}

/**
 * Checks the store's limits. Counting reads all papers, so it happens only where a limit may be reached. Replaced papers
 * count as well.
 */
async function requireRoom(db: Database, { no, papers, chunks }: Corpus, added: readonly Paper[]): Promise<void> {
  const most = (papers + added.length) * MAX_ABSTRACT_CHARS + chunks * MAX_CHUNK_CHARS + charsIn(added)
  if (most <= MAX_OWN_PAPER_CHARS) return
  const [row] = await db.rows<{ chars: number }>(
    sql('SELECT sum(chars + length(title) + length(abstract)) AS chars FROM papers WHERE corpus = ?', no),
  )
  if ((row?.chars ?? 0) + charsIn(added) > MAX_OWN_PAPER_CHARS) {
    fail(
      'limit_exceeded',
      `the papers of a tenant have at most ${MAX_OWN_PAPER_CHARS} characters (MAX_OWN_PAPER_CHARS); remove some first`,
    )
  }
}

const embeddedText = ({ no, title, abstract, year }: Pick<OldPaper, 'no' | 'title' | 'abstract' | 'year'>) => ({
  id: String(no),
  text: `${title}\n${abstract}`,
  year,
})

const charsIn = (papers: readonly Paper[]) =>
  papers.reduce((sum, paper) => sum + paper.title.length + paper.abstract.length + charsOf(paper), 0)

/** SQLite ends a text at a NUL, and half a character of two halves has no UTF-8. */
function clean(paper: Paper): Paper {
  const text = (given: string) => given.replaceAll('\0', ' ').toWellFormed()
  return {
    ...paper,
    title: text(paper.title),
    abstract: text(paper.abstract),
    authors: paper.authors.map(text),
    categories: paper.categories.map(text),
    chunks: paper.chunks.map((chunk) => ({ section: text(chunk.section), text: text(chunk.text) })),
  }
}

async function oldPapers(db: Database, corpus: Corpus, ids: readonly string[]): Promise<Map<string, OldPaper>> {
  const pages = await db.batch(
    ids.map((page) =>
      sql(
        `SELECT no, id, title, abstract, year, chunks FROM papers
         WHERE corpus = ? AND id IN (SELECT value FROM json_each(?))`,
        corpus.no,
        page,
      ),
    ),
  )
  return new Map((pages.flat() as OldPaper[]).map((paper) => [paper.id, paper]))
}

const emptyChange = (): Change => ({
  papers: 0,
  chunks: 0,
  length: 0,
  terms: new Map(),
  shortForms: new Map(),
})

function takeOut(paper: OldPaper, change: Change): void {
  count(paper, indexTerms(paper), paper.chunks, -1, change)
}

function putIn(paper: Paper, indexed: IndexedPaper, change: Change): void {
  count(paper, indexed, paper.chunks.length, 1, change)
}

function count(
  paper: { readonly title: string; readonly abstract: string },
  indexed: IndexedPaper,
  chunks: number,
  by: 1 | -1,
  change: Change,
): void {
  change.papers += by
  change.chunks += by * chunks
  change.length += by * (indexed.title.length + indexed.abstract.length)
  countTerms(indexed, by, change.terms)
  const forms = new Set(shortForms(`${paper.title}. ${paper.abstract}`).map(({ short, long }) => `${short}\t${long}`))
  for (const form of forms) change.shortForms.set(form, (change.shortForms.get(form) ?? 0) + by)
}

/**
 * Statements for totals and counts. The first one fails, and with it the whole transaction, when the corpus has changed
 * since it was read: D1 has no transaction in which one could read first.
 */
function changeCorpus(corpus: Corpus, next: number, change: Change): Statement[] {
  const terms = [...change.terms].filter(([, by]) => by !== 0)
  const forms = [...change.shortForms].filter(([, by]) => by !== 0).map(([form, by]) => [...form.split('\t'), by])
  const fewer = terms.some(([, by]) => by < 0)
  return [
    sql(
      `UPDATE paper_corpora SET epoch = iif(epoch = ?2, epoch + 1, NULL), next_paper = ?3, papers = papers + ?4,
       chunks = chunks + ?5, terms = terms + ?6 WHERE no = ?1`,
      ...[corpus.no, corpus.epoch, next, change.papers, change.chunks, change.length],
    ),
    ...jsonPages(terms).map((page) =>
      sql(
        `INSERT INTO paper_terms (corpus, term, papers)
         SELECT ?1, value ->> 0, value ->> 1 FROM json_each(?2) WHERE true
         ON CONFLICT DO UPDATE SET papers = papers + excluded.papers`,
        corpus.no,
        page,
      ),
    ),
    ...jsonPages(forms).map((page) =>
      sql(
        `INSERT INTO paper_short_forms (corpus, short, long, papers)
         SELECT ?1, value ->> 0, value ->> 1, value ->> 2 FROM json_each(?2) WHERE true
         ON CONFLICT DO UPDATE SET papers = papers + excluded.papers`,
        corpus.no,
        page,
      ),
    ),
    ...(fewer ? jsonPages(terms.filter(([, by]) => by < 0).map(([term]) => term)) : []).map((page) =>
      sql(
        `DELETE FROM paper_terms
         WHERE corpus = ? AND term IN (SELECT value FROM json_each(?)) AND papers <= 0`,
        corpus.no,
        page,
      ),
    ),
    ...(fewer ? [sql('DELETE FROM paper_short_forms WHERE corpus = ? AND papers <= 0', corpus.no)] : []),
  ]
}

/** Statements that remove all rows of these papers, except their own in `papers`. */
export function removals(numbers: readonly number[]): Statement[] {
  if (numbers.length === 0) return []
  const list = JSON.stringify(numbers)
  return [
    sql('DELETE FROM paper_index WHERE rowid IN (SELECT value FROM json_each(?))', list),
    sql('DELETE FROM paper_names WHERE paper IN (SELECT value FROM json_each(?))', list),
    sql('DELETE FROM paper_chunks WHERE paper IN (SELECT value FROM json_each(?))', list),
  ]
}

function additions(corpus: Corpus, put: readonly NumberedPaper[]): Statement[] {
  const rows = put.map(({ no, paper }) => [
    ...[no, paper.fileId, paper.title, paper.abstract, JSON.stringify(paper.authors), paper.year],
    ...[JSON.stringify(paper.categories), paper.chunks.length, charsOf(paper)],
  ])
  const names = put.flatMap(({ no, paper }) => [...namesOf(paper)].map(([name, version]) => [name, version, no]))
  const chunks = put.flatMap(({ no, paper }) =>
    paper.chunks.map(({ section, text }, position) => [no, position + 1, section, text]),
  )
  const marked = (terms: readonly string[]) => terms.map((term) => inCorpus(corpus.no, term)).join(' ')
  const texts = put.map(({ no, paper: { year }, indexed: { title, abstract } }) => {
    return [no, marked(title), marked(abstract), year ? yearTerm(corpus.no, year) : '']
  })
  return [
    ...jsonPages(rows).map((page) =>
      sql(
        `INSERT INTO papers (no, corpus, id, title, abstract, authors, year, categories, chunks, chars)
         SELECT value ->> 0, ?1, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6,
           value ->> 7, value ->> 8 FROM json_each(?2) WHERE true
         ON CONFLICT (no) DO UPDATE SET title = excluded.title, abstract = excluded.abstract,
           authors = excluded.authors, year = excluded.year, categories = excluded.categories,
           chunks = excluded.chunks, chars = excluded.chars`,
        corpus.no,
        page,
      ),
    ),
    ...jsonPages(names).map((page) =>
      sql(
        `INSERT INTO paper_names (corpus, name, version, paper)
         SELECT ?1, value ->> 0, value ->> 1, value ->> 2 FROM json_each(?2)`,
        corpus.no,
        page,
      ),
    ),
    ...jsonPages(chunks).map((page) =>
      sql(
        `INSERT INTO paper_chunks (paper, position, section, text)
         SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(?)`,
        page,
      ),
    ),
    ...jsonPages(texts).map((page) =>
      sql(
        `INSERT INTO paper_index (rowid, title, abstract, year)
         SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(?)`,
        page,
      ),
    ),
  ]
}
