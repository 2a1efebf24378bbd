import { afterAll, describe, expect, it } from 'vitest'
import { runningToolyard } from '../support/running-toolyard.ts'
import { jsonAnswer, type StandIn, startStandIn } from '../support/stand-in.ts'
import { askWith, newOwner } from '../support/tenants.ts'

let service: StandIn
const server = runningToolyard(async () => {
  service = await startStandIn(() => jsonAnswer({ fine: true }))
  return { vars: { DANGEROUSLY_ALLOW_HOSTS: service.host } }
})
afterAll(() => service?.stop())

interface Listed {
  readonly call_id: string
  readonly parent_call_id?: string
  readonly tool: string
  readonly state: string
  readonly receipt: { readonly cost?: number; readonly calls_cost?: number; readonly exec_ms: number } | null
}

const PRICES = [
  { tool: 'file_*', per_call: 3 },
  { tool: 'execute_shell', per_call: 100, per_sandbox_second: 7_001 },
  { tool: 'weather', per_call: 5_000 },
  { tool: 'adds', per_call: 40, per_sandbox_second: 13 },
  { tool: 'report', per_call: 900 },
  { tool: '@session', per_call: 70_000 },
]

/** A tenant of its own with the session `s`, the registered tools `weather`, `adds` and the chain `report`. */
async function tenant() {
  const { key } = await newOwner(server())
  const ask = (method: string, path: string, body?: object) => askWith(key, server(), method, path, body)
  await ask('POST', '/v1/sessions', { name: 's' })
  const executors = {
    weather: { kind: 'http', target: `${service.url}/weather` },
    adds: { kind: 'python', target: 'tool:add', source: 'def add(a=1):\n    return {"sum": a + 1}\n' },
    report: {
      kind: 'chain',
      chain: {
        steps: [
          { id: 'sky', tool: 'weather', input: {} },
          { id: 'sum', tool: 'adds', input: {} },
          { id: 'note', tool: 'file_write', input: { file_path: 'note.txt', content: 'x' } },
          { id: 'ran', tool: 'execute_shell', input: { command: 'sleep 0.1' } },
        ],
      },
    },
  }
  for (const [name, executor] of Object.entries(executors)) {
    const made = await ask('PUT', `/v1/tools/registered/${name}`, {
      ...{ name, description: 'A tool.', input_schema: {}, executor },
    })
    expect(made.status).toBe(201)
  }
  const listed = async () => (await ask('GET', '/v1/sessions/s/calls?limit=100')).body as { readonly data: Listed[] }
  return {
    ask,
    limit: async (prices: readonly object[], rules: readonly object[] = []) =>
      expect((await ask('PUT', '/v1/limits', { rules, prices })).status).toBe(200),
    call: async (tool: string, args: object = {}) => {
      const { body } = await ask('POST', '/v1/sessions/s/calls', { tool, arguments: args })
      return body as { readonly state: string; readonly receipt: NonNullable<Listed['receipt']> }
    },
    calls: async () => (await listed()).data,
    usage: async (query = '') => {
      const { body } = await ask('GET', `/v1/usage?${query}`)
      return body as { readonly total: { calls: number; cost: number; sandbox_seconds: number } }
    },
  }
}

const sumOf = (calls: readonly Listed[]) => calls.reduce((sum, { receipt }) => sum + (receipt?.cost ?? 0), 0)

describe('the receipts of calls', () => {
  it('add up to the cost in the usage, whatever is called and however', async () => {
    const { ask, call, calls, limit, usage } = await tenant()
    await limit(PRICES)
    const written = await call('file_write', { file_path: 'a.txt', content: 'x' })
    expect(written.receipt.cost).toBe(3)
    for (let time = 0; time < 20; time++) await call('file_read', { file_path: 'a.txt' })
    expect((await call('file_read', { file_path: 'none.txt' })).receipt.cost).toBe(3)
    const ran = await call('execute_shell', { command: 'sleep 0.3' })
    expect(ran.receipt.cost).toBeGreaterThan(100 + 0.3 * 7_001)
    const weather = await call('weather')
    expect(weather.receipt.cost).toBe(5_000)
    for (let time = 0; time < 3; time++) await call('weather')
    await call('adds')
    // Without a price, although others have one.
    expect((await call('dir_list', { dir_path: '.' })).receipt.cost).toBe(0)
    // Its arguments do not fit, which is a failed call.
    expect((await ask('POST', '/v1/sessions/s/calls', { tool: 'file_read', arguments: {} })).status).toBe(400)
    await ask('POST', '/v1/sessions/s/calls', { tool: 'no_such_tool', arguments: {} })
    const executor = { kind: 'http', target: `${service.url}/own` }
    const made = { id: 'own', description: 'A tool.', input_schema: {}, executor, test: { args: {} } }
    expect(await call('tool_create', made)).toMatchObject({ state: 'done', receipt: { cost: 70_000 } })
    await call('own')
    await call('code_run_tools', { code: `print(tools['weather']())\nprint(tools.file_read(file_path='a.txt'))` })

    const chain = await call('report')
    const steps = (await calls()).filter(({ parent_call_id }) => parent_call_id !== undefined)
    expect(chain.receipt).toMatchObject({ cost: expect.any(Number), calls_cost: expect.any(Number) })
    // The registered steps stand in its own receipt, since they have none.
    expect(chain.receipt.cost).toBeGreaterThanOrEqual(900 + 5_000 + 40)
    expect(steps.map(({ tool }) => tool).sort()).toEqual(['execute_shell', 'file_read', 'file_write'])
    expect(chain.receipt.calls_cost).toBe(sumOf(steps.filter(({ tool }) => tool !== 'file_read')))

    const total = (await usage()).total
    expect(total.sandbox_seconds).toBeGreaterThan(0.4)
    await expect.poll(async () => sumOf(await calls()) - (await usage()).total.cost).toBe(0)
    // Of a caller's own calls with those that these made, too.
    const own = (await calls()).filter(({ parent_call_id }) => parent_call_id === undefined)
    const withCalls = own.reduce((sum, { receipt }) => sum + (receipt?.cost ?? 0) + (receipt?.calls_cost ?? 0), 0)
    await expect.poll(async () => (await usage()).total.cost).toBe(withCalls)
  })

  it('have the cost of work in the background once it has ended', async () => {
    const { ask, call, calls, limit, usage } = await tenant()
    await limit(PRICES)
    const begun = await call('execute_shell', { command: 'sleep 0.5', background: true })
    const at = (list: readonly Listed[]) => list.find(({ tool }) => tool === 'execute_shell')
    expect(begun.receipt.cost).toBeUndefined()
    await expect
      .poll(async () => {
        await ask('GET', `/v1/sessions/s/calls/${at(await calls())?.call_id}`)
        return at(await calls())?.receipt?.cost
      })
      .toBeGreaterThan(100 + 0.5 * 7_001)
    await expect.poll(async () => (await usage()).total.cost).toBe(sumOf(await calls()))
  })

  it('say no cost where the tenant has no prices', async () => {
    const { call, usage } = await tenant()
    for (const { receipt } of [await call('dir_list', { dir_path: '.' }), await call('report')]) {
      expect(receipt).toMatchObject({ exec_ms: expect.any(Number) })
      expect(receipt).not.toHaveProperty('cost')
      expect(receipt).not.toHaveProperty('calls_cost')
    }
    await expect.poll(async () => (await usage()).total).toMatchObject({ calls: 6, cost: 0 })
  })

  it('have the price at the beginning of the call, also where prices change while it runs', async () => {
    const { ask, call, calls, limit, usage } = await tenant()
    await limit([{ tool: 'execute_shell', per_call: 10 }])
    const running = call('execute_shell', {
      command: 'touch began; until [ -e go ]; do sleep 0.05; done',
      workdir: '.',
    })
    await expect.poll(async () => (await call('file_read', { file_path: 'began' })).state).toBe('done')
    await limit([{ per_call: 1_000_000 }])
    expect((await call('file_write', { file_path: 'go', content: '' })).receipt.cost).toBe(1_000_000)
    expect((await running).receipt.cost).toBe(10)
    // Where a rule limits them, too: such a call asks the tenant.
    await limit([{ per_call: 2_000_000 }], [{ scope: 'tenant', per_minute: 1_000 }])
    expect((await call('weather')).receipt.cost).toBe(2_000_000)
    expect((await ask('POST', '/v1/sessions', { name: 't' })).status).toBe(201)
    const other = await ask('POST', '/v1/sessions/t/calls', { tool: 'weather', arguments: {} })
    expect(other.body).toMatchObject({ receipt: { cost: 2_000_000 } })
    await expect.poll(async () => (await usage('session=s')).total.cost).toBe(sumOf(await calls()))
    await expect.poll(async () => (await usage('session=t')).total.cost).toBe(2_000_000)
  })
})
