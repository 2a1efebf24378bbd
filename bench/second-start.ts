import { readFile } from 'node:fs/promises'
import { commandLine, descendantsOf } from '../test/support/processes.ts'
import { type OwnServer, startOwnServer } from './own-server.ts'

/** File calls before memory is read: they load what file calls need. */
const CALLS = 200

export interface SecondStart {
  /** Time from the command to the banner, in milliseconds. */
  readonly ms: number
  /**
   * Resident memory of all processes but those of sandboxes, in MiB, after file calls and a document. Pages of a program that
   * several of them run are counted once.
   */
  readonly residentMb: number
}

/** Measures the second start of `npm start`, which finds its Worker built and its tables made. */
export async function secondStart(): Promise<SecondStart> {
  const settings = { ISOLATION: 'none', SANDBOX_SPARES: '0' }
  const first = await startOwnServer(settings)
  try {
    await first.end()
    const from = performance.now()
    const second = await startOwnServer({ ...settings, TOOLYARD_STATE: first.state })
    const ms = performance.now() - from
    try {
      await someCalls(second)
      return { ms, residentMb: await residentOnceMb([second.pid, ...descendantsOf(second.pid)]) }
    } finally {
      await second.remove()
    }
  } finally {
    await first.remove()
  }
}

async function someCalls(server: OwnServer): Promise<void> {
  const call = (tool_name: string, params: object) =>
    server.send('POST', '/api/tool/execute', { task_id: 's', tool_name, params })
  await server.send('POST', '/api/task/create?task_id=s&task_name=s')
  for (let n = 0; n < CALLS; n++) await call('file_write', { file_path: 'page.html', content: `<h1>${n}</h1>` })
  await call('parse_document', { file_path: 'page.html' })
}

/** Memory of their own of all of them, and of each program once what its processes share at most. */
async function residentOnceMb(pids: readonly number[]): Promise<number> {
  const programs = new Map<string, number>()
  let ownKb = 0
  for (const pid of pids) {
    const status = await readFile(`/proc/${pid}/status`, 'utf8')
    const kb = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0)
    const [program = ''] = commandLine(pid).split(' ')
    ownKb += kb('RssAnon') + kb('RssShmem')
    programs.set(program, Math.max(programs.get(program) ?? 0, kb('RssFile')))
  }
  return [...programs.values()].reduce((sum, kb) => sum + kb, ownKb) / 1024
}
