import type { Caller } from './caller.ts'
import { compareCosts } from './measure.ts'
import type { Row } from './print.ts'
import { progress } from './progress.ts'
import { untilQuiet } from './quiet.ts'

/** Files of the workspaces; the last is measured with `--huge` only: filling it takes a minute. */
const FEW = 10
const MANY = 10_000
const HUGE = 100_000
const PER_DIRECTORY = 1_000
/** Entries of one page of a listing: MAX_LISTED_FILES. */
const PAGE = 1_000

/**
 * Measures forks, restores and listings of large workspaces, all of whose contents differ, beside those of small ones. A fork and an
 * undo are made when the server does nothing else: contents of the filling go to the blob store for minutes, and history is dropped.
 */
export async function largeWorkspaces(
  call: Caller,
  processorMs: () => number,
  { quick, huge }: { quick: boolean; huge: boolean },
): Promise<Row[]> {
  const counts = [FEW, MANY, ...(huge ? [HUGE] : [])]
  const sessions = new Map<number, Large>()
  for (const count of counts) sessions.set(count, await makeLarge(call, processorMs, count))
  const works = Object.assign({}, ...[...sessions].map(([count, { works }]) => named(works, count)))
  const costs = await compareCosts<string>(
    works,
    { rounds: quick ? 3 : 5, perRound: 1, concurrent: 1 },
    processorMs,
    progress('large workspaces'),
    async (work) => (/^(fork|undo)/.test(work) ? await untilQuiet(processorMs) : undefined),
  )
  for (const { remove } of sessions.values()) await remove()
  const costOf = (work: string, count: number) => costs[`${work} of ${count}`] ?? UNKNOWN
  const rowsOf = (work: string, count: number, moreMs: number): Row[] =>
    MEASURES.map(({ measure, what }) => ({
      what: `${work} of ${count.toLocaleString('en')} files${what}`,
      ms: costOf(work, count)[measure],
      floor: `${work} of ${FEW} files${what}`,
      floorMs: costOf(work, FEW)[measure],
      limit: { moreMs },
    }))
  const flat = (count: number): Row => ({
    what: `last page of a listing of ${count.toLocaleString('en')} files`,
    ms: costOf('last page', count).p50,
    floor: 'its first page',
    floorMs: costOf('first page', count).p50,
    limit: { ratio: 2 },
  })
  return [
    ...rowsOf('fork', MANY, 300),
    ...rowsOf('undo', MANY, 300),
    flat(MANY),
    ...(huge ? [...rowsOf('fork', HUGE, 1_000), ...rowsOf('undo', HUGE, 1_000), flat(HUGE)] : []),
  ]
}

const UNKNOWN = { p50: Number.NaN, processor: Number.NaN }
/** Time that the caller waits, and what of the processor the server's process takes for it, its local stores included. */
const MEASURES = [
  { measure: 'p50', what: '' },
  { measure: 'processor', what: ', CPU' },
] as const

interface Large {
  readonly works: Readonly<Record<string, () => Promise<unknown>>>
  remove(): Promise<void>
}

async function makeLarge(call: Caller, processorMs: () => number, count: number): Promise<Large> {
  const filled = `filled-${count}`
  await call.create(filled)
  await call.tool(filled, 'execute_shell', { command: fill(count), workdir: '.', timeout: 600 })
  // A fork copies what is not in the blob store yet, and would send it once more.
  await untilQuiet(processorMs)
  // Without a sandbox, into which what was undone would have to go before the next undo.
  const name = `large-${count}`
  await call.post(`/v1/sessions/${filled}/fork`, { name })
  await call.remove(`/v1/sessions/${filled}`)
  const at = `/v1/sessions/${name}`
  const listed = (cursor: string | null) =>
    call.get(`${at}/files?recursive=true&limit=${PAGE}${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`)
  const last = await lastCursor(listed)
  const forks: string[] = []
  const fork = async () => {
    const fork = `${name}-fork-${forks.length}`
    forks.push(fork)
    await call.post(`${at}/fork`, { name: fork })
    return fork
  }
  const undo = await undoIn(call, await fork())
  return {
    works: { 'first page': () => listed(null), 'last page': () => listed(last), fork, undo },
    async remove() {
      for (const session of [...forks, name]) await call.remove(`/v1/sessions/${session}`)
    },
  }
}

/** Undoing of the newest change, in turns: what removed all the files of a session, and the undoing of that. */
async function undoIn(call: Caller, session: string): Promise<() => Promise<void>> {
  const at = `/v1/sessions/${session}`
  const { data } = (await call.get(`${at}/history?limit=1`)) as { readonly data: readonly { commit: number }[] }
  const restore = async (commit: number) =>
    ((await call.post(`${at}/restore`, { commit })) as { readonly commit: number }).commit
  await call.answer(`${at}/files/many?recursive=true`, { method: 'DELETE' })
  let newest = await restore(data[0]?.commit ?? 0)
  // The removal was one commit. Older ones of a large workspace expire meanwhile.
  let before = newest - 1
  return async () => {
    const undone = await restore(before)
    before = newest
    newest = undone
  }
}

async function lastCursor(listed: (cursor: string | null) => Promise<unknown>): Promise<string | null> {
  let cursor: string | null = null
  for (;;) {
    const { next_cursor: next } = (await listed(cursor)) as { readonly next_cursor: string | null }
    if (next === null) return cursor
    cursor = next
  }
}

const named = (works: Large['works'], count: number) =>
  Object.fromEntries(Object.entries(works).map(([what, work]) => [`${what} of ${count}`, work]))

const fill = (count: number) =>
  `mkdir -p many; cd many; for d in {1..${Math.ceil(count / PER_DIRECTORY)}}; do mkdir $d; for i in {1..${Math.min(count, PER_DIRECTORY)}}; do echo $d $i > $d/$i.txt; done; done`
