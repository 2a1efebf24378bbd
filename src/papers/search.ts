import { fail } from '../core/failure.ts'
import { JUDGED_TEXTS, MAX_PAPER_CANDIDATES, MAX_PAPER_QUERY_CHARS, NEAREST_PAPERS } from '../core/limits/papers.ts'
import type { Database } from '../ports/database.ts'
import type { AbstractQuery, DetailQuery, PapersAnswer } from '../ports/papers.ts'
import { terms } from '../retrieval/tokenize.ts'
import { candidatesByNumber, findCandidates, widened } from './candidates.ts'
import { type Corpus, corporaOf } from './corpora.ts'
import type { Embeddings } from './embeddings.ts'
import { expand } from './expansion.ts'
import { indexTerms } from './index-terms.ts'
import { type Question, type Ranked, rank } from './rank.ts'
import { contentOf, findPaper, passagesOf } from './reading.ts'
import { type RankedText, statisticsOf, type TextStatistics } from './statistics.ts'
import { hasText, textFields, textNotes } from './text-available.ts'

/** Candidates that the reranker sees at least, however few results are wanted: the best is often not among the first ten. */
const POOL = 100

interface Found {
  readonly answer: PapersAnswer
  /** The corpora as they were when it began. */
  readonly corpora: readonly Corpus[]
  /** Whether all that takes part in a search could be asked. */
  readonly whole: boolean
}

interface SearchParts {
  readonly db: Database
  readonly reader: string
  readonly embeddings: Embeddings | null
}

/**
 * Search within the limits, whatever was requested.
 * @throws FailureError `invalid_input` for text that is no year
 */
export function withinLimits<Query extends AbstractQuery | DetailQuery>(query: Query): Query {
  if ('year' in query && query.year !== undefined && !/^\d{4}$/.test(query.year)) {
    fail('invalid_input', 'the year to filter by is four digits, such as "2023"')
  }
  const k = clamp(query.k, MAX_PAPER_CANDIDATES)
  return { ...query, query: query.query.slice(0, MAX_PAPER_QUERY_CHARS).toWellFormed(), k, m: clamp(query.m, k) }
}

const clamp = (given: number, most: number) => Math.max(1, Math.min(most, Math.trunc(given) || 1))

export async function searchAbstracts(
  { db, reader, embeddings }: SearchParts,
  input: AbstractQuery,
  signal: AbortSignal,
): Promise<Found> {
  const { query, k, m, year } = input
  const filter = year === undefined ? {} : { year }
  const asking = embeddings?.nearest({ query, limit: NEAREST_PAPERS, ...filter }, reader, signal)
  const { question, vocabulary } = await expand(db, reader, query)
  const byWords = await findCandidates(db, vocabulary, [...question.terms, ...question.more.keys()], {
    pool: Math.max(k, POOL),
    ...filter,
  })
  const near = (await asking) ?? []
  const nearPapers = near.length === 0 ? [] : await candidatesByNumber(db, vocabulary, near, year)
  const papers = [...new Map([...byWords, ...nearPapers].map((paper) => [paper.no, paper])).values()]
  const texts = papers.map((paper) => {
    const { title, abstract } = indexTerms(paper)
    return { title, body: abstract }
  })
  const statistics = await widened(db, reader, vocabulary, texts)
  const nearness = new Map(nearPapers.map(({ no }, n) => [no, 1 / (1 + n / NEAR_HALF)]))
  const { best, judged } = await stages(
    { question, query, statistics, embeddings, m, signal },
    papers.map((paper, n) => ({
      item: paper,
      text: texts[n] as RankedText,
      whole: `${paper.title}\n${paper.abstract}`,
      nearness: nearness.get(paper.no) ?? 0,
    })),
  )
  const results = best.map(({ item, first, second }) => ({
    file_id: item.id,
    title: item.title,
    abstract: item.abstract,
    publish_year: item.year,
    text_available: hasText(item),
    score: rounded(first),
    rerank_score: rounded(second),
  }))
  const shown = year === undefined ? {} : { publish_year_filter: year }
  return {
    answer: { query, k, m, ...shown, total: results.length, results, ...textNotes(best.map(({ item }) => item)) },
    corpora: vocabulary.corpora,
    whole: judged && (await asking) !== null,
  }
}

export async function searchDetails(
  { db, reader, embeddings }: SearchParts,
  input: DetailQuery,
  signal: AbortSignal,
): Promise<Found> {
  const { query, k, m } = input
  const corpora = await db.rows<Corpus>(corporaOf(reader))
  const paper = await findPaper(db, reader, input.fileId)
  const passages = await passagesOf(db, paper)
  const { question } = await expand(db, reader, query)
  const texts = passages.map(({ section, text }) => ({ title: terms(section), body: terms(text) }))
  const { best, judged } = await stages(
    { question, query, statistics: statisticsOf(texts), embeddings, m, signal },
    passages.map((passage, n) => ({
      item: passage,
      text: texts[n] as RankedText,
      whole: contentOf(passage),
      nearness: 0,
    })),
  )
  const results = best.map(({ item, first, second }) => ({
    doc_id: item.docId,
    content: contentOf(item),
    score: rounded(first),
    rerank_score: rounded(second),
  }))
  const answer = { query, file_id: paper.id, k, m, total: results.length, results, ...textFields(paper) }
  return { answer, corpora, whole: judged }
}

/** Place at which the score of a paper found by vectors has fallen to half. */
const NEAR_HALF = 10
/** Weight of vectors and the judging model, where the best by words has 1. */
const NEARNESS_WEIGHT = 0.5
const JUDGEMENT_WEIGHT = 1

interface Staged<Item> {
  readonly item: Item
  readonly text: RankedText
  /** Text that the judging model reads. */
  readonly whole: string
  /** Nearness in meaning, 0 to 1. */
  readonly nearness: number
}

interface StageParts {
  readonly question: Question
  readonly query: string
  readonly statistics: TextStatistics
  readonly embeddings: Embeddings | null
  readonly m: number
  readonly signal: AbortSignal
}

/** The best `m`, best first; none that neither has a word of the query nor is near to it in meaning. */
async function stages<Item>(parts: StageParts, staged: readonly Staged<Item>[]) {
  const { question, query, statistics, embeddings, m, signal } = parts
  const ranked = rank(
    question,
    staged.map(({ text }) => text),
    statistics,
  )
  const top = Math.max(...ranked.map(({ second }) => second)) || 1
  const found = staged
    .map((one, n) => {
      const { first, second } = ranked[n] as Ranked
      return { ...one, first, second: embeddings === null ? second : second / top + NEARNESS_WEIGHT * one.nearness }
    })
    .filter(({ first, nearness }) => first > 0 || nearness > 0)
    .sort(bySecond)
  if (embeddings === null || found.length === 0) return { best: found.slice(0, m), judged: true }
  const scores = await embeddings.judge(
    query,
    found.slice(0, JUDGED_TEXTS).map(({ whole }) => whole),
    signal,
  )
  const best = found
    .map((one, n) => ({ ...one, second: one.second + JUDGEMENT_WEIGHT * (scores?.[n] ?? 0) }))
    .sort(bySecond)
    .slice(0, m)
  return { best, judged: scores !== null }
}

/** Sorting is stable: equal ones stay in the order in which they were found. */
const bySecond = (a: { first: number; second: number }, b: { first: number; second: number }) =>
  b.second - a.second || b.first - a.first

const rounded = (score: number) => Math.round(score * 10_000) / 10_000
