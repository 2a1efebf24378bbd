import type { Caller } from './caller.ts'
import { processorMsBelow } from './processor.ts'

/** Commands per second, and the time of all processors that each took. */
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
 * The aims are of two processors that have nothing else to do.
 */
export async function shellCalls(
  call: Caller,
  quick: boolean,
  progress: (done: number) => void,
): Promise<Throughput[]> {
  const tasks = Array.from({ length: SESSIONS }, (_, n) => `shell-${n}`)
  for (const task of tasks) {
    await call.create(task)
    await call.tool(task, 'execute_shell', { command: 'true' })
  }
  const shell = (task = '') => call.tool(task, 'execute_shell', { command: 'true' })
  const sdk = () => call.post('/floor/run/shells', { command: 'true' })
  await sdk()
  const works = [
    { what: 'commands.run true, 1 caller', callers: 1, work: sdk, aim: null },
    { what: 'execute_shell true, 1 caller', callers: 1, work: () => shell(tasks[0]), aim: aimOf(100) },
    { what: `one session, ${SESSIONS} callers`, callers: SESSIONS, work: () => shell(tasks[0]), aim: aimOf(150) },
    {
      what: `${SESSIONS} sessions, one caller each`,
      callers: SESSIONS,
      work: (caller: number) => shell(tasks[caller]),
      aim: aimOf(250),
    },
  ]
  const rows: Throughput[] = []
  for (const { what, callers, work, aim } of works) {
    rows.push({ what, ...(await throughput(work, callers, quick ? 200 : 800)), aim })
    progress(rows.length / works.length)
  }
  await call.remove('/floor/run/shells')
  for (const task of tasks) await call.remove(`/api/task/${task}`)
  return rows
}

export function printShells(rows: readonly Throughput[]): void {
  console.log('\n| commands | a second | aim | processor time of each, ms | aim |')
  console.log('|---|---|---|---|---|')
  for (const { what, perSecond, processorMs, aim } of rows) {
    const aims = aim ? [`${aim.perSecond}`, `${aim.processorMs}`] : ['', '']
    console.log(`| ${what} | ${perSecond.toFixed(0)} | ${aims[0]} | ${processorMs.toFixed(1)} | ${aims[1]} |`)
  }
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
