/**
 * How well and how fast tools are found: `npm run bench:retrieval -- DIR` for a folder with corpus.jsonl
 * (`{_id, title, text}`), queries.jsonl (`{_id, text}`) and qrels.tsv (query-id, corpus-id, score; a header line).
 * It goes through the ToolFinder that answers /retrieving_tools. `--parts` also leaves out each part of the ranking in
 * turn. Last comes one line of JSON: `{set, ndcg5, ndcg10, recall5, comp5, ms_per_query}`.
 */
import { readFileSync, statSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ToolFinder } from '../src/http/tool-finder.ts'
import { Neighbours } from '../src/retrieval/neighbours.ts'
import { ToolIndex } from '../src/retrieval/tool-index.ts'
import { type FindableTool, readable, toolTerms } from '../src/retrieval/tool-terms.ts'
import { TOOL_WEIGHTS, type ToolWeights } from '../src/retrieval/tool-weights.ts'
import { documentsOf, judgedQueries } from './judged-set.ts'
import { complete, type Judgements, ndcg, PlainBm25, recall } from './ranking.ts'
import { toolOfText } from './tool-text.ts'

const DEPTH = 10
const FLOOR = { k1: 1.2, b: 0.75 }
/** Number of tools for which less than 20 ms is promised. */
const MANY_TOOLS = 5_000
const TIMED_QUERIES = 300

interface Query {
  readonly text: string
  readonly judged: Judgements
}
type Measure = 'ndcg5' | 'ndcg10' | 'recall5' | 'comp5'
const MEASURES: Readonly<Record<Measure, (ids: readonly string[], judged: Judgements) => number>> = {
  ndcg5: (ids, judged) => ndcg(ids, judged, 5),
  ndcg10: (ids, judged) => ndcg(ids, judged, 10),
  recall5: (ids, judged) => recall(ids, judged, 5),
  comp5: (ids, judged) => complete(ids, judged, 5),
}
const NAMES = Object.keys(MEASURES) as Measure[]

const neighbours = new Neighbours(Uint8Array.from(readFileSync('src/assets/neighbours.bin')).buffer)
try {
  await main()
} catch (thrown) {
  console.error(thrown instanceof Error ? thrown.message : thrown)
  process.exitCode = 1
}

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { parts: { type: 'boolean' } } })
  const [given] = positionals
  if (!given || !statSync(given, { throwIfNoEntry: false })?.isDirectory()) {
    throw new Error(`${given ? `There is no folder ${given}. ` : ''}Usage: npm run bench:retrieval -- DIR [--parts]`)
  }
  const directory = resolve(given)
  const queries = await judgedQueries(directory)
  const tools: FindableTool[] = []
  const floor = new PlainBm25()
  for await (const { id, title, text } of documentsOf(directory)) {
    tools.push(toolOfText(id, title, text))
    floor.add(id, readable(`${title} ${text}`))
  }
  if (tools.length === 0) throw new Error('corpus.jsonl has no documents')

  const { found, times } = await searchAll('searching', await finderOf(tools), queries)
  const ours = judge(queries, found)
  const plain = judge(
    queries,
    queries.map(({ text }) => floor.search(readable(text), DEPTH, FLOOR)),
  )
  console.log(`${basename(directory)}: ${tools.length} tools, ${queries.length} judged queries`)
  console.log(`\n${''.padEnd(24)}${NAMES.map((name) => name.padStart(9)).join('')}`)
  console.log(row('plain BM25', plain))
  console.log(row('tool search', ours))
  if (values.parts) await reportParts(tools, queries, ours)
  await reportSpeed(tools, queries, times)
  const rounded = Object.fromEntries(NAMES.map((name) => [name, round(mean(ours[name]), 4)]))
  console.log(JSON.stringify({ set: basename(directory), ...rounded, ms_per_query: round(mean(times), 3) }))
}

type Search = (question: string) => Promise<readonly string[]>

/** Search as in the endpoint, with the tools indexed before. */
async function finderOf(tools: readonly FindableTool[]): Promise<Search> {
  const finder = new ToolFinder(async () => neighbours)
  await finder.findByWords(tools, '', DEPTH)
  return (question) => finder.findByWords(tools, question, DEPTH)
}

/** Index with other weights than the endpoint's. */
function indexOf(tools: readonly FindableTool[], weights: ToolWeights): Search {
  const index = new ToolIndex(neighbours, weights)
  for (const tool of tools) index.put(tool)
  return async (question) => index.search(question, { limit: DEPTH }).map(({ id }) => id)
}

async function searchAll(what: string, search: Search, queries: readonly Query[]) {
  const found: (readonly string[])[] = []
  const times: number[] = []
  for (const [n, { text }] of queries.entries()) {
    const start = performance.now()
    const ids = await search(text)
    times.push(performance.now() - start)
    found.push(ids)
    progress(what, n + 1, queries.length)
  }
  return { found, times }
}

/** Each measure's value for each query. */
type Judged = Readonly<Record<Measure, readonly number[]>>

function judge(queries: readonly Query[], found: readonly (readonly string[])[]): Judged {
  const values = (of: (typeof MEASURES)[Measure]) => queries.map(({ judged }, n) => of(found[n] ?? [], judged))
  return {
    ndcg5: values(MEASURES.ndcg5),
    ndcg10: values(MEASURES.ndcg10),
    recall5: values(MEASURES.recall5),
    comp5: values(MEASURES.comp5),
  }
}

/** The difference that leaving out a part makes, and the 95 % interval of its mean over the queries. */
async function reportParts(tools: readonly FindableTool[], queries: readonly Query[], whole: Judged): Promise<void> {
  const { fields } = TOOL_WEIGHTS
  const noDictionary = { ...fields, dictionary: { ...fields.dictionary, weight: 0 } }
  const parts: Record<string, Partial<ToolWeights>> = {
    neighbours: { neighbour: 0 },
    dictionary: { dictionary: 0, fields: noDictionary },
    'best meaning': { otherSenses: 1 },
    'edges of words': { acrossWords: 1 },
    quotations: { quoted: 1 },
    clauses: { clause: 0 },
    'other clauses': { otherClauses: 0, clauseLead: 0 },
    'grams of names': { grams: 0 },
    pairs: { pairs: 0 },
    'share of names': { nameShare: 0 },
    flattening: { flattening: 1 },
  }
  console.log('\nleft out')
  for (const [part, changed] of Object.entries(parts)) {
    const { found } = await searchAll(part, indexOf(tools, { ...TOOL_WEIGHTS, ...changed }), queries)
    const without = judge(queries, found)
    const cells = NAMES.map((name) => {
      const differences = without[name].map((value, n) => value - (whole[name][n] ?? 0))
      const average = mean(differences)
      const variance = mean(differences.map((difference) => (difference - average) ** 2))
      const half = 1.96 * Math.sqrt(variance / differences.length)
      return `${average < 0 ? '−' : '+'}${Math.abs(average).toFixed(3)} ±${half.toFixed(3)}`
    })
    console.log(`${part.padEnd(16)}${cells.map((cell) => cell.padStart(16)).join('')}`)
  }
}

/** The set's own tools, and as many copies of them as make MANY_TOOLS. */
async function reportSpeed(
  tools: readonly FindableTool[],
  queries: readonly Query[],
  times: readonly number[],
): Promise<void> {
  const many = Array.from({ length: MANY_TOOLS }, (_, n) => {
    const tool = tools[n % tools.length] as FindableTool
    return n < tools.length ? tool : { ...tool, id: `${tool.id}#copy-${n}` }
  })
  const start = performance.now()
  const prepared = many.map(toolTerms)
  const read = performance.now() - start
  const index = new ToolIndex(neighbours)
  for (const tool of prepared) index.put(tool)
  const built = performance.now() - start - read
  const step = Math.max(1, Math.floor(queries.length / TIMED_QUERIES))
  const some = queries.filter((_, n) => n % step === 0).slice(0, TIMED_QUERIES)
  const searchMany = await finderOf(many)
  const manyTimes = (await searchAll(`searching ${MANY_TOOLS} tools`, searchMany, some)).times
  console.log(`\nms per query            p50 ${at(times, 0.5)}, p95 ${at(times, 0.95)}, longest ${at(times, 1)}`)
  console.log(
    `among ${MANY_TOOLS} tools        p50 ${at(manyTimes, 0.5)}, p95 ${at(manyTimes, 0.95)}, longest ${at(manyTimes, 1)}; ` +
      `${Math.round(read)} ms to read them, ${Math.round(built)} ms to index what was read`,
  )
}

function row(name: string, judged: Judged): string {
  return `${name.padEnd(24)}${NAMES.map((measure) => mean(judged[measure]).toFixed(4).padStart(9)).join('')}`
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits))
}

function at(times: readonly number[], part: number): number {
  return round([...times].sort((a, b) => a - b)[Math.ceil(times.length * part) - 1] ?? 0, 2)
}

/** On a terminal, one line that is written over. */
function progress(what: string, done: number, total: number): void {
  if (!process.stderr.isTTY) return
  const bar = '█'.repeat(Math.round((done / total) * 30)).padEnd(30, '░')
  process.stderr.write(`\r\u001b[K${what} ${bar} ${done} of ${total}${done === total ? '\n' : ''}`)
}
