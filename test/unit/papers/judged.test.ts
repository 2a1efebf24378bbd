import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { ndcg, PlainBm25, recall } from '../../../bench/ranking.ts'
import { tenantId } from '../../../src/core/ids.ts'
import { findCandidates, widened } from '../../../src/papers/candidates.ts'
import { expand } from '../../../src/papers/expansion.ts'
import { indexTerms } from '../../../src/papers/index-terms.ts'
import { paperLibrary } from '../../../src/papers/library.ts'
import { RANK_WEIGHTS, type RankWeights, rank } from '../../../src/papers/rank.ts'
import { NodeDatabase } from '../../support/database-node.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { isChinese, judgedQuestions, mean } from '../../support/judged-questions.ts'
import { paper } from '../../support/papers.ts'

const QUESTIONS = judgedQuestions('paper-questions.tsv')
const PAPERS = readFileSync('corpus/starter.jsonl', 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((line) => JSON.parse(line))
  .map(({ id, title, abstract }) => paper(id, title, abstract))
const READER = tenantId('acme')

interface Found {
  readonly file_id: string
  readonly score: number
}
type Ranking = readonly (readonly string[])[]

const db = new NodeDatabase(readFileSync('migrations/0002_papers.sql', 'utf8'))
/** Papers found for each question, as they are served. */
let served: (readonly Found[])[]
const idsOf = (found: readonly Found[]) => found.map(({ file_id }) => file_id)

beforeAll(async () => {
  const library = (reader: typeof READER | null) => paperLibrary({ db, reader, clock: fakeClock(), semantics: null })
  await library(null).put(PAPERS)
  served = []
  for (const { question: query } of QUESTIONS) {
    const { results } = await library(READER).searchAbstracts({ query, k: 100, m: 100 }, new AbortController().signal)
    served.push(results as Found[])
  }
})

function score(ranking: Ranking, wanted: 'English' | 'Chinese' | 'all', measure = ndcg, depth = 10) {
  const values = QUESTIONS.flatMap((question, n) =>
    wanted === 'all' || (wanted === 'Chinese') === isChinese(question)
      ? [measure(ranking[n] ?? [], question.judged, depth)]
      : [],
  )
  return mean(values)
}

/** What is found with other weights of the second stage, and without other words for those of the question. */
async function rankedBy(weights: RankWeights, { otherWords = true } = {}): Promise<Ranking> {
  const ranking: string[][] = []
  for (const { question: text } of QUESTIONS) {
    const { question: expanded, vocabulary } = await expand(db, READER, text)
    const question = otherWords ? expanded : { ...expanded, more: new Map<string, number>() }
    const found = await findCandidates(db, vocabulary, [...question.terms, ...question.more.keys()], { pool: 100 })
    const texts = found.map(indexTerms).map(({ title, abstract }) => ({ title, body: abstract }))
    const ranked = rank(question, texts, await widened(db, READER, vocabulary, texts), weights)
    const rows = found.map(({ id }, n) => ({ id, first: ranked[n]?.first ?? 0, second: ranked[n]?.second ?? 0 }))
    const best = rows.filter(({ first }) => first > 0).sort((a, b) => b.second - a.second || b.first - a.first)
    ranking.push(best.map(({ id }) => id))
  }
  return ranking
}

describe('judged questions about the starter papers', () => {
  it('are 80 or more, of both languages, and know every paper that they name', () => {
    expect(QUESTIONS.filter((question) => !isChinese(question)).length).toBeGreaterThanOrEqual(50)
    expect(QUESTIONS.filter(isChinese).length).toBeGreaterThan(30)
    const ids = new Set(PAPERS.map(({ fileId }) => fileId))
    expect(QUESTIONS.flatMap(({ judged }) => [...judged.keys()]).filter((id) => !ids.has(id))).toEqual([])
  })

  it.each([
    ['English', 0.005],
    ['Chinese', 0.6],
  ] as const)('in %s are answered better than by plain BM25', (language, better) => {
    const floor = new PlainBm25()
    for (const { fileId, title, abstract } of PAPERS) floor.add(fileId, `${title} ${abstract}`)
    const ours = score(served.map(idsOf), language)
    for (const setting of [
      { k1: 1.2, b: 0.75 },
      { k1: 0.9, b: 0.4 },
    ]) {
      const plain = QUESTIONS.map(({ question }) => floor.search(question, 10, setting))
      expect(ours - score(plain, language)).toBeGreaterThan(better)
    }
    expect(ours).toBeGreaterThan(0.8)
    expect(score(served.map(idsOf), language, recall, 5)).toBeGreaterThan(0.85)
  })

  it('are answered worse in the order of the first stage', () => {
    const first = served.map((found) => idsOf([...found].sort((a, b) => b.score - a.score)))
    expect(score(served.map(idsOf), 'all') - score(first, 'all')).toBeGreaterThan(0.008)
    expect(score(served.map(idsOf), 'all', ndcg, 1) - score(first, 'all', ndcg, 1)).toBeGreaterThan(0.02)
  })

  it.each(['likelihood', 'titleCoverage'] as const)('are answered worse without the part %s', async (part) => {
    const whole = await rankedBy(RANK_WEIGHTS)
    expect(whole).toEqual(served.map(idsOf))
    const without = await rankedBy({ ...RANK_WEIGHTS, [part]: 0 })
    expect(score(whole, 'all') - score(without, 'all')).toBeGreaterThan(0.005)
  })

  it('in Chinese are answered worse without the English meanings of their words', async () => {
    const without = await rankedBy(RANK_WEIGHTS, { otherWords: false })
    expect(score(served.map(idsOf), 'Chinese') - score(without, 'Chinese')).toBeGreaterThan(0.6)
  })
})
