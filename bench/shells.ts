import { compare } from './measure.ts'
import { processorMsBelow } from './processor.ts'

/** What the bench asks its server for. */
export interface ShellCaller {
  create(task: string): Promise<unknown>
  tool(task: string, tool: string, params: object): Promise<unknown>
  post(path: string, body: unknown): Promise<unknown>
  remove(path: string): Promise<unknown>
}

/** How many commands a second there were, and what each took of all processors. */
export interface Throughput {
  readonly what: string
  readonly perSecond: number
  readonly processorMs: number
  readonly aim: { readonly perSecond: number; readonly processorMs: number } | null
}

const SESSIONS = 8
const PROCESSOR_MS = 6

/**
 * Commands that do nothing: by the bare SDK, by one caller, by eight in one session, and by one in each of eight sessions.
 * Throughput and processor time are of a machine that has nothing else to do; the ratio of the first two is of any.
 */
export async function shellCalls(
  call: ShellCaller,
  quick: boolean,
  progress: (what: string) => (done: number) => void,
) {
  const tasks = Array.from({ length: SESSIONS }, (_, n) => `shell-${n}`)
  for (const task of tasks) {
    await call.create(task)
    await call.tool(task, 'execute_shell', { command: 'true' })
  }
  const shell = (task = '') => call.tool(task, 'execute_shell', { command: 'true' })
  const sdk = () => call.post('/floor/run/shells', { command: 'true' })
  await sdk()
  const size = { rounds: quick ? 4 : 12, perRound: 25, concurrent: 1 }
  const times = await compare({ sdk, shell: () => shell(tasks[0]) }, size, progress('one shell beside the SDK'))
  const calls = quick ? 200 : 800
  const rows: Throughput[] = [
    { what: 'commands.run true, 1 caller', ...(await throughput(sdk, 1, calls)), aim: null },
    { what: 'execute_shell true, 1 caller', ...(await throughput(() => shell(tasks[0]), 1, calls)), aim: aimOf(100) },
    {
      what: `one session, ${SESSIONS} callers`,
      ...(await throughput(() => shell(tasks[0]), SESSIONS, calls)),
      aim: aimOf(150),
    },
    {
      what: `${SESSIONS} sessions, one caller each`,
      ...(await throughput((caller) => shell(tasks[caller]), SESSIONS, calls)),
      aim: aimOf(250),
    },
  ]
  await call.remove('/floor/run/shells')
  return { ratio: times.shell / times.sdk, rows }
}

const aimOf = (perSecond: number) => ({ perSecond, processorMs: PROCESSOR_MS })

async function throughput(work: (caller: number) => Promise<unknown>, callers: number, calls: number) {
  const usedMs = await processorMsBelow()
  const start = performance.now()
  const left = { count: calls }
  await Promise.all(
    Array.from({ length: callers }, async (_, caller) => {
      while (left.count-- > 0) await work(caller)
    }),
  )
  const ms = performance.now() - start
  return { perSecond: (calls / ms) * 1000, processorMs: ((await processorMsBelow()) - usedMs) / calls }
}
