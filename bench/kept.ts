import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../test/support/free-port.ts'
import { commandLine, descendantsOf, residentMb } from '../test/support/processes.ts'

const CALLERS = 32
/** Afterwards V8 has collected several times. */
const WARM_UP_CALLS = 4_000

export interface Kept {
  /** Growth of the Worker's resident memory, in KiB for each further call. */
  readonly callKb: number
  /** Resident memory of the Worker at the end, in MiB. */
  readonly workerMb: number
  /** Size of a session's database when it is closed, in KiB. */
  readonly sessionKb: number
}

/** Measures the memory and disk that calls and sessions keep in a server as `npm start` runs it. */
export async function whatIsKept(quick: boolean, progress: (done: number) => void): Promise<Kept> {
  const state = await mkdtemp(join(tmpdir(), 'toolyard-bench-'))
  const port = await freePort()
  const server = spawn(process.execPath, ['scripts/start.mjs'], {
    env: { ...process.env, PORT: `${port}`, SANDBOXD_PORT: '0', ISOLATION: 'none', TOOLYARD_STATE: state },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    await banner(server)
    const url = `http://127.0.0.1:${port}`
    const sessions = quick ? 50 : 200
    for (let n = 0; n < sessions; n++) await post(url, `/api/task/create?task_id=s${n}&task_name=s`)
    const worker = descendantsOf(server.pid ?? 0).find((pid) => commandLine(pid).includes('--socket-fd=api='))
    if (worker === undefined) throw new Error('the server has no worker')
    const calls = quick ? 4_000 : 16_000
    await manyCalls(url, WARM_UP_CALLS, (done) => progress((done * WARM_UP_CALLS) / (WARM_UP_CALLS + calls)))
    const before = residentMb(worker)
    await manyCalls(url, calls, (done) => progress((WARM_UP_CALLS + done * calls) / (WARM_UP_CALLS + calls)))
    const workerMb = residentMb(worker)
    await end(server)
    return {
      callKb: ((workerMb - before) * 1024) / calls,
      workerMb,
      sessionKb: await medianKb(join(state, 'worker/v3/do/toolyard-SessionObject')),
    }
  } finally {
    await end(server)
    await rm(state, { recursive: true })
  }
}

async function manyCalls(url: string, count: number, progress: (done: number) => void): Promise<void> {
  let made = 0
  const caller = async () => {
    while (made < count) {
      const params = { file_path: `a${made++ % 50}.txt`, content: 'x'.repeat(100) }
      await post(url, '/api/tool/execute', { task_id: 's0', tool_name: 'file_write', params })
      if (made % 1_000 === 0) progress(made / count)
    }
  }
  await Promise.all(Array.from({ length: CALLERS }, caller))
}

export async function post(url: string, path: string, body?: object): Promise<void> {
  const headers = { 'Content-Type': 'application/json' }
  const answer = await fetch(url + path, { method: 'POST', headers, ...(body && { body: JSON.stringify(body) }) })
  const { success, error } = (await answer.json()) as { readonly success: boolean; readonly error?: string }
  if (!success) throw new Error(`${path}: ${error}`)
}

/** Waits until the server has said that it runs. */
export async function banner(server: ChildProcess): Promise<void> {
  let said = ''
  await new Promise<void>((resolve, reject) => {
    server.stdout?.on('data', (chunk) => {
      said += chunk
      if (said.includes('Ctrl-C stops it')) resolve()
    })
    server.once('exit', () => reject(new Error(`the server did not start:\n${said}`)))
  })
}

export async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  server.kill('SIGTERM')
  await once(server, 'exit')
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
