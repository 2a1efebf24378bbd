import { beforeAll, describe, expect, it } from 'vitest'
import { runningToolyard } from '../../support/running-toolyard.ts'
import { sandboxOf } from '../../support/sandbox-control.ts'
import { newOwner } from '../../support/tenants.ts'
import type { Toolyard } from '../../support/toolyard.ts'

/** A tenant with a session `s`, and its requests. */
async function tenant(server: Toolyard) {
  const { id, key } = await newOwner(server)
  const send = (method: string, path: string, body?: object, headers: Readonly<Record<string, string>> = {}) =>
    fetch(`${server.url}${path}`, {
      method,
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    })
  expect((await send('POST', '/api/task/create?task_id=s&task_name=s')).status).toBe(200)
  return { id, key, send }
}

/** The only sandbox is at work for another tenant while `ask` goes on. */
async function whileTaken<T>(server: Toolyard, ask: () => Promise<T>): Promise<T> {
  const { id, send } = await tenant(server)
  const params = { command: 'touch begun; until [ -e ~/go ]; do sleep 0.05; done' }
  const taken = send('POST', '/api/tool/execute', { task_id: 's', tool_name: 'execute_shell', params })
  while ((await send('GET', '/api/download/s/code_run/begun')).status === 404);
  const sandbox = await sandboxOf(server, 's', id)
  try {
    return await ask()
  } finally {
    await sandbox?.write('/home/user/go', '')
    expect(await (await taken).json()).toMatchObject({ success: true })
    await send('DELETE', '/api/task/s')
  }
}

const NO_SANDBOX =
  /^(?:all sandboxes are at work, and none came free in time|no sandbox is free now); wait 10 seconds, then call again$/

describe.each([
  ['that the settings allow', { SANDBOXES_MAX: '1' }],
  ['that the sandbox host takes', { SANDBOXES_MAX: '20' }],
  ['that the plan allows', { SANDBOXES_MAX: '20', E2B_PLAN: 'running=1 creations=5 hours=1' }],
])('when all sandboxes %s are at work', (_, vars) => {
  const server = runningToolyard(async () => ({
    vars: { ...vars, SANDBOX_WAIT_SECONDS: '1' },
    sandboxdEnv: { SANDBOXD_MAX_RUNNING: '1' },
  }))
  let other: Awaited<ReturnType<typeof tenant>>
  beforeAll(async () => {
    other = await tenant(server())
    const tool = { name: 'python', description: 'Python.', input_schema: {} }
    const executor = { kind: 'python', target: 'made:run', source: 'def run():\n    return 1' }
    expect((await other.send('PUT', '/v1/tools/registered/python', { ...tool, executor })).status).toBe(201)
  })

  it('a call is refused in each dialect’s words, and told when to come again', async () => {
    const { key, send } = other
    const node = await send('POST', '/get_cookie')
    const Cookie = node.headers.get('Set-Cookie')?.split(';')[0] ?? ''
    const answers = await whileTaken(server(), () =>
      Promise.all([
        send('POST', '/v1/sessions/s/calls', { tool: 'execute_shell', args: { command: 'true' } }),
        send('POST', '/v1/sessions/s/calls', { tool: 'python' }),
        send(
          'POST',
          '/internal/tools/call',
          { tool_id: 'python', agent_id: 'sofia', microdao_id: 's' },
          { 'X-Internal-Secret': key },
        ),
        send('POST', '/api/tool/execute', { task_id: 's', tool_name: 'execute_shell', params: { command: 'true' } }),
        send(
          'POST',
          '/execute_tool',
          { tool_name: 'shell_command_executor', arguments: { command: 'true' } },
          { Cookie },
        ),
        send('POST', '/lagent/execute', { session: 'l', name: 'IPythonInterpreter', inputs: { command: '1' } }),
      ]),
    )
    expect(answers.map(({ headers }) => headers.get('Retry-After'))).toEqual(answers.map(() => '10'))
    expect(answers.map(({ status }) => status)).toEqual([429, 429, 429, 200, 500, 200])
    const [shell, python, toolcore, toolserver, xagent, lagent] = await Promise.all(
      answers.map(async (answer) => (await answer.json()) as Record<string, unknown>),
    )
    for (const problem of [shell, python]) {
      expect(problem).toMatchObject({
        status: 429,
        code: 'rate_limited',
        retryable: true,
        detail: expect.stringMatching(NO_SANDBOX),
        'violated-policies': ['server-sandboxes'],
      })
    }
    expect(toolcore).toEqual({ detail: expect.stringMatching(NO_SANDBOX) })
    expect(toolserver).toMatchObject({ success: false, error: expect.stringMatching(NO_SANDBOX) })
    expect(xagent).toEqual({ detail: expect.stringMatching(/^TimeoutError: (?:all|no) sandbox/) })
    expect(lagent).toMatchObject({ errmsg: expect.stringMatching(NO_SANDBOX) })
  })

  it('and is served as soon as one is free', async () => {
    const call = () =>
      other.send('POST', '/v1/sessions/s/calls', { tool: 'execute_shell', args: { command: 'echo ran' } })
    expect((await whileTaken(server(), call)).status).toBe(429)
    await expect.poll(async () => (await call()).status).toBe(200)
  })
})
