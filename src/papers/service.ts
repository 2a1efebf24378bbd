import {
  MAX_CACHED_ANSWERS,
  MAX_PAPER_CANDIDATES,
  MAX_PAPER_QUERY_CHARS,
  MAX_PAPERS_PER_PUT,
  PAPER_CACHE_MS,
} from '../core/limits/papers.ts'
import { type Database, sql } from '../ports/database.ts'
import type { PapersAnswer } from '../ports/papers.ts'
import { type Corpus, corporaOf, PUBLIC, VISIBLE } from './corpora.ts'

const VERSION = '1.0'

/** Counts over what the reader sees; an own paper that hides a public one is counted once. */
export async function stats(db: Database, reader: string): Promise<PapersAnswer> {
  const shown = `papers WHERE corpus IN ${VISIBLE} AND NOT EXISTS (
    SELECT 1 FROM papers AS own JOIN paper_corpora ON paper_corpora.no = own.corpus
    WHERE ?1 <> '' AND paper_corpora.owner = ?1 AND own.corpus <> papers.corpus AND own.id = papers.id)`
  const [totals, years, index, corpora] = (await db.batch([
    sql(
      `SELECT count(*) AS papers, coalesce(sum(chunks), 0) AS chunks, coalesce(sum(chunks > 0), 0) AS with_text
       FROM ${shown}`,
      reader,
    ),
    sql(`SELECT year, count(*) AS papers FROM ${shown} AND year IS NOT NULL GROUP BY year ORDER BY year`, reader),
    sql(
      `SELECT (SELECT count(DISTINCT term) FROM paper_terms WHERE corpus IN ${VISIBLE}) AS terms,
         (SELECT count(DISTINCT short) FROM paper_short_forms WHERE corpus IN ${VISIBLE}) AS abbreviations`,
      reader,
    ),
    corporaOf(reader),
  ])) as [PapersAnswer[], { year: string; papers: number }[], PapersAnswer[], Corpus[]]
  const of = (owner: string) => corpora.find((corpus) => corpus.owner === owner)?.papers ?? 0
  return {
    ...totals[0],
    public_papers: of(PUBLIC),
    own_papers: reader === PUBLIC ? 0 : of(reader),
    years: Object.fromEntries(years.map(({ year, papers }) => [year, papers])),
    index: { ...index[0] },
  }
}

export async function health(db: Database, reader: string, semantic: boolean): Promise<PapersAnswer> {
  try {
    const corpora = await db.rows<Corpus>(corporaOf(reader))
    const papers = corpora.reduce((sum, corpus) => sum + corpus.papers, 0)
    const missing = papers === 0 ? ['papers: none were loaded yet'] : []
    return { status: papers === 0 ? 'empty' : 'healthy', papers, semantic_search: semantic, missing }
  } catch {
    return { status: 'unavailable', papers: null, semantic_search: semantic, missing: ['the database does not answer'] }
  }
}

export const info = (semantic: boolean): PapersAnswer => ({
  name: 'Toolyard papers',
  version: VERSION,
  languages: ['en', 'zh'],
  ranking: {
    first_stage: 'BM25 (SQLite FTS5) over title and abstract, or over the chunks of one paper',
    second_stage: 'reranking by fields and phrases',
    semantic_search: semantic,
  },
  limits: {
    query_chars: MAX_PAPER_QUERY_CHARS,
    k: MAX_PAPER_CANDIDATES,
    papers_per_put: MAX_PAPERS_PER_PUT,
    cached_answers: MAX_CACHED_ANSWERS,
    cache_seconds: PAPER_CACHE_MS / 1000,
  },
})
