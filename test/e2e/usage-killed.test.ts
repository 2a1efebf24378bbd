import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type KillableWorker, startKillableWorker } from '../support/killable-worker.ts'
import { scratchDirectory } from '../support/sandboxd.ts'
import { type StandIn, startStandIn } from '../support/stand-in.ts'

const SESSIONS = ['one', 'two', 'three', 'four', 'five', 'six']
const CALLERS = 24
const CALLS = 300

/** Numbers of the calls that the service of the tool was asked for. */
const served = new Set<number>()
let whenServed: () => void = () => undefined
let service: StandIn
let state: string
const workers: KillableWorker[] = []

beforeAll(async () => {
  service = await startStandIn(({ body }) => {
    const { n } = JSON.parse(body).args
    served.add(n)
    whenServed()
    if (n % 7 === 0) return { status: 500, body: 'no' }
    return (response) => void setTimeout(() => response.end(JSON.stringify({ n })), n % 40)
  })
  state = await scratchDirectory()
})
afterAll(async () => {
  for (const worker of workers) await worker.kill()
  await service?.stop()
  if (state) await rm(state, { recursive: true, force: true })
})

it('use and audit log say what the sessions’ histories say, when the Worker is killed amid hundreds of calls of all tools', async () => {
  const first = await startWorker()
  await first.send('PUT', '/v1/tools/registered/counted', {
    ...{ name: 'counted', description: 'Is counted.', input_schema: {} },
    executor: { kind: 'http', target: `${service.url}/run` },
  })
  for (const name of SESSIONS) await first.send('POST', `/api/task/create?task_id=${name}&task_name=${name}`)
  const halfway = new Promise<void>((resolve) => {
    whenServed = () => served.size >= CALLS / 2 && resolve()
  })
  const before = callAll(first, 0)
  await halfway
  await first.kill()
  const answered = await before

  const second = await startWorker()
  const after = await callAll(second, CALLS)
  expect(after).toHaveLength(CALLS)

  // Ends that were not told are told by each session's next call, or its alarm.
  await expect.poll(() => second.unequal()).toEqual([])
  const { total } = await second.usage('tool=counted')
  const worked = served.size - [...served].filter((n) => n % 7 === 0).length
  expect(total.calls).toBeGreaterThanOrEqual(answered.length + after.length)
  expect(total.calls - (total.reasons.lost ?? 0)).toBeLessThanOrEqual(served.size)
  expect(total.calls - total.failed).toBeLessThanOrEqual(worked)
  // What was not answered when it was killed is all that can be missing.
  expect(served.size - total.calls).toBeLessThanOrEqual(CALLERS)

  const entries = (await (await fetch(`${second.url}/v1/audit/export`)).text()).trim().split('\n')
  const calls = entries.map((line) => JSON.parse(line)).filter(({ action }) => action === 'tool.call')
  expect(calls.filter(({ subject }) => subject === 'counted')).toHaveLength(total.calls)
  const all = (await second.usage('')).total
  expect(all.calls).toBeGreaterThan(total.calls + CALLS)
  expect(calls.reduce((sum, { count }) => sum + count, 0)).toBe(all.calls)
  const { stdout } = await promisify(execFile)(process.execPath, ['scripts/audit-verify.mjs', '--url', second.url])
  expect(stdout).toContain(`${entries.length} entries are as they were written`)
})

interface Used {
  readonly calls: number
  readonly failed: number
  readonly reasons: Readonly<Record<string, number>>
}

async function startWorker() {
  const worker = await startKillableWorker(state, { DANGEROUSLY_ALLOW_HOSTS: service.host })
  workers.push(worker)
  const send = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${worker.url}${path}`, { method, ...(body && { body: JSON.stringify(body) }) })
    if (!answer.ok) throw new Error(`${path} is answered ${answer.status}: ${await answer.text()}`)
    return (await answer.json()) as Record<string, unknown>
  }
  const usage = async (query: string) =>
    (await send('GET', `/v1/usage?${query}`)) as unknown as { total: Used; data: (Used & { session: string })[] }

  return {
    url: worker.url,
    kill: worker.kill,
    send,
    usage,
    /** Sessions of which use says another thing than their history. */
    async unequal() {
      const { data: groups } = await usage('group_by=session')
      const reported = new Map(groups.map(({ session, calls, failed }) => [session, { calls, failed }]))
      const unequal = []
      for (const name of SESSIONS) {
        const history = await historyOf(send, name)
        const used = reported.get(name)
        if (used?.calls !== history.calls || used.failed !== history.failed) unequal.push({ name, used, history })
      }
      return unequal
    },
  }
}

async function historyOf(send: (method: string, path: string) => Promise<Record<string, unknown>>, session: string) {
  let [calls, failed] = [0, 0]
  let cursor = ''
  for (;;) {
    const page = await send('GET', `/v1/sessions/${session}/calls?limit=100${cursor}`)
    for (const { state } of page.data as { state: string }[]) {
      calls += 1
      if (state !== 'done') failed += 1
    }
    if (page.next_cursor === null) return { calls, failed }
    cursor = `&cursor=${page.next_cursor}`
  }
}

/** With each call of the tenant's tool one of the server's: it writes a file, or fails. @returns numbers of answered calls of the tenant's */
async function callAll({ url }: KillableWorker, from: number): Promise<readonly number[]> {
  const answered: number[] = []
  let next = from
  const call = async () => {
    while (next < from + CALLS) {
      const n = next++
      const session = SESSIONS[n % SESSIONS.length]
      const send = (tool: string, args: object) =>
        fetch(`${url}/v1/sessions/${session}/calls`, { method: 'POST', body: JSON.stringify({ tool, args }) }).catch(
          () => null,
        )
      const own = n % 2 === 0 ? send('file_write', { file_path: 'n', content: `${n}` }) : send('file_read', {})
      const answer = await send('counted', { n })
      await (await own)?.text().catch(() => null)
      if (answer?.status === 200 && (await answer.json().catch(() => null)) !== null) answered.push(n)
    }
  }
  await Promise.all(Array.from({ length: CALLERS }, call))
  return answered
}
