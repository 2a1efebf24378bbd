import { type Database, type DatabaseRow, sql } from '../ports/database.ts'

/** Owner of the papers that everybody sees. A tenant's id is never empty. */
export const PUBLIC = ''

/** A row of `paper_corpora`. */
export interface Corpus extends DatabaseRow {
  no: number
  owner: string
  epoch: number
  next_paper: number
  papers: number
  chunks: number
  terms: number
}

/** Numbers of papers in one corpus: their sum with the corpus number stays an exact integer in JavaScript. */
export const PAPERS_PER_CORPUS = 2 ** 31

/** Numbers of the corpora of a reader, `?1`: the public one and its own. */
export const VISIBLE = `(SELECT no FROM paper_corpora WHERE owner IN ('', ?1))`

export const corporaOf = (reader: string) =>
  sql(`SELECT * FROM paper_corpora WHERE owner IN ('', ?1) ORDER BY owner`, reader)

/** Changes whenever one of the corpora does that a reader sees; `?1` is the reader. */
export const EPOCHS = `(SELECT group_concat(no || ':' || epoch) FROM
  (SELECT no, epoch FROM paper_corpora WHERE owner IN ('', ?1) ORDER BY no))`

/** Epochs as {@link EPOCHS} gives them. */
export const epochsOf = (corpora: readonly Corpus[]) =>
  [...corpora]
    .sort((a, b) => a.no - b.no)
    .map(({ no, epoch }) => `${no}:${epoch}`)
    .join(',')

/** Makes the owner's corpus where there is none. */
export async function ownCorpus(db: Database, owner: string): Promise<Corpus> {
  const [, found] = await db.batch([
    sql('INSERT INTO paper_corpora (owner) VALUES (?) ON CONFLICT DO NOTHING', owner),
    sql('SELECT * FROM paper_corpora WHERE owner = ?', owner),
  ])
  return found?.[0] as Corpus
}
