import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { E2B_PLANS, type SandboxPlan } from '../../../src/core/limits/sandbox-plans.ts'
import { type E2bAccount, startAccount } from '../../support/e2b-account.ts'
import { SANDBOX_HOST_KEY, type Sandboxd, startSandboxd } from '../../support/sandboxd.ts'
import { startToolyard } from '../../support/toolyard.ts'

const SESSIONS = 6
/** Pause between two bare requests: they measure the machine, and must not be its load. */
const BETWEEN_MS = 50
/** Time of a bare request beyond which creations that are a second apart may arrive together. */
const STANDS_STILL_MS = 500

let sandboxd: Sandboxd
beforeAll(async () => {
  sandboxd = await startSandboxd()
})
afterAll(() => sandboxd?.stop())

const sessions = <T>(make: (number: number) => Promise<T>) =>
  Promise.all(Array.from({ length: SESSIONS }, (_, number) => make(number)))
const accountOf = async (plan: SandboxPlan): Promise<E2bAccount> => {
  const account = await startAccount(sandboxd.url, plan)
  onTestFinished(() => account.stop())
  return account
}

/** Time that the slowest bare request to a server takes while something goes on, in milliseconds. */
async function slowestBareMs(url: string, work: Promise<unknown>): Promise<number> {
  let isOver = false
  const over = () => {
    isOver = true
  }
  work.then(over, over)
  let slowest = 0
  while (!isOver) {
    const began = performance.now()
    await (await fetch(`${url}/health`)).arrayBuffer()
    await pause(BETWEEN_MS)
    slowest = Math.max(slowest, performance.now() - began - BETWEEN_MS)
  }
  return slowest
}

describe.each<[string, string, SandboxPlan]>([
  ['makes one sandbox in a second', 'hobby', E2B_PLANS.hobby],
  [
    'lets two sandboxes run',
    'running=2 creations=5 hours=1',
    { ...E2B_PLANS.hobby, running: 2, creationsPerSecond: 5 },
  ],
])('an account that %s', (_, setting, plan) => {
  it(`serves ${SESSIONS} sessions that begin at once, and never has to refuse one`, async () => {
    const account = await accountOf(plan)
    const at = { E2B_API_URL: account.url, E2B_SANDBOX_URL: sandboxd.url, E2B_API_KEY: SANDBOX_HOST_KEY }
    const { url, stop } = await startToolyard({ vars: { ...at, E2B_PLAN: setting, SANDBOX_WAIT_SECONDS: '100' } })
    onTestFinished(stop)
    const post = async (path: string, body: object = {}) =>
      (await (await fetch(`${url}${path}`, { method: 'POST', body: JSON.stringify(body) })).json()) as object
    await sessions((number) => post(`/api/task/create?task_id=s${number}&task_name=s`))
    const work = sessions((number) => {
      const params = { command: `echo ${number}` }
      return post('/api/tool/execute', { task_id: `s${number}`, tool_name: 'execute_shell', params })
    })
    const [answers, slowestMs] = await Promise.all([work, slowestBareMs(url, work)])

    // On a machine that stands still turns of seconds come together; `vitest.config.ts` has the test made again upon this message.
    const why = slowestMs > STANDS_STILL_MS ? 'answered late at the pace of this machine' : 'refusals of the account'
    expect(
      account.requests.filter(({ status }) => status >= 400),
      why,
    ).toEqual([])
    expect(answers).toMatchObject(answers.map((_, number) => ({ success: true, data: { stdout: `${number}\n` } })))
    const creations = account.requests.filter(({ method, path }) => method === 'POST' && /\/sandboxes$/.test(path))
    expect(creations).toHaveLength(SESSIONS)
  })

  it('refuses who asks it for as many at once without turns', async () => {
    const account = await accountOf(plan)
    const send = (method: string, path: string, body?: object) =>
      fetch(`${account.url}${path}`, {
        method,
        headers: { 'X-API-Key': SANDBOX_HOST_KEY, 'Content-Type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      })
    const answers = await sessions(() => send('POST', '/sandboxes', { templateID: 'base', timeout: 60 }))
    const made = answers.filter(({ ok }) => ok)
    expect(made.length).toBeLessThan(SESSIONS)
    expect(account.requests.filter(({ status }) => status === 429)).toHaveLength(SESSIONS - made.length)
    for (const answer of made) {
      const { sandboxID } = (await answer.json()) as { sandboxID: string }
      expect((await send('DELETE', `/sandboxes/${sandboxID}`)).ok).toBe(true)
    }
  })
})
