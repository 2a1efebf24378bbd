import type { Caller } from './caller.ts'
import type { DirectWorker } from './direct-worker.ts'
import { compareCosts, type Work } from './measure.ts'
import type { CountedRows } from './row-counter.ts'

type Cost = Awaited<ReturnType<typeof compareCosts>>[string]

/** Cost of one file tool, beside the least that a call can be on this platform: a route, an object, one insert. */
export interface EdgeCost {
  readonly what: string
  readonly callers: number
  readonly cost: Cost
  readonly floor: Cost
  /** Rows of one call, counted until its answer. Rows of the blob store, seconds later, come on top. */
  readonly rows: CountedRows
  readonly floorRows: CountedRows
}

const COUNTED_CALLS = 40

/** Costs of calls that need no sandbox, in the process and on the socket where the floor is measured. */
export async function edgeCosts(
  worker: DirectWorker,
  call: Caller,
  quick: boolean,
  progress: (what: string) => (done: number) => void,
): Promise<EdgeCost[]> {
  const works = await worksOf(call)
  const tools = Object.keys(works).filter((name) => name !== 'floor')
  const rows = new Map<string, CountedRows>()
  for (const [name, work] of Object.entries(works)) rows.set(name, await rowsOf(call, work))

  const costs: EdgeCost[] = []
  for (const callers of [1, 32]) {
    const size = { rounds: quick ? 4 : 16, perRound: callers === 1 ? 50 : 320, concurrent: callers }
    const progressed = progress(`edge calls, ${callers} at once`)
    const measured = await compareCosts<string>(works, size, worker.processorMs, progressed)
    for (const what of tools) {
      const [cost, floor, own, least] = [measured[what], measured.floor, rows.get(what), rows.get('floor')]
      if (cost && floor && own && least) costs.push({ what, callers, cost, floor, rows: own, floorRows: least })
    }
  }
  return costs
}

async function worksOf(call: Caller): Promise<Record<string, Work>> {
  await call.create('bench')
  const content = 'x'.repeat(100)
  await call.tool('bench', 'file_write', { file_path: 'notes/read.txt', content })
  let written = 0
  const node = await call.node()
  await node.execute('FileSystemEnv_write_to_file', { filepath: 'notes/read.txt', content })
  return {
    floor: () => call.post('/floor/insert', { text: content }),
    // Each time another content: the same one again would not have to be kept.
    file_write: () =>
      call.tool('bench', 'file_write', { file_path: `notes/w${written % 50}.txt`, content: `${written++} ${content}` }),
    file_read: () => call.tool('bench', 'file_read', { file_path: 'notes/read.txt' }),
    dir_list: () => call.tool('bench', 'dir_list', { dir_path: 'config' }),
    write_to_file: () =>
      node.execute('FileSystemEnv_write_to_file', {
        filepath: 'w.txt',
        content: `${written++} ${content}`,
        truncating: true,
      }),
    read_from_file: () => node.execute('FileSystemEnv_read_from_file', { filepath: 'notes/read.txt' }),
  }
}

async function rowsOf(call: Caller, work: Work): Promise<CountedRows> {
  await work(0)
  await call.post('/floor/rows/start', {})
  for (let made = 0; made < COUNTED_CALLS; made++) await work(0)
  const { read, written } = (await call.post('/floor/rows/stop', {})) as CountedRows
  return { read: read / COUNTED_CALLS, written: written / COUNTED_CALLS }
}
