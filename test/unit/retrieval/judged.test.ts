import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ndcg, PlainBm25, recall } from '../../../bench/ranking.ts'
import { Neighbours } from '../../../src/retrieval/neighbours.ts'
import { ToolIndex } from '../../../src/retrieval/tool-index.ts'
import { type FindableTool, readable } from '../../../src/retrieval/tool-terms.ts'
import { TOOL_WEIGHTS, type ToolField, type ToolWeights } from '../../../src/retrieval/tool-weights.ts'
import { catalog } from '../../../src/tools/catalog.ts'
import type { ToolInfo } from '../../../src/tools/registry.ts'
import { isChinese, judgedQuestions, mean } from '../../support/judged-questions.ts'

const QUESTIONS = judgedQuestions('tool-questions.tsv')
const CHINESE = QUESTIONS.filter(isChinese)
const ENGLISH = QUESTIONS.filter((question) => !isChinese(question))
const NEIGHBOURS = new Neighbours(Uint8Array.from(readFileSync('src/assets/neighbours.bin')).buffer)

function findable({ name, description, inputSchema }: ToolInfo, toolkit: string): FindableTool {
  const properties = Object.entries((inputSchema.properties ?? {}) as Record<string, { description?: string }>)
  const parameters = properties.map(([name, schema]) => ({ name, description: schema.description ?? '' }))
  return { id: name, name, toolkit, description, parameters }
}

/** All tools of the server that a question finds for every tenant, and those of test/judged/registered-tools.json. */
const TOOLS: readonly FindableTool[] = [
  ...catalog.list().map((tool) => findable(tool, '')),
  ...catalog
    .toolkits()
    .filter(({ isUnlisted }) => !isUnlisted)
    .flatMap(({ name, tools }) => tools.map((tool) => findable(tool, name))),
  ...JSON.parse(readFileSync('test/judged/registered-tools.json', 'utf8')),
]

type Search = (question: string) => readonly string[]

function toolSearch(weights: ToolWeights = TOOL_WEIGHTS): Search {
  const index = new ToolIndex(NEIGHBOURS, weights)
  for (const tool of TOOLS) index.put(tool)
  return (question) => index.search(question).map(({ id }) => id)
}

function plainBm25(): Search {
  const floor = new PlainBm25()
  for (const { id, name, toolkit, description, parameters = [], category } of TOOLS) {
    const texts = [name, toolkit, description, ...parameters.flatMap(({ name, description }) => [name, description])]
    floor.add(id, readable([...texts, category].join(' ')))
  }
  return (question) => floor.search(readable(question), 10, { k1: 1.2, b: 0.75 })
}

const ndcg10 = (search: Search, questions: typeof QUESTIONS) =>
  mean(questions.map(({ question, judged }) => ndcg(search(question), judged, 10)))
const recall5 = (search: Search, questions: typeof QUESTIONS) =>
  mean(questions.map(({ question, judged }) => recall(search(question), judged, 5)))

describe('judged questions about tools', () => {
  it('are 90 or more, of both languages, and know every tool that they name', () => {
    expect(ENGLISH.length).toBeGreaterThan(50)
    expect(CHINESE.length).toBeGreaterThan(35)
    const ids = new Set(TOOLS.map(({ id }) => id))
    expect(QUESTIONS.flatMap(({ judged }) => [...judged.keys()]).filter((id) => !ids.has(id))).toEqual([])
  })

  it.each([
    ['English', ENGLISH, 0.1, 0.14],
    ['Chinese', CHINESE, 0.45, 0.45],
  ] as const)('in %s are answered better than by plain BM25', (_, questions, better, found) => {
    const [ours, floor] = [toolSearch(), plainBm25()]
    expect(ndcg10(ours, questions) - ndcg10(floor, questions)).toBeGreaterThan(better)
    expect(recall5(ours, questions) - recall5(floor, questions)).toBeGreaterThan(found)
    expect(ndcg10(ours, questions)).toBeGreaterThan(0.65)
  })

  const without = (field: ToolField) => ({
    fields: { ...TOOL_WEIGHTS.fields, [field]: { ...TOOL_WEIGHTS.fields[field], weight: 0 } },
  })
  it.each<[string, Partial<ToolWeights>, typeof QUESTIONS, number]>([
    ['words near in meaning', { neighbour: 0 }, ENGLISH, 0.05],
    ['English meanings of Chinese words in the question', { dictionary: 0 }, CHINESE, 0.4],
    ['English meanings of Chinese words in the tool', without('dictionary'), ENGLISH, 0.01],
    ['clauses', { clause: 0 }, QUESTIONS, 0],
    ['less weight of what is quoted', { quoted: 1 }, ENGLISH, 0],
    ['likeness of names', { grams: 0 }, ENGLISH, 0],
    ['less weight of single characters', { character: 1 }, CHINESE, 0],
    ['a part of the further meanings', { otherSenses: 0 }, CHINESE, 0],
    ['the name', without('name'), ENGLISH, 0.005],
    ['the description', without('description'), QUESTIONS, 0.08],
  ])('are answered worse without %s', (_, off, questions, worse) => {
    const left = toolSearch({ ...TOOL_WEIGHTS, ...off })
    expect(ndcg10(toolSearch(), questions) - ndcg10(left, questions)).toBeGreaterThan(worse)
  })
})
