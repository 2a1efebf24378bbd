import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { RANK_WEIGHTS, type RankWeights, rank } from '../../../src/papers/rank.ts'
import { type RankedText, statisticsOf } from '../../../src/papers/statistics.ts'

const text = (title: string, body: string): RankedText => ({ title: title.split(' '), body: body.split(' ') })
const filler = (from: number, count: number) => Array.from({ length: count }, (_, n) => `f${from + n}`).join(' ')

/** Number of the best text; of equals the one that stands first. */
function best(question: string, texts: readonly RankedText[], among: readonly number[], weights?: RankWeights) {
  const query = { terms: question.split(' '), more: new Map<string, number>() }
  const ranked = rank(query, texts, statisticsOf(texts), weights)
  const second = among.map((n) => ranked[n]?.second ?? 0)
  return among[second.indexOf(Math.max(...second))]
}

/** Two texts, the other one first, and further ones; `decides` is what the two differ in. */
const CASES: readonly [keyof RankWeights, string, string, readonly RankedText[]][] = [
  [
    'pairs',
    'words of the question that stand side by side in the text too',
    'neural network',
    [text('x', 'network y neural z'), text('x', 'z neural network y'), text('v', 'w u t')],
  ],
  [
    'window',
    'words of the question that stand near each other',
    'beta alpha',
    [text('x', `alpha ${filler(0, 30)} beta`), text('x', `alpha beta ${filler(0, 30)}`), text('v', 'w u t')],
  ],
  [
    'titleCoverage',
    'a title that is all in the question',
    'alpha',
    [text('beta', 'alpha gamma'), text('alpha', 'beta gamma'), text('v', 'w u t')],
  ],
  [
    'feedback',
    'words that many of the best texts have',
    'alpha',
    [
      text('x', 'alpha other p q r s t u'),
      text('x', 'alpha topic p q r s t u'),
      // The best tenth shares nothing with either; the rest of the best fifth has the topic.
      ...Array.from({ length: 5 }, (_, n) => text('alpha', `alpha alpha alpha ${filler(10 * n, 2)}`)),
      ...Array.from({ length: 6 }, (_, n) => text('alpha', `alpha alpha topic topic topic ${filler(200 + 10 * n, 2)}`)),
      ...Array.from({ length: 42 }, (_, n) => text('y', `alpha other ${filler(500 + 20 * n, 18)}`)),
    ],
  ],
  [
    'nearness',
    'likeness to several of the best texts',
    'alpha',
    [
      text('x', 'alpha other p q r s t u v w x y z a b c'),
      text('x', 'alpha topic p q r s t u v w x y z a b c'),
      // Feedback is of the best fifth, which is the first of these alone.
      text('alpha', 'alpha alpha alpha'),
      text('m', 'alpha alpha topic topic topic'),
      text('n', 'alpha alpha topic topic topic o'),
    ],
  ],
]

describe('a part of the second stage decides', () => {
  it.each(CASES)('%s: %s', (part, _, question, texts) => {
    expect(best(question, texts, [0, 1])).toBe(1)
    expect(best(question, texts, [0, 1], { ...RANK_WEIGHTS, [part]: 0 })).toBe(0)
  })
})

it('the weights are those that docs/papers.md has', () => {
  const page = readFileSync('docs/papers.md', 'utf8')
  const table = page.slice(page.indexOf('| BM25 | 1 |'), page.indexOf('In a paper the same is done'))
  const weights = [...table.matchAll(/\| ([\d.]+) \|$/gm)].map(([, weight]) => Number(weight))
  expect(weights.sort()).toEqual([1, ...Object.values(RANK_WEIGHTS)].sort())
})
