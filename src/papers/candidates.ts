import { MAX_PAPER_QUERY_TERMS } from '../core/limits/papers.ts'
import { type Database, type DatabaseRow, type Statement, sql } from '../ports/database.ts'
import { type Corpus, PUBLIC, VISIBLE } from './corpora.ts'
import { inCorpus, yearTerm } from './index-terms.ts'
import { type RankedText, type TextStatistics, textStatistics } from './statistics.ts'

export interface CandidateRow extends DatabaseRow {
  no: number
  id: string
  title: string
  abstract: string
  year: string | null
  /** Number of chunks of its text; 0 when only the abstract is known. */
  chunks: number
}

/** Vocabulary: what a reader's corpora know of some terms. */
export interface Vocabulary {
  readonly corpora: readonly Corpus[]
  /** Over all of the reader's corpora. */
  readonly statistics: TextStatistics
  /** Number of papers of one corpus in which a term stands; for the terms that were looked up. */
  frequencyIn(corpus: Corpus, term: string): number
}

export interface TermRow extends DatabaseRow {
  corpus: number
  term: string
  papers: number
}

export const termsOf = (reader: string, terms: Iterable<string>): Statement =>
  sql(
    `SELECT corpus, term, papers FROM paper_terms
     WHERE corpus IN ${VISIBLE} AND term IN (SELECT value FROM json_each(?2))`,
    reader,
    JSON.stringify([...new Set(terms)]),
  )

export function vocabularyFrom(corpora: readonly Corpus[], rows: readonly TermRow[]): Vocabulary {
  const perCorpus = new Map(rows.map(({ corpus, term, papers }) => [inCorpus(corpus, term), papers]))
  return {
    corpora,
    statistics: statisticsFrom(corpora, rows),
    frequencyIn: ({ no }, term) => perCorpus.get(inCorpus(no, term)) ?? 0,
  }
}

/**
 * Vocabulary with the candidates' terms too. Only terms that some candidates share are looked up: one in a single candidate
 * brings none nearer to another, and counts as rare.
 */
export async function widened(
  db: Database,
  reader: string,
  { statistics }: Vocabulary,
  texts: readonly RankedText[],
): Promise<TextStatistics> {
  const standing = new Map<string, number>()
  for (const { title, body } of texts) {
    for (const term of new Set([...title, ...body])) standing.set(term, (standing.get(term) ?? 0) + 1)
  }
  // Terms in the order of the table, so that those on one of its pages are read together.
  const shared = [...standing]
    .filter(([, count]) => count > 1)
    .map(([term]) => term)
    .sort()
  // One text for all: thousands of rows would take longer to carry than to find.
  const [row] = await db.rows<{ counts: string | null }>(
    sql(
      `SELECT group_concat(papers) AS counts FROM (
         SELECT coalesce((SELECT sum(papers) FROM paper_terms WHERE corpus IN ${VISIBLE} AND term = wanted.value), 0) AS papers
         FROM json_each(?2) AS wanted ORDER BY wanted.key)`,
      reader,
      JSON.stringify(shared),
    ),
  )
  const counts = new Map((row?.counts ?? '').split(',').map((papers, n) => [shared[n] ?? '', Number(papers)]))
  const rare = 1 + statistics.texts * RARE_PART
  return textStatistics({
    ...statistics,
    frequency: (term) => counts.get(term) || statistics.frequency(term) || rare,
  })
}

/** Share of all papers that a term which was not looked up is taken to stand in. */
const RARE_PART = 1 / 2_000

function statisticsFrom(corpora: readonly Corpus[], rows: readonly TermRow[]): TextStatistics {
  const counts = new Map<string, number>()
  for (const { term, papers } of rows) counts.set(term, (counts.get(term) ?? 0) + papers)
  const sum = (of: (corpus: Corpus) => number) => corpora.reduce((total, corpus) => total + of(corpus), 0)
  const texts = sum(({ papers }) => papers)
  return textStatistics({
    texts,
    averageLength: sum(({ terms }) => terms) / (texts || 1),
    frequency: (term) => counts.get(term) ?? 0,
  })
}

/** The papers of all of a reader's corpora that FTS5 ranks first for these terms, at most `pool` of each corpus. */
export async function findCandidates(
  db: Database,
  { corpora, statistics, frequencyIn }: Vocabulary,
  query: Iterable<string>,
  { pool, year }: { readonly pool: number; readonly year?: string },
): Promise<CandidateRow[]> {
  const own = corpora.find(({ owner }) => owner !== PUBLIC)
  /** The terms that the corpus has, the rarest first. */
  const known = (corpus: Corpus): KnownTerm[] =>
    [...new Set(query)]
      .map((term) => ({
        term: inCorpus(corpus.no, term),
        papers: frequencyIn(corpus, term),
        weight: statistics.weight(term),
      }))
      .filter(({ papers }) => papers > 0)
      .sort((a, b) => b.weight - a.weight)
      .slice(0, MAX_PAPER_QUERY_TERMS)
  const statements: Statement[] = []
  for (const corpus of corpora) {
    const match = matchExpression(corpus, known(corpus), year)
    if (match !== null) statements.push(search(match, pool, corpus === own ? null : (own ?? null)))
  }
  return (await db.batch(statements)).flat() as CandidateRow[]
}

interface KnownTerm {
  /** Term as in the index. */
  readonly term: string
  readonly papers: number
  readonly weight: number
}

/**
 * Papers that FTS5 scores for one query: some 8 ms. Every paper with any of the terms would be many times as many where
 * one of them is a common word; so those with the rarer terms are scored, by the common ones too.
 */
const SCORED_PAPERS = 8_000
/** Common terms that take part in the score: reading where they stand costs a millisecond each. */
const COMMON_TERMS = 6

function matchExpression(corpus: Corpus, terms: readonly KnownTerm[], year: string | undefined): string | null {
  if (terms.length === 0) return null
  const words = `{title abstract} : (${wordsExpression(corpus, terms)})`
  return year === undefined ? words : `(year : "${yearTerm(corpus.no, year)}") AND (${words})`
}

function wordsExpression(corpus: Corpus, terms: readonly KnownTerm[]): string {
  const { length } = withinBudget(terms)
  if (length === terms.length) return either(terms)
  const chosen = length > 0 ? terms.slice(0, length) : together(corpus, terms)
  const common = terms.slice(chosen.length, chosen.length + COMMON_TERMS)
  const must = length > 0 ? either(chosen) : chosen.map(quoted).join(' AND ')
  // The second half is true of all that the first is true of: it only brings the common terms into the score.
  return common.length === 0 ? must : `(${must}) AND (${either([...chosen, ...common])})`
}

/** The rarest terms, as many as stand in few enough papers together. */
function withinBudget(terms: readonly KnownTerm[]): readonly KnownTerm[] {
  let papers = 0
  const end = terms.findIndex((term) => {
    papers += term.papers
    return papers > SCORED_PAPERS
  })
  return end < 0 ? terms : terms.slice(0, end)
}

/** Rarest of terms that are all common: enough of them that few papers are likely to have them all. */
function together({ papers }: Corpus, terms: readonly KnownTerm[]): readonly KnownTerm[] {
  let expected = papers
  const end = terms.findIndex((term) => {
    expected *= term.papers / (papers || 1)
    return expected <= SCORED_PAPERS
  })
  return end < 0 ? terms : terms.slice(0, end + 1)
}

const either = (terms: readonly KnownTerm[]) => terms.map(quoted).join(' OR ')

/** A term in quotation marks, in which everything is a word to FTS5; no term has such a mark in it. */
const quoted = ({ term }: KnownTerm) => `"${term}"`

/** Papers by their numbers, in this order, as far as the reader may see them. */
export async function candidatesByNumber(
  db: Database,
  { corpora }: Vocabulary,
  numbers: readonly string[],
  year: string | undefined,
): Promise<CandidateRow[]> {
  const own = corpora.find(({ owner }) => owner !== PUBLIC)
  return db.rows<CandidateRow>(
    sql(
      `SELECT papers.no, papers.id, papers.title, papers.abstract, papers.year, papers.chunks
       FROM json_each(?1) AS wanted CROSS JOIN papers ON papers.no = CAST(wanted.value AS INTEGER)
       WHERE papers.corpus IN (SELECT value FROM json_each(?2)) AND (?3 IS NULL OR papers.year = ?3)
         AND (papers.corpus = ?4 OR NOT EXISTS (
           SELECT 1 FROM papers AS own WHERE own.corpus = ?4 AND own.id = papers.id))
       ORDER BY wanted.key`,
      JSON.stringify(numbers),
      JSON.stringify(corpora.map(({ no }) => no)),
      year ?? null,
      own?.no ?? null,
    ),
  )
}

/** Statement of a search. @param hiding a corpus whose papers hide those of the same id */
function search(match: string, pool: number, hiding: Corpus | null): Statement {
  return sql(
    `SELECT papers.no, papers.id, papers.title, papers.abstract, papers.year, papers.chunks
     FROM (SELECT rowid, bm25(paper_index, 2.0, 1.0, 0.0) AS rank FROM paper_index
       WHERE paper_index MATCH ?1 ORDER BY rank LIMIT ?2) AS found
     CROSS JOIN papers ON papers.no = found.rowid
     WHERE NOT EXISTS (SELECT 1 FROM papers AS own WHERE own.corpus = ?3 AND own.id = papers.id)
     ORDER BY found.rank`,
    match,
    pool,
    hiding?.no ?? null,
  )
}
