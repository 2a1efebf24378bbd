import { MAX_MOVED_CHARS, MAX_MOVED_PAPERS, MOVED_ANSWERS_PER_BATCH } from '../core/limits/papers.ts'
import { type Database, sql } from '../ports/database.ts'
import type { MovedPapers, Paper } from '../ports/papers.ts'
import type { Semantics } from '../ports/semantics.ts'
import { embeddingsOf } from './embeddings.ts'
import { arxivParts } from './names.ts'
import { paperStore, removals } from './paper-store.ts'
import type { PaperRow } from './reading.ts'
import { corpusRows } from './removal.ts'
import { numbersWithoutPaper } from './vector-numbers.ts'

interface MoveParts {
  /** Database that papers leave. */
  readonly from: Database
  /** Database that they are put in. */
  readonly to: Database
  readonly semantics: Semantics | null
}

interface OwnedRow extends PaperRow {
  owner: string
}

/**
 * Moves the next papers of one owner to another database, or removes what is left of an owner without any. A paper that was put in
 * there meanwhile counts as the newer one. Each batch is there before it is removed here, so that it can be repeated after a crash,
 * and made twice at once.
 */
export async function movePapers(parts: MoveParts): Promise<MovedPapers> {
  const papers = await nextPapers(parts.from)
  if (papers.length > 0) await moveBatch(parts, papers)
  const done = papers.length === 0 && !(await cleared(parts.from))
  const [left] = await parts.from.rows<{ papers: number }>(
    sql('SELECT coalesce(sum(papers), 0) AS papers FROM paper_corpora'),
  )
  return { moved: papers.length, remaining: left?.papers ?? 0, done }
}

/** The next papers of one owner, as many as one batch takes. */
async function nextPapers(from: Database): Promise<OwnedRow[]> {
  const rows = await from.rows<OwnedRow>(
    sql(
      `SELECT papers.*, owner FROM papers JOIN paper_corpora ON paper_corpora.no = papers.corpus
       WHERE papers.corpus = (SELECT min(corpus) FROM papers) ORDER BY papers.no LIMIT ${MAX_MOVED_PAPERS}`,
    ),
  )
  let chars = 0
  const end = rows.findIndex((row) => {
    chars += row.title.length + row.abstract.length + row.authors.length + row.categories.length + row.chars
    return chars > MAX_MOVED_CHARS
  })
  return end === -1 ? rows : rows.slice(0, Math.max(end, 1))
}

async function moveBatch({ from, to, semantics }: MoveParts, rows: readonly OwnedRow[]): Promise<void> {
  const { owner, corpus } = rows[0] as OwnedRow
  const embeddings = semantics && embeddingsOf(semantics)
  const store = paperStore({ db: to, owner, embeddings, isLimited: false, keepsOld: true })
  await store.put(await wholePapers(from, rows))

  const numbers = rows.map(({ no }) => no)
  const list = JSON.stringify(numbers)
  await embeddings?.remove((await numbersWithoutPaper(to, numbers)).map(String))
  await from.batch([
    ...removals(numbers),
    sql('DELETE FROM papers WHERE no IN (SELECT value FROM json_each(?))', list),
    sql(
      `UPDATE paper_corpora SET epoch = epoch + 1, papers = (SELECT count(*) FROM papers WHERE corpus = ?1)
       WHERE no = ?1`,
      corpus,
    ),
  ])
}

/** The papers with their texts and other names, without those that another move has removed meanwhile. */
async function wholePapers(from: Database, rows: readonly OwnedRow[]): Promise<Paper[]> {
  const list = JSON.stringify(rows.map(({ no }) => no))
  // At one moment: a paper whose texts are gone already would be put in without them.
  const [left, names, chunks] = (await from.batch([
    sql('SELECT no FROM papers WHERE no IN (SELECT value FROM json_each(?))', list),
    sql('SELECT paper, name FROM paper_names WHERE paper IN (SELECT value FROM json_each(?))', list),
    sql(
      `SELECT paper, section, text FROM paper_chunks WHERE paper IN (SELECT value FROM json_each(?))
       ORDER BY paper, position`,
      list,
    ),
  ])) as [{ no: number }[], { paper: number; name: string }[], { paper: number; section: string; text: string }[]]
  const there = new Set(left.map(({ no }) => no))
  const namesOfPaper = byPaper(names)
  const chunksOfPaper = byPaper(chunks)
  const present = rows.filter(({ no }) => there.has(no))
  return present.map(({ no, id, title, abstract, authors, year, categories }) => ({
    fileId: id,
    aliases: aliasesOf(
      id,
      namesOfPaper(no).map(({ name }) => name),
    ),
    title,
    abstract,
    authors: JSON.parse(authors) as string[],
    year,
    categories: JSON.parse(categories) as string[],
    chunks: chunksOfPaper(no).map(({ section, text }) => ({ section, text })),
  }))
}

function byPaper<Row extends { readonly paper: number }>(rows: readonly Row[]): (no: number) => readonly Row[] {
  const lists = new Map<number, Row[]>()
  for (const row of rows) {
    const list = lists.get(row.paper)
    if (list) list.push(row)
    else lists.set(row.paper, [row])
  }
  return (no) => lists.get(no) ?? []
}

/** Names that were given to a paper, without those that follow from others. */
function aliasesOf(id: string, names: readonly string[]): string[] {
  const implied = new Set(
    [id, ...names].map((name) => arxivParts(name)).flatMap((parts) => (parts?.version == null ? [] : [parts.name])),
  )
  return names.filter((name) => !implied.has(name))
}

/** Removes something of what owners without papers leave. @returns whether there was something */
async function cleared(from: Database): Promise<boolean> {
  const [corpus] = await from.rows<{ owner: string }>(sql('SELECT owner FROM paper_corpora LIMIT 1'))
  if (corpus) return corpusRows({ db: from, owner: corpus.owner, semantics: null }).removeSome()
  const answers = await from.rows(
    sql(
      `DELETE FROM paper_answers WHERE rowid IN (SELECT rowid FROM paper_answers LIMIT ${MOVED_ANSWERS_PER_BATCH})
       RETURNING 1 AS removed`,
    ),
  )
  if (answers.length > 0) return true
  await from.rows(sql('DELETE FROM paper_readers'))
  return false
}
