import { describe, expect, it } from 'vitest'
import { runningToolyard } from '../support/running-toolyard.ts'
import { newOwner } from '../support/tenants.ts'

const server = runningToolyard(async () => ({}))

interface Row {
  readonly tool: string
  readonly calls: number
  readonly failed: number
  readonly refused: number
  readonly key?: string | null
  readonly sandbox_seconds: number
  readonly sandbox_running_seconds: number
  readonly sandbox_paused_seconds: number
  readonly cost: number
  readonly bytes_in: number
  readonly bytes_out: number
  readonly reasons: Readonly<Record<string, number>>
}

/** A tenant of its own with the sessions `s` and `t`. */
async function tenant() {
  const { id, key } = await newOwner(server())
  const send = async (method: string, path: string, body?: object, headers = {}) =>
    fetch(`${server().url}${path}`, {
      method,
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    })
  for (const name of ['s', 't']) await send('POST', `/api/task/create?task_id=${name}&task_name=${name}`)
  const rows = async (query: string) => {
    const answer = (await (await send('GET', `/v1/usage?${query}`)).json()) as { total: Row; data: Row[] }
    return answer
  }
  return {
    key,
    send,
    /** Has the alarm of the session `s` come. */
    alarm: () => server().worker.ask('SessionObject', `${id}/s`, { operation: 'call', method: 'alarmNow', args: [] }),
    byKey: async () => (await rows('group_by=key')).data,
    limit: async (rules: readonly object[], prices: readonly object[] = []) =>
      expect((await send('PUT', '/v1/limits', { rules, prices })).status).toBe(200),
    /** @returns the status of one call by `/v1` */
    call: async (tool: string, args: object, session = 's', agent = 'sofia') =>
      (await send('POST', `/v1/sessions/${session}/calls`, { tool, args, agent })).status,
    /** How one call ended: `done` or `failed`. */
    state: async (tool: string, args: object) => {
      const answer = await send('POST', '/v1/sessions/s/calls', { tool, args })
      return ((await answer.json()) as { state?: string }).state
    },
    usage: async () => (await rows('')).total,
    byTool: async () => Object.fromEntries((await rows('group_by=tool')).data.map(({ tool, ...row }) => [tool, row])),
    audit: async () =>
      (await (await send('GET', '/v1/audit/export')).text())
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>),
  }
}

const READ = ['dir_list', { dir_path: '.' }] as const
const shell = (command: string) => ['execute_shell', { command, workdir: '.' }] as const

describe('a limit of one a minute', () => {
  it('lets one of eight shells through, whichever dialect they come by; use, cost and audit log know all of them', async () => {
    const { send, limit, call, byTool, audit } = await tenant()
    await limit(
      [{ scope: 'tool', name: 'execute_*', per_minute: 1 }],
      [{ tool: 'execute_*', per_call: 1_000, per_sandbox_second: 1_000 }],
    )
    const params = { command: 'sleep 0.2' }
    const toolserver = async () => {
      const answer = await send('POST', '/api/tool/execute', { task_id: 's', tool_name: 'execute_shell', params })
      return { answer, body: (await answer.json()) as Record<string, unknown> }
    }
    const lagent = async () => {
      const answer = await send('POST', '/lagent/execute', { session: 't', name: 'execute_shell', inputs: params })
      return { answer, body: (await answer.json()) as Record<string, unknown> }
    }
    const first = await toolserver()
    expect([first.body.success, first.answer.headers.get('RateLimit')]).toEqual([true, null])
    for (const { answer, body } of [await toolserver(), await toolserver(), await lagent(), await lagent()]) {
      expect(answer.headers.get('RateLimit')).toMatch(/^"tool-per-minute";r=0;t=\d+$/)
      expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0)
      expect(JSON.stringify(body)).toContain('Rate limit exceeded for tool execute_shell')
    }
    for (let time = 0; time < 3; time++) expect(await call(...shell('true'))).toBe(429)

    await expect.poll(async () => (await byTool()).execute_shell).toMatchObject({ calls: 1, refused: 7 })
    const used = (await byTool()).execute_shell
    expect(used?.sandbox_seconds).toBeGreaterThan(0.2)
    expect(used?.cost).toBe(1_000 + Math.ceil((used?.sandbox_seconds ?? 0) * 1_000))
    const entries = await audit()
    expect(entries.filter(({ action }) => action === 'tool.call')).toMatchObject([
      { subject: 'execute_shell', decision: 'done', session: 's', key: expect.any(String) },
    ])
    expect(entries.find(({ action }) => action === 'tool.refused')).toMatchObject({
      subject: 'execute_shell',
      decision: 'refused',
      reason: 'rate_limited',
    })
    expect(JSON.stringify(entries)).not.toContain('sleep')
  })

  it('is told by XAgent’s nodes in their own words, with when to come again', async () => {
    const { send, limit } = await tenant()
    const made = await send('POST', '/get_cookie')
    const Cookie = made.headers.get('Set-Cookie')?.split(';')[0] ?? ''
    await limit([{ scope: 'tool', name: '*', per_minute: 1 }])
    const tool = { tool_name: 'FileSystemEnv_print_filesys_struture', arguments: {} }
    expect((await send('POST', '/execute_tool', tool, { Cookie })).status).toBe(200)
    const refused = await send('POST', '/execute_tool', tool, { Cookie })
    expect(refused.headers.get('RateLimit')).toMatch(/^"tool-per-minute";r=0;t=\d+$/)
    expect(await refused.json()).toEqual({ detail: expect.stringMatching(/^TimeoutError: Rate limit exceeded/) })
    const listed = () => send('POST', '/get_workspace_structure', undefined, { Cookie })
    expect((await listed()).status).toBe(200)
    const structure = await listed()
    expect(structure.status).toBe(429)
    expect(structure.headers.get('Retry-After')).toMatch(/^\d+$/)
  })

  it('holds for the steps of a chain', async () => {
    const { send, limit, call, byTool } = await tenant()
    await registerShells(send, 8)
    await limit([{ scope: 'tool', name: 'execute_shell', per_minute: 1 }])
    await call('shells', {})
    await expect.poll(async () => (await byTool()).execute_shell).toMatchObject({ calls: 1, refused: 1 })
  })
})

const registerShells = (send: Awaited<ReturnType<typeof tenant>>['send'], count: number) =>
  send('PUT', '/v1/tools/registered/shells', {
    ...{ name: 'shells', description: 'Runs commands.', input_schema: {} },
    executor: {
      kind: 'chain',
      chain: {
        steps: Array.from({ length: count }, (_, at) => ({
          ...{ id: `s${at}`, tool: 'execute_shell', input: { command: 'sleep 0.3' } },
          retry: { attempts: 1 },
        })),
      },
    },
  })

describe('the use of a tenant', () => {
  it('has the sandbox time of a chain of three shells, once', async () => {
    const { send, call, byTool, usage } = await tenant()
    expect((await registerShells(send, 3)).status).toBe(201)
    expect(await call('shells', {})).toBe(200)
    await expect.poll(async () => (await byTool()).execute_shell?.calls).toBe(3)
    const { shells, execute_shell } = await byTool()
    const total = await usage()
    expect(shells).toMatchObject({ calls: 1, failed: 0 })
    expect(total.calls).toBe(4)
    expect(total.sandbox_seconds).toBeGreaterThan(0.9)
    expect(total.sandbox_seconds).toBeCloseTo((shells?.sandbox_seconds ?? 0) + (execute_shell?.sandbox_seconds ?? 0))
  })

  it('has the time that a session’s sandbox ran and was paused, under the key that used it, and no call for it', async () => {
    const { key, send, call, alarm, byTool, byKey, usage } = await tenant()
    const pause = async () => expect((await send('POST', '/v1/sessions/s/pause')).status).toBe(200)
    expect(await call(...shell('sleep 0.5'))).toBe(200)
    await pause()
    await alarm()
    await expect.poll(async () => (await byTool()).execute_shell?.calls).toBe(1)
    const { execute_shell, '@sandbox': first } = await byTool()
    expect(first).toMatchObject({ calls: 0, failed: 0, sandbox_seconds: 0, cost: 0, sandbox_paused_seconds: 0 })
    expect(first?.sandbox_running_seconds).toBeGreaterThanOrEqual(execute_shell?.sandbox_seconds ?? Infinity)

    expect(await call(...shell('true'))).toBe(200)
    await pause()
    await alarm()
    await expect.poll(async () => (await usage()).calls).toBe(2)
    const total = await usage()
    expect(total.sandbox_paused_seconds).toBeGreaterThan(0)
    expect(total.sandbox_running_seconds).toBeGreaterThan(first?.sandbox_running_seconds ?? Infinity)
    expect(await byKey()).toMatchObject([
      { key: key.slice(3, 15), sandbox_running_seconds: total.sandbox_running_seconds },
    ])
  })

  it('has bytes, failures and wrong arguments of any tool; the log has one entry for many reads', async () => {
    const { call, byTool, audit } = await tenant()
    await call('file_write', { file_path: 'a.txt', content: 'x'.repeat(1_000) })
    for (let time = 0; time < 20; time++) await call('file_read', { file_path: 'a.txt' })
    await call('file_read', { file_path: 'none.txt' })
    await call('file_read', {})
    await call('execute_shell', { command: 'echo done' })
    await expect.poll(async () => (await byTool()).execute_shell?.calls).toBe(1)
    const used = await byTool()
    expect(used.file_read).toMatchObject({ calls: 22, failed: 2, reasons: { not_found: 1, invalid_input: 1 } })
    expect(used.file_read?.bytes_out).toBeGreaterThan(20_000)
    expect(used.file_write?.bytes_in).toBeGreaterThan(1_000)
    const reads = (await audit()).filter(({ subject }) => subject === 'file_read')
    expect(reads.reduce((sum, { count }) => sum + Number(count), 0)).toBe(22)
    expect(reads.length).toBeLessThan(15)
  })

  it('counts a tool of the tenant under its id alone, and a tool that there is not nowhere', async () => {
    const { send, call, byTool, audit } = await tenant()
    await registerShells(send, 1)
    await call('shells', {})
    await send('POST', '/api/tool/execute', { task_id: 's', tool_name: 'no_such_tool', params: {} })
    await expect.poll(async () => Object.keys(await byTool()).sort()).toEqual(['execute_shell', 'shells'])
    await expect
      .poll(async () => (await audit()).filter(({ action }) => action === 'tool.refused'))
      .toMatchObject([{ subject: 'no_such_tool', reason: 'not_found' }])
  })
})

describe('limits that are put', () => {
  it('leave used up what was used up', async () => {
    const { limit, call } = await tenant()
    const rules = [
      { scope: 'agent', name: 'sofia', per_day: 3 },
      { scope: 'agent', name: 'pm', per_minute: 2 },
    ]
    await limit(rules)
    const both = async () => [await call(...READ), await call(...READ, 's', 'pm')]
    expect([await both(), await both(), await both()]).toEqual([
      [200, 200],
      [200, 200],
      [200, 429],
    ])
    expect(await both()).toEqual([429, 429])
    await limit(rules)
    for (const session of ['s', 't']) {
      expect([await call(...READ, session), await call(...READ, session, 'pm')]).toEqual([429, 429])
    }
  })

  it('hold for sessions that are open, at once, and know what the day has used before them', async () => {
    const { limit, call } = await tenant()
    for (const session of ['s', 't', 's']) expect(await call(...READ, session)).toBe(200)
    await limit([{ scope: 'tenant', per_day: 4 }])
    expect([await call(...READ, 't'), await call(...READ, 's'), await call(...READ, 't')]).toEqual([200, 429, 429])
    await limit([])
    expect([await call(...READ, 't'), await call(...READ, 's')]).toEqual([200, 200])
  })

  it('count what runs already', async () => {
    const { limit, call, state, send } = await tenant()
    expect(await call(...shell('true'))).toBe(200)
    const running = call(...shell('touch began; sleep 600'))
    await expect.poll(() => state('file_read', { file_path: 'began' })).toBe('done')
    await limit([{ scope: 'tool', name: 'execute_shell', concurrency: 1 }])
    expect(await call(...shell('true'), 't')).toBe(429)
    const { data } = (await (await send('GET', '/v1/sessions/s/calls')).json()) as { data: Record<string, string>[] }
    const { call_id: id } = data.find(({ state }) => state === 'running') ?? {}
    expect((await send('POST', `/v1/sessions/s/calls/${id}/cancel`)).status).toBe(200)
    expect(await running).toBe(200)
    await expect.poll(() => call(...shell('true'), 't')).toBe(200)
  })
})

describe('limits of a tenant with two sessions that call at once', () => {
  it.each([
    ['a day', { per_day: 20 }],
    ['a minute', { per_minute: 1, burst: 20 }],
    ['a budget', { budget_per_day: 200 }],
  ])('hold exactly: of %s', async (_what, rule) => {
    const { limit, call } = await tenant()
    await limit([{ scope: 'key', name: '*', ...rule }], [{ per_call: 10 }])
    const statuses = await Promise.all(Array.from({ length: 60 }, (_, at) => call(...READ, at % 2 === 0 ? 's' : 't')))
    const passed = statuses.filter((status) => status === 200).length
    expect(passed).toBe(20)
    expect(statuses.filter((status) => status === 429)).toHaveLength(40)
  })
})
