/**
 * How well and how fast our own paper service finds: `npm run bench:papers -- DIR` for a folder with corpus.jsonl
 * (`{_id, title, text}`), queries.jsonl (`{_id, text}`) and qrels.tsv (query, document, grade; a header line), or
 * `npm run bench:papers -- --synthetic 100000` for speed alone. Both go through the code that serves
 * rag_search_abstracts, in workerd and on a D1, and no question is answered from memory. Last comes one line of JSON:
 * `{set, ndcg5, ndcg10, recall5, recall10, ms_per_query}`.
 */
import { statSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { createTestHarness } from 'wrangler'
import type { Paper } from '../src/ports/papers.ts'
import { paper } from '../test/support/papers.ts'
import { documentsOf, judgedQueries } from './judged-set.ts'
import { synthetic } from './papers-synthetic.ts'
import type { SearchRequest } from './papers-worker.ts'
import { ndcg, PlainBm25, recall } from './ranking.ts'

const BATCH_PAPERS = 500
const BATCH_CHARS = 4_000_000
/** Counts of a search: enough for recall at ten. */
const COUNTS = { k: 20, m: 10 }
const FLOORS = [
  { k1: 1.2, b: 0.75 },
  { k1: 0.9, b: 0.4 },
]
const SYNTHETIC_QUERIES = 100

const [given, count] = process.argv.slice(2)
const size = given === '--synthetic' ? Number(count ?? 100_000) : 0
if (!given || (given === '--synthetic' ? !(size > 0) : !statSync(given, { throwIfNoEntry: false })?.isDirectory())) {
  console.error(
    `${given ? `There is no folder ${given}. ` : ''}Usage: npm run bench:papers -- DIR | --synthetic [COUNT]`,
  )
  process.exit(2)
}

try {
  // Read before anything is started: a folder that is none is said at once.
  const queries = size > 0 ? [] : await judgedQueries(resolve(given))
  if (size === 0 && (await documentsOf(resolve(given)).next()).done) throw new Error('corpus.jsonl has no documents')
  await withService((service) =>
    size > 0 ? measureSpeed(service, size) : measureSet(service, resolve(given), queries),
  )
} catch (thrown) {
  console.error(thrown instanceof Error ? thrown.message : thrown)
  process.exitCode = 1
}

async function withService(work: (service: Service) => Promise<void>): Promise<void> {
  // Miniflare would otherwise ask Cloudflare for its location.
  process.env.CLOUDFLARE_CF_FETCH_ENABLED ??= 'false'
  const harness = createTestHarness({ workers: [{ configPath: './bench/papers.toml' }] })
  try {
    const { url } = await harness.listen()
    await harness.getWorker().applyD1Migrations('DB' as never)
    await work(serviceAt(url))
  } finally {
    await harness.close()
  }
}

type Service = ReturnType<typeof serviceAt>
type JudgedQuery = Awaited<ReturnType<typeof judgedQueries>>[number]

function serviceAt(url: URL) {
  let count = 0
  const post = async (path: string, body: unknown) => {
    const response = await fetch(new URL(path, url), { method: 'POST', body: JSON.stringify(body) })
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${(await response.text()).slice(0, 500)}`)
    return response.json()
  }
  return {
    put: (papers: readonly Paper[]) => post('/put', papers),
    async search(query: string): Promise<{ ids: string[]; ms: number }> {
      const request: SearchRequest = { reader: `reader-${count++}`, query, ...COUNTS }
      const start = performance.now()
      const ids = await post('/search', request)
      return { ids: ids as string[], ms: performance.now() - start }
    },
  }
}

async function load(service: Service, papers: AsyncIterable<Paper> | Iterable<Paper>, total: number | null) {
  const show = progress('loading')
  const start = performance.now()
  let loaded = 0
  let batch: Paper[] = []
  let chars = 0
  const send = async () => {
    await service.put(batch)
    loaded += batch.length
    batch = []
    chars = 0
    show(loaded, total)
  }
  for await (const paper of papers) {
    batch.push(paper)
    chars += paper.title.length + paper.abstract.length
    if (batch.length === BATCH_PAPERS || chars > BATCH_CHARS) await send()
  }
  if (batch.length > 0) await send()
  const seconds = (performance.now() - start) / 1000
  console.log(`${loaded} papers loaded in ${seconds.toFixed(1)} s (${Math.round(loaded / seconds)} a second)`)
}

async function measureSet(service: Service, directory: string, queries: readonly JudgedQuery[]): Promise<void> {
  const floor = new PlainBm25()
  // A paper's id is bounded and has no blanks at its ends; a set may call its documents anything.
  const ids: string[] = []
  const papers = async function* () {
    for await (const document of documentsOf(directory)) {
      floor.add(document.id, `${document.title} ${document.text}`)
      ids.push(document.id)
      const { title, text } = document
      yield paper(`document-${ids.length - 1}`, title || (text ? '' : '(empty)'), text)
    }
  }
  await load(service, papers(), null)

  const show = progress('searching')
  const found: string[][] = []
  const times: number[] = []
  for (const [n, { text }] of queries.entries()) {
    const { ids: numbers, ms } = await service.search(text)
    found.push(numbers.map((id) => ids[Number(id.slice('document-'.length))] ?? ''))
    times.push(ms)
    show(n + 1, queries.length)
  }
  const ours = measures(queries, found)
  console.log(`\n${queries.length} judged queries            nDCG@5  nDCG@10  recall@5  recall@10`)
  for (const setting of FLOORS) {
    const plain = queries.map(({ text }) => floor.search(text, COUNTS.m, setting))
    console.log(row(`BM25, k1 ${setting.k1}, b ${setting.b}`, measures(queries, plain)))
  }
  console.log(row('paper service', ours))
  console.log(`\nms per query: p50 ${at(times, 0.5)}, p95 ${at(times, 0.95)}, longest ${at(times, 1)}`)
  const mean = times.reduce((sum, ms) => sum + ms, 0) / times.length
  console.log(JSON.stringify({ set: basename(directory), ...ours, ms_per_query: rounded(mean) }))
}

async function measureSpeed(service: Service, papers: number): Promise<void> {
  const made = synthetic(1)
  const all = function* () {
    for (let n = 0; n < papers; n++) yield made.paper(n)
  }
  await load(service, all(), papers)
  const kinds = Object.entries(made.queries)
  const times = new Map<string, number[]>(kinds.map(([kind]) => [kind, []]))
  const show = progress('searching')
  for (let n = 0; n < SYNTHETIC_QUERIES; n++) {
    for (const [kind, query] of kinds) times.get(kind)?.push((await service.search(query())).ms)
    show(n + 1, SYNTHETIC_QUERIES)
  }
  console.log('\nms per query              p50     p95   longest')
  for (const [kind, ms] of times) {
    console.log(`${kind.padEnd(20)} ${[0.5, 0.95, 1].map((part) => String(at(ms, part)).padStart(8)).join('')}`)
  }
  const searches = [...times.values()].flat()
  const mean = searches.reduce((sum, ms) => sum + ms, 0) / searches.length
  console.log(
    JSON.stringify({
      set: `synthetic-${papers}`,
      p50: at(searches, 0.5),
      p95: at(searches, 0.95),
      ms_per_query: rounded(mean),
    }),
  )
}

interface Measures {
  readonly ndcg5: number
  readonly ndcg10: number
  readonly recall5: number
  readonly recall10: number
}

function measures(queries: readonly JudgedQuery[], found: readonly (readonly string[])[]): Measures {
  const mean = (of: typeof ndcg, k: number) =>
    rounded(queries.reduce((sum, { judged }, n) => sum + of(found[n] ?? [], judged, k), 0) / queries.length)
  return { ndcg5: mean(ndcg, 5), ndcg10: mean(ndcg, 10), recall5: mean(recall, 5), recall10: mean(recall, 10) }
}

function row(name: string, { ndcg5, ndcg10, recall5, recall10 }: Measures): string {
  return `${name.padEnd(28)} ${[ndcg5, ndcg10, recall5, recall10].map((value) => value.toFixed(4).padStart(8)).join(' ')}`
}

function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000
}

/** The value below which this part of them lies. */
function at(times: readonly number[], part: number): number {
  return Math.round(([...times].sort((a, b) => a - b)[Math.ceil(times.length * part) - 1] ?? 0) * 10) / 10
}

/** On a terminal, one line that is written over. */
function progress(what: string): (done: number, total: number | null) => void {
  return (done, total) => {
    if (!process.stderr.isTTY) return
    const part = total === null ? '' : ` of ${total} ${'█'.repeat(Math.round((done / total) * 30)).padEnd(30, '░')}`
    process.stderr.write(`\r\u001b[K${what} ${done}${part}${done === total ? '\n' : ''}`)
  }
}
