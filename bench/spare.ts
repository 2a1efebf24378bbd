import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { commandLine, descendantsOf, listeningOf, proportionalMb } from '../test/support/processes.ts'
import { startOwnServer } from './own-server.ts'

export interface SpareTimes {
  /** p50 in milliseconds of a task's first command: in a spare sandbox, and in one that is made for it. */
  readonly spare: number
  readonly cold: number
  /** p50 in milliseconds of a task's second command. */
  readonly warm: number
  /** Memory of the processes of a spare sandbox, each page by who shares it, in KiB. */
  readonly memoryKb: number
}

/** Measures what a spare sandbox saves and costs, in a server as `npm start` runs it. */
export async function spareSandboxes(quick: boolean, progress: (done: number) => void): Promise<SpareTimes> {
  const server = await startOwnServer({ SANDBOX_SPARES: '1' })
  try {
    const host = descendantsOf(server.pid).find((pid) => commandLine(pid).includes('sandboxd/main.ts'))
    if (host === undefined) throw new Error('the server has no sandbox host')
    // A sandbox is made and prepared in a tenth of this time.
    const isThere = async () => {
      while (!(await hasSpare(listeningOf(host)[0] ?? '', server.state))) await pause(50)
      await pause(2_000)
    }
    await isThere()
    const memoryKb = descendantsOf(host).reduce((total, pid) => total + proportionalMb(pid) * 1024, 0)
    const times = { spare: [] as number[], cold: [] as number[], warm: [] as number[] }
    const rounds = quick ? 4 : 8
    for (let round = 0; round < rounds; round++) {
      const tasks = { spare: `spare-${round}`, cold: `cold-${round}` }
      for (const task of Object.values(tasks)) {
        await server.send('POST', `/api/task/create?task_id=${task}&task_name=${task}`)
      }
      const run = async (task: string, into: number[]) => {
        const params = { command: 'true' }
        const start = performance.now()
        await server.send('POST', '/api/tool/execute', { task_id: task, tool_name: 'execute_shell', params })
        // The first round warms up.
        if (round > 0) into.push(performance.now() - start)
      }
      await run(tasks.spare, times.spare)
      await run(tasks.spare, times.warm)
      await run(tasks.cold, times.cold)
      for (const task of Object.values(tasks)) await server.send('DELETE', `/api/task/${task}`)
      await isThere()
      progress((round + 1) / rounds)
    }
    return { spare: p50(times.spare), cold: p50(times.cold), warm: p50(times.warm), memoryKb }
  } finally {
    await server.remove()
  }
}

/** Whether there is a sandbox that no task took: taken ones went with their tasks. */
async function hasSpare(address: string, state: string): Promise<boolean> {
  const headers = { 'X-API-Key': readFileSync(join(state, 'sandboxd-key'), 'utf8').trim() }
  const answer = await fetch(`http://${address}/v2/sandboxes?state=running&metadata=spare%3Dtrue`, { headers })
  return ((await answer.json()) as unknown[]).length > 0
}

const p50 = (times: readonly number[]) => [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0
