import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { commandLine, descendantsOf, residentMb } from '../test/support/processes.ts'
import { type OwnServer, startOwnServer } from './own-server.ts'

const CALLERS = 32
/** Afterwards V8 has collected several times. */
const WARM_UP_CALLS = 4_000

/** Small files of each session, whose contents stay in its database. */
const FILES = 5

export interface Kept {
  /** Growth of the Worker's resident memory, in KiB for each further call. */
  readonly callKb: number
  /** Resident memory of the Worker at the end, in MiB. */
  readonly workerMb: number
  /** Disk of a session with five small files when it is closed, in KiB: its database. */
  readonly sessionKb: number
}

/** Measures the memory and disk that calls and sessions keep in a server as `npm start` runs it. */
export async function whatIsKept(quick: boolean, progress: (done: number) => void): Promise<Kept> {
  const server = await startOwnServer({ ISOLATION: 'none', SANDBOX_SPARES: '0' })
  try {
    const sessions = quick ? 50 : 200
    for (let n = 0; n < sessions; n++) {
      await server.send('POST', `/api/task/create?task_id=s${n}&task_name=s`)
      for (let file = 0; file < FILES; file++) await server.send('POST', '/api/tool/execute', smallFile(`s${n}`, file))
    }
    const worker = descendantsOf(server.pid).find((pid) => commandLine(pid).includes('--socket-fd=api='))
    if (worker === undefined) throw new Error('the server has no worker')
    const calls = quick ? 4_000 : 16_000
    await manyCalls(server, WARM_UP_CALLS, (done) => progress((done * WARM_UP_CALLS) / (WARM_UP_CALLS + calls)))
    const before = residentMb(worker)
    await manyCalls(server, calls, (done) => progress((WARM_UP_CALLS + done * calls) / (WARM_UP_CALLS + calls)))
    const workerMb = residentMb(worker)
    await server.end()
    return {
      callKb: ((workerMb - before) * 1024) / calls,
      workerMb,
      sessionKb: await medianKb(join(server.state, 'worker/v3/do/toolyard-SessionObject')),
    }
  } finally {
    await server.remove()
  }
}

const smallFile = (task_id: string, file: number) => ({
  task_id,
  tool_name: 'file_write',
  params: { file_path: `${file}.txt`, content: `${task_id} ${file}` },
})

async function manyCalls(server: OwnServer, count: number, progress: (done: number) => void): Promise<void> {
  let made = 0
  const caller = async () => {
    while (made < count) {
      const params = { file_path: `a${made++ % 50}.txt`, content: 'x'.repeat(100) }
      await server.send('POST', '/api/tool/execute', { task_id: 's0', tool_name: 'file_write', params })
      if (made % 1_000 === 0) progress(made / count)
    }
  }
  await Promise.all(Array.from({ length: CALLERS }, caller))
}

/** Middle size of the databases in a directory, with what belongs to them. */
async function medianKb(directory: string): Promise<number> {
  const sizes = new Map<string, number>()
  for (const name of await readdir(directory)) {
    const [id = ''] = name.split('.')
    sizes.set(id, (sizes.get(id) ?? 0) + (await stat(join(directory, name))).size / 1024)
  }
  return [...sizes.values()].sort((a, b) => a - b)[Math.floor(sizes.size / 2)] ?? 0
}
