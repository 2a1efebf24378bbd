import { setTimeout as pause } from 'node:timers/promises'
import { SANDBOX_HOST_KEY } from '../test/support/sandboxd.ts'
import { type Caller, caller } from './caller.ts'
import { PRICES } from './prices.ts'

export interface WarmPoolTimes {
  /** p50 in milliseconds of a new session's first command: in a sandbox of its tenant's warm pool, and in one that is made for it. */
  readonly warm: number
  readonly cold: number
  /** List price of one sandbox that waits for an hour. */
  readonly dollarsAnHour: number
}

/**
 * Measures what a warm pool of one sandbox saves its tenant, beside a tenant without a pool in the same server, which has no spares for
 * any session.
 */
export async function warmPool(
  url: URL,
  adminToken: string,
  hostUrl: string,
  quick: boolean,
  progress: (done: number) => void,
): Promise<WarmPoolTimes> {
  const admin = caller(url, adminToken)
  const [warm, cold] = [await newTenant(url, admin), await newTenant(url, admin)]
  const headers = { 'Content-Type': 'application/json' }
  await admin.answer(`/admin/tenants/${warm.id}`, { method: 'PATCH', headers, body: '{"warm_sandboxes": 1}' })
  const times = { warm: [] as number[], cold: [] as number[] }
  const rounds = quick ? 4 : 7
  let used: string | undefined
  for (let round = 0; round <= rounds; round++) {
    const waiting = await nextOf(hostUrl, warm.id, used)
    const first = async (tenant: typeof warm) => {
      const session = `first-${round}`
      await tenant.call.post('/v1/sessions', { name: session })
      const start = performance.now()
      const answer = await tenant.call.post(`/v1/sessions/${session}/calls`, OWN_ID)
      return { ms: performance.now() - start, isWaiting: JSON.stringify(answer).includes(waiting) }
    }
    const inPool = await first(warm)
    const made = await first(cold)
    if (!inPool.isWaiting || made.isWaiting) throw new Error('a first command ran in another sandbox than is measured')
    used = waiting
    for (const tenant of [warm, cold]) await tenant.call.remove(`/v1/sessions/first-${round}`)
    // The first round warms up.
    if (round > 0) {
      times.warm.push(inPool.ms)
      times.cold.push(made.ms)
    }
    progress(round / rounds)
  }
  for (const { id } of [warm, cold]) await admin.remove(`/admin/tenants/${id}`)
  return { warm: p50(times.warm), cold: p50(times.cold), dollarsAnHour: PRICES.sandboxSecond * 3_600 }
}

const OWN_ID = { tool: 'execute_shell', args: { command: 'echo $E2B_SANDBOX_ID' } }

async function newTenant(url: URL, admin: Caller) {
  const { id } = (await admin.post('/admin/tenants', { name: 'pool' })) as { readonly id: string }
  const { key } = (await admin.post(`/admin/tenants/${id}/keys`, { name: 'bench' })) as { readonly key: string }
  return { id, call: caller(url, key) }
}

/** Id of the sandbox that waits in a tenant's pool, when it is prepared. @param used the one before, which may still end */
async function nextOf(hostUrl: string, tenant: string, used: string | undefined): Promise<string> {
  const query = new URLSearchParams({ state: 'running', metadata: `spare=true&tenant=${tenant}` })
  for (;;) {
    const answer = await fetch(`${hostUrl}/v2/sandboxes?${query}`, { headers: { 'X-API-Key': SANDBOX_HOST_KEY } })
    const waiting = ((await answer.json()) as { sandboxID: string }[]).find(({ sandboxID }) => sandboxID !== used)
    await pause(50)
    if (!waiting) continue
    // Preparing one takes a tenth of this time.
    await pause(2_000)
    return waiting.sandboxID
  }
}

const p50 = (times: readonly number[]) => [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0
