import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ToolIndex } from '../../../src/retrieval/tool-index.ts'
import { TOOL_WEIGHTS, type ToolWeights } from '../../../src/retrieval/tool-weights.ts'

type Tools = Readonly<Record<string, string>>

/** @param tools descriptions by name */
function search(tools: Tools, question: string, off: Partial<ToolWeights> = {}) {
  const index = new ToolIndex(undefined, { ...TOOL_WEIGHTS, ...off })
  for (const [name, description] of Object.entries(tools)) index.put({ id: name, name, description })
  return index.search(question)
}

describe('a part of the ranking decides', () => {
  it.each<[string, Partial<ToolWeights>, { tools: Tools; question: string; first: string; otherwise: string }]>([
    [
      'words side by side: what stands so in both is meant',
      { pairs: 0 },
      {
        tools: { apply: 'card with a limit of credit', bank: 'limit of a credit card' },
        question: 'my credit card',
        ...{ first: 'bank', otherwise: 'apply' },
      },
    ],
    [
      'letters of names: words of one family that have no stem in common',
      { grams: 0 },
      {
        tools: { painting_gallery: 'pictures of a person', photo_gallery: 'pictures of a person' },
        question: 'photographs: pictures of her',
        ...{ first: 'photo_gallery', otherwise: 'painting_gallery' },
      },
    ],
    [
      'the share of the name: a name that is all in the question',
      { nameShare: 0 },
      {
        tools: { weather_archive_export: 'weather weather of years', weather: 'for a city' },
        question: 'the weather',
        ...{ first: 'weather', otherwise: 'weather_archive_export' },
      },
    ],
    [
      'other clauses: a tool that answers something of each',
      { otherClauses: 0 },
      {
        tools: { hotel: 'calendar weather city', ticket: 'flight room', price: 'flight mail price' },
        question: 'price weather hotel and then price flight',
        ...{ first: 'price', otherwise: 'hotel' },
      },
    ],
    [
      'a clear lead in a clause',
      { clauseLead: 0 },
      {
        tools: { city: 'price', weather: 'ticket', hotel: 'room weather song' },
        question: 'ticket weather and then hotel city',
        ...{ first: 'weather', otherwise: 'hotel' },
      },
    ],
    [
      'the power below 1: many terms that fit, over one rare one',
      { flattening: 1 },
      {
        tools: { song: 'song room city', weather: 'city room', flight: 'hotel ticket' },
        question: 'hotel city room',
        ...{ first: 'weather', otherwise: 'flight' },
      },
    ],
  ])('%s', (_, off, { tools, question, first, otherwise }) => {
    expect(search(tools, question)[0]?.id).toBe(first)
    expect(search(tools, question, off)[0]?.id).toBe(otherwise)
  })

  it('characters of two words that happen to stand side by side count less than a word', () => {
    const scoreOf = (off?: Partial<ToolWeights>) =>
      search({ 题目: '考试', 新闻: '频道' }, '新闻标题目录', off).find(({ id }) => id === '题目')?.score ?? 0
    expect(scoreOf()).toBeGreaterThan(0)
    expect(scoreOf()).toBeLessThan(0.9 * scoreOf({ acrossWords: 1 }))
  })
})

it('the weights are those that docs/retrieval.md has', () => {
  const { clause, grams, pairs, nameShare } = TOOL_WEIGHTS
  const page = readFileSync('docs/retrieval.md', 'utf8')
  expect(page).toContain(`**Score** = A + ${clause} B + ${grams} G + ${pairs} P + ${nameShare} C.`)
})
