import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runningToolyard } from '../support/running-toolyard.ts'
import { type StandIn, startStandIn } from '../support/stand-in.ts'
import { newOwner } from '../support/tenants.ts'

let service: StandIn
/** Answers that wait until they are let go. */
const held: (() => void)[] = []
beforeAll(async () => {
  service = await startStandIn(({ url }) =>
    url.pathname === '/held'
      ? (response) => void held.push(() => response.end('{}'))
      : { headers: { 'content-type': 'application/json' }, body: '{}' },
  )
})
afterAll(() => service?.stop())
const server = runningToolyard(async () => ({ vars: { DANGEROUSLY_ALLOW_HOSTS: service.host } }))

/** A tenant of its own with the tools `quick` and `held`, and a session. */
async function tenant(rules: readonly object[]) {
  const { key } = await newOwner(server())
  const send = async (method: string, path: string, body?: object) =>
    fetch(`${server().url}${path}`, {
      method,
      headers: { Authorization: `Bearer ${key}` },
      ...(body && { body: JSON.stringify(body) }),
    })
  for (const name of ['quick', 'held']) {
    await send('PUT', `/v1/tools/registered/${name}`, {
      ...{ name, description: 'A tool.', input_schema: {} },
      executor: { kind: 'http', target: `${service.url}/${name}` },
    })
  }
  await send('POST', '/api/task/create?task_id=s&task_name=s')
  expect((await send('PUT', '/v1/limits', { rules })).status).toBe(200)
  return {
    key,
    send,
    call: (tool: string, agent = 'sofia') => send('POST', '/v1/sessions/s/calls', { tool, agent }),
    usage: async () => ((await (await send('GET', '/v1/usage')).json()) as { total: Record<string, unknown> }).total,
  }
}

describe('a call over a limit', () => {
  it('is answered 429 with when to come again, and so it is by Toolcore’s dialect; the Tool Server’s says so too', async () => {
    const { key, call, send } = await tenant([{ scope: 'agent', name: 'sofia', per_minute: 1 }])
    expect((await call('quick')).status).toBe(200)
    const refused = await call('quick')
    const [retry, limit, policy] = ['Retry-After', 'RateLimit', 'RateLimit-Policy'].map((name) =>
      refused.headers.get(name),
    )
    expect(refused.status).toBe(429)
    expect(Number(retry)).toBeGreaterThan(50)
    expect([limit, policy]).toEqual([`"agent-per-minute";r=0;t=${retry}`, '"agent-per-minute";q=1;w=60'])
    expect(await refused.json()).toMatchObject({ code: 'rate_limited', 'violated-policies': ['agent-per-minute'] })

    const toolcore = await fetch(`${server().url}/internal/tools/call`, {
      method: 'POST',
      headers: { 'X-Internal-Secret': key, 'Content-Type': 'application/json' },
      body: JSON.stringify({ tool_id: 'quick', agent_id: 'sofia', microdao_id: 's' }),
    })
    expect(toolcore.status).toBe(429)
    expect(toolcore.headers.get('RateLimit')).toMatch(/^"agent-per-minute";r=0;t=\d+$/)
    expect(await toolcore.json()).toEqual({ detail: expect.stringMatching(/^Rate limit exceeded for agent sofia/) })

    await send('PUT', '/v1/limits', { rules: [{ scope: 'tool', name: 'quick', per_minute: 1 }] })
    expect((await call('quick')).status).toBe(200)
    const params = { tool_id: 'quick', args: {} }
    const other = await send('POST', '/api/tool/execute', { task_id: 's', tool_name: 'registered_call', params })
    expect(other.headers.get('RateLimit')).toMatch(/^"tool-per-minute";r=0;t=\d+$/)
    expect(await other.json()).toMatchObject({ success: false, error: expect.stringContaining('Rate limit exceeded') })
  })

  it('is let in when one that ran has ended', async () => {
    const { call } = await tenant([{ scope: 'tool', name: 'held', concurrency: 1 }])
    const first = call('held')
    await expect.poll(() => held.length).toBe(1)
    expect((await call('held')).headers.get('RateLimit-Policy')).toBe('"tool-concurrency";q=1;qu="concurrent-requests"')
    held.shift()?.()
    expect((await first).status).toBe(200)
    const second = await retried(() => call('held'))
    expect(second).toBe(200)
  })
})

describe('the use of a session that is removed', () => {
  it('is counted, a call that runs then as lost', async () => {
    const { send, call, usage } = await tenant([])
    expect((await call('quick')).status).toBe(200)
    const running = call('held')
    await expect.poll(() => held.length).toBe(1)
    expect((await send('DELETE', '/api/task/s')).status).toBe(200)
    held.shift()?.()
    await running
    // Ends are told a moment later, several together.
    await expect.poll(usage).toMatchObject({ calls: 2, failed: 1, reasons: { lost: 1 } })
  })
})

/** The end of a call is told to its tenant a moment after the caller has the answer. */
async function retried(call: () => Promise<Response>): Promise<number> {
  let status = 0
  const answered = (async () => {
    while (status !== 200) status = (await call()).status
  })()
  await expect.poll(() => held.length).toBe(1)
  held.shift()?.()
  await answered
  return status
}

describe('a flood of one tenant', () => {
  it('changes nothing for another: not what it may call, nor what it used', async () => {
    const rules = [{ scope: 'tenant', per_minute: 60, burst: 20, concurrency: 5 }]
    const [flooding, calm] = [await tenant(rules), await tenant(rules)]
    let over = false
    const statuses: number[] = []
    const flood = Array.from({ length: 6 }, async () => {
      while (!over) statuses.push((await flooding.call('quick')).status)
    })
    const calmly: number[] = []
    try {
      const refused = () => statuses.filter((status) => status === 429).length
      await expect.poll(refused).toBeGreaterThan(30)
      for (let call = 0; call < 15; call++) calmly.push((await calm.call('quick')).status)
    } finally {
      over = true
      await Promise.all(flood)
    }
    expect(calmly).toEqual(Array(15).fill(200))
    await expect.poll(calm.usage).toMatchObject({ calls: 15, refused: 0 })
    const admitted = statuses.filter((status) => status === 200).length
    const refused = statuses.length - admitted
    await expect.poll(flooding.usage).toMatchObject({ calls: admitted, refused })
  })
})
