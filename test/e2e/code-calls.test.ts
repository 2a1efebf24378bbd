import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { runningToolyard } from '../support/running-toolyard.ts'
import { type StandIn, startStandIn } from '../support/stand-in.ts'
import { askWith, newOwner } from '../support/tenants.ts'

let service: StandIn
/** Answers that wait for a request to `/release`. Those that come behind it do not wait. */
const held: (() => void)[] = []
let isReleased = false
const server = runningToolyard(async () => {
  service = await startStandIn(({ url }) => {
    if (url.pathname === '/held' && !isReleased) return (response) => void held.push(() => response.end('{}'))
    if (url.pathname === '/release') {
      isReleased = true
      for (const release of held.splice(0)) release()
    }
    return { headers: { 'content-type': 'application/json' }, body: '{}' }
  })
  return { vars: { DANGEROUSLY_ALLOW_HOSTS: service.host } }
})
afterAll(() => service?.stop())

const TRIED = `def tried(tool, **args):
    try:
        return tools[tool](**args) and 'done'
    except ToolError as error:
        return '%s %s (%s)' % (error.code, error.retry_after, error)
`

/** A tenant of its own with a session, the registered tools `quick`, `held`, … of the service, and limits. */
async function tenant(limits: object = { rules: [] }) {
  const { key } = await newOwner(server())
  const ask = (method: string, path: string, body?: object, by = key) => askWith(by, server(), method, path, body)
  for (const name of ['quick', 'dear', 'held', 'release']) {
    await ask('PUT', `/v1/tools/registered/${name}`, {
      ...{ name, description: 'A tool.', input_schema: {} },
      executor: { kind: 'http', target: `${service.url}/${name}` },
    })
  }
  await ask('POST', '/v1/sessions', { name: 's' })
  expect((await ask('PUT', '/v1/limits', limits)).status).toBe(200)
  const run = (code: string, { by = key, agent = 'sofia' } = {}) =>
    ask('POST', '/v1/sessions/s/calls', { tool: 'code_run_tools', agent, arguments: { code: TRIED + code } }, by)
  return {
    ask,
    run,
    /** Lines that code prints which must end well. */
    async lines(code: string, more?: Parameters<typeof run>[1]) {
      const { body } = await run(code, more)
      expect(body).toMatchObject({ data: { exit_code: 0 } })
      return (body as { data: { stdout: string } }).data.stdout.trimEnd().split('\n')
    },
  }
}

describe('calls by code', () => {
  it('are held to rates, budgets and numbers at once of their tools, and the code learns when to come again', async () => {
    const { ask, lines } = await tenant({
      rules: [
        { scope: 'tool', name: 'quick', per_minute: 1 },
        { scope: 'tool', name: 'dear', budget_per_day: 25 },
        { scope: 'tool', name: 'held', concurrency: 2 },
      ],
      prices: [{ tool: 'dear', per_call: 10 }],
    })
    const [quick, dear, ...sideBySide] = await lines(`from concurrent.futures import ThreadPoolExecutor, as_completed
print([tried('quick') for _ in range(2)])
print([tried('dear') for _ in range(3)])
with ThreadPoolExecutor(5) as pool:
    calls = as_completed([pool.submit(tried, 'held') for _ in range(5)])
    for _ in range(3): print(next(calls).result())
    tools.release()
    for call in calls: print(call.result())`)
    expect(quick).toMatch(
      /^\['done', 'rate_limited [\d.]+ \(quick: Rate limit exceeded for tool quick: 1 .*; try again in \d+ s/,
    )
    expect(dear).toMatch(
      /^\['done', 'done', 'rate_limited [\d.]+ \(dear: .*: a budget of 25 millionths a day; try again/,
    )
    expect(sideBySide).toEqual([
      ...Array(3).fill(expect.stringMatching(/^rate_limited [\d.]+ \(held: .*: 2 calls at once; try again in \d+ s/)),
      ...Array(2).fill('done'),
    ])
    const used = async () => {
      const { body } = await ask('GET', '/v1/usage?group_by=tool')
      const { data } = body as { data: { tool: string; calls: number; refused: number; cost: number }[] }
      return Object.fromEntries(data.map(({ tool, calls, refused, cost }) => [tool, [calls, refused, cost]]))
    }
    await expect.poll(used).toMatchObject({
      ...{ code_run_tools: [1, 0, 0], quick: [1, 1, 0], dear: [2, 1, 20], held: [2, 3, 0], release: [1, 0, 0] },
    })
  })

  it('count beside the one that runs the code, which is said where that leaves no room', async () => {
    const { lines } = await tenant({ rules: [{ scope: 'tenant', concurrency: 1 }] })
    const [refused] = await lines(`print(tried('quick'))`)
    expect(refused).toMatch(/^rate_limited .*1 calls at once.*The call that runs this code is one of them/)
  })

  it("are within the key's tools and its budget, of which the code is told to ask for more", async () => {
    const { ask, lines, run } = await tenant()
    const child = await ask('POST', '/v1/keys/current/children', {
      ...{ name: 'child', tools: ['code_run_tools', 'quick'], budget: { calls: 3 } },
    })
    const by = String(child.body.key)
    const [other, made, ...quick] = await lines(
      `print(tried('held'))
print(tried('tool_create', id='x'))
for _ in range(3): print(tried('quick'))`,
      { by },
    )
    for (const refused of [other, made]) {
      expect(refused).toMatch(
        /^forbidden None .*this key may call the tools code_run_tools, quick alone.*; ask whoever minted/,
      )
    }
    expect(quick).toEqual([
      'done',
      'done',
      expect.stringMatching(/^forbidden None \(quick: .*has used its budget of 3 calls; ask whoever minted it/),
    ])
    expect((await run('', { by })).status).toBe(403)
  })

  it("are within each tool's policy, for the agent of whoever ran the code, and never the owner's", async () => {
    const { ask, lines } = await tenant()
    const policy = async (tool: string, change: object) =>
      expect((await ask('PATCH', `/v1/tools/registered/${tool}`, change)).status).toBe(200)
    await policy('quick', { allowed_agents: ['sofia'] })
    await policy('held', { enabled: false })
    const code = `print(tried('quick'))
print(tried('held'))
print(tried('tool_create', scope='tenant', id='x', description='A tool.', executor={'kind': 'http', 'target': 'https://api.example/'}, test={'args': {}}))`
    const [quick, off, made] = await lines(code)
    expect(quick).toBe('done')
    expect(off).toMatch(/^forbidden None \(held: .*disabled/)
    expect(made).toMatch(/^forbidden None \(tool_create: .*a key with the scope "admin"/)
    const [others] = await lines(code, { agent: 'otto' })
    expect(others).toMatch(/^forbidden None \(quick: .*Agent otto not in allowlist/)
  })
})

/** What a model reads of a run by each way in. */
const WAYS: Readonly<Record<string, (args: object) => Promise<unknown>>> = {
  async 'MCP, at an address that lists its toolkit'(args) {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } })
    await client.connect(new StreamableHTTPClientTransport(new URL(`${server().url}/mcp/s/code-mcp?tools=code`)))
    onTestFinished(() => client.close())
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('code_run_tools')
    const { content } = await client.callTool({ name: 'code_run_tools', arguments: { ...args } })
    return content.map((part) => (part.type === 'text' ? part.text : part.type)).join('\n')
  },

  async XAgent(args) {
    const { headers } = await fetch(`${server().url}/get_cookie`, { method: 'POST' })
    const Cookie = headers.get('Set-Cookie')?.split(';')[0] ?? ''
    const body = JSON.stringify({ tool_name: 'code_run_tools', arguments: args })
    return (await fetch(`${server().url}/execute_tool`, { method: 'POST', headers: { Cookie }, body })).json()
  },

  async Lagent(args) {
    const body = JSON.stringify({ session: 'code-lagent', name: 'code_run_tools', inputs: args })
    const answer = await (await fetch(`${server().url}/lagent/execute`, { method: 'POST', body })).json()
    return (answer as { result: { content: string }[] }).result[0]?.content
  },
}

it.each(Object.entries(WAYS))(
  'code is run by %s, which shows what it printed, its calls and its error',
  async (_, run) => {
    const code = `tools.file_write(file_path='a.txt', content='bees')
print(tools.file_read(file_path='a.txt')['content'])
tools.file_read(file_path='none.txt')`
    const text = await run({ code })
    expect(text).toMatch(/^bees\n/)
    expect(text).toMatch(/line 3, in <module>.*ToolError: file_read: .*none\.txt.*exit code 1.*3 calls of tools/s)
  },
)
