import { beforeAll, expect } from 'vitest'
import { MCP_TEXT_CHARS } from '../../../src/core/limits/mcp.ts'
import { runningToolyard } from '../../support/running-toolyard.ts'
import { newTenant } from '../../support/tenants.ts'
import { verifies } from './support.ts'
import { type Loose, modernPost, modernWire, post, type Wired, wired } from './wire.ts'

const toolyard = runningToolyard(async () => ({}))
const url = () => toolyard().url
const ask: ReturnType<typeof modernWire> = (...request) => modernWire(url())(...request)

const call = (name: string, args: Loose, options: Parameters<typeof ask>[2] = {}) =>
  ask('tools/call', { name, arguments: args }, options)
const textIn = ({ result }: Wired) => (result.content as { text?: string }[]).map(({ text = '' }) => text).join('\n')
const toolsIn = ({ result }: Wired) =>
  result.tools as { name: string; inputSchema: { type: string }; annotations: Loose }[]
const listAt = async (path: string) => toolsIn(await ask('tools/list', {}, { path }))

const OLDER = ['2025-11-25', '2025-06-18', '2025-03-26']
const begin = (protocolVersion: string) =>
  post(`${url()}/mcp`, {
    ...{ jsonrpc: '2.0', id: 0, method: 'initialize' },
    params: { protocolVersion, capabilities: {}, clientInfo: { name: 'tests', version: '1' } },
  })

let key = ''
beforeAll(async () => {
  key = (await newTenant(toolyard(), ['read', 'execute'])).key
})

verifies('mcp:discover', async () => {
  const { status, result } = await ask('server/discover')
  expect({ status, result }).toMatchObject({
    status: 200,
    result: {
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {}, resources: {}, prompts: {} },
      cacheScope: 'private',
    },
  })
  expect(result.instructions).toContain('search_tools finds them')
})

verifies('mcp:methods', async () => {
  for (const method of ['GET', 'DELETE']) {
    const answer = await fetch(`${url()}/mcp`, { method, headers: { Accept: 'text/event-stream' } })
    await answer.text()
    expect([method, answer.status, answer.headers.get('Allow')]).toEqual([method, 405, 'POST'])
  }
})

verifies('mcp:headers', async () => {
  const otherMethod = await ask('tools/list', {}, { headers: { 'Mcp-Method': 'prompts/list' } })
  const otherTool = await call('file_read', { file_path: 'x' }, { headers: { 'Mcp-Name': 'file_write' } })
  for (const { status, error } of [otherMethod, otherTool]) expect([status, error.code]).toEqual([400, -32020])
})

verifies('mcp:versions', async () => {
  const { status, error } = await ask('tools/list', {}, { revision: '2030-01-01' })
  expect({ status, error }).toMatchObject({ status: 400, error: { code: -32022, data: { supported: ['2026-07-28'] } } })
})

verifies('mcp:unknown-method', async () => {
  const { status, error } = await ask('tools/undo')
  expect([status, error.code]).toEqual([404, -32601])
})

verifies('mcp:initialize', async () => {
  for (const revision of OLDER) {
    const { status, headers, result } = await wired(await begin(revision))
    expect({ status, result }).toMatchObject({ status: 200, result: { protocolVersion: revision } })
    expect(headers.get('Mcp-Session-Id')).toMatch(/^[0-9a-f]{32}$/)
  }
})

verifies('mcp:ended', async () => {
  const begun = await begin('2025-11-25')
  await begun.text()
  const headers = { 'Mcp-Session-Id': begun.headers.get('Mcp-Session-Id') ?? '' }
  const ping = async () =>
    (await wired(await post(`${url()}/mcp`, { jsonrpc: '2.0', id: 1, method: 'ping' }, headers))).status
  expect(await ping()).toBe(200)
  await (await fetch(`${url()}/mcp`, { method: 'DELETE', headers })).text()
  expect(await ping()).toBe(404)
})

verifies('mcp:keys', async () => {
  const forms = [
    { headers: { Authorization: `Bearer ${key}` } },
    { headers: { 'X-API-Key': key } },
    { path: `/k/${key}/mcp` },
  ]
  await call('file_write', { file_path: 'secret.md', content: 'of one tenant' }, forms[0])
  for (const form of forms) {
    expect(textIn(await call('file_read', { file_path: 'secret.md' }, form))).toBe('of one tenant')
  }
  const { key: another } = await newTenant(toolyard(), ['read', 'execute'])
  for (const headers of [{ 'X-API-Key': another }, {}]) {
    const { result } = await call('file_read', { file_path: 'secret.md', session: 'mcp' }, { headers })
    expect(result.isError).toBe(true)
    const read = await ask('resources/read', { uri: 'toolyard://mcp/secret.md' }, { headers })
    expect(read.error.code).toBe(-32602)
  }
})

verifies('mcp:key:refused', async () => {
  const { status, headers, error } = await ask('tools/list', {}, { headers: { 'X-API-Key': `${key}x` } })
  expect([status, headers.get('WWW-Authenticate')]).toEqual([401, expect.stringMatching(/^Bearer/)])
  expect(error.message).toContain('/k/<key>/mcp')
})

verifies('mcp:origin', async () => {
  const { status } = await ask('tools/list', {}, { headers: { Origin: 'http://evil.example' } })
  expect(status).toBe(403)
})

verifies('mcp:lists', async () => {
  const [core, all, search, notebook] = await Promise.all(
    ['/mcp', '/mcp?tools=all', '/mcp?tools=search', '/mcp?tools=notebook'].map(listAt),
  )
  expect([core?.length, search?.length]).toEqual([17, 5])
  expect(all?.length).toBeGreaterThan(40)
  expect(notebook?.map(({ name }) => name)).toContain('notebook_execute')
  for (const { name, inputSchema } of [core, all, search, notebook].flatMap((list) => list ?? [])) {
    expect([name, inputSchema.type]).toEqual([expect.stringMatching(/^[a-z0-9_]{1,40}$/), 'object'])
  }
})

verifies('mcp:lists:order', async () => {
  const [first, second] = [await ask('tools/list'), await ask('tools/list')]
  expect(second.result).toEqual(first.result)
  expect(first.result).toMatchObject({ ttlMs: expect.any(Number), cacheScope: 'private' })
})

verifies('mcp:hints', async () => {
  const hints = new Map((await listAt('/mcp')).map(({ name, annotations }) => [name, annotations]))
  expect(hints.get('file_read')).toMatchObject({ readOnlyHint: true })
  expect(hints.get('file_write')).toMatchObject({ readOnlyHint: false, destructiveHint: true, openWorldHint: false })
  expect(hints.get('execute_shell')).toMatchObject({ readOnlyHint: false, openWorldHint: true })
})

verifies('mcp:search', async () => {
  const path = '/mcp/s/searching?tools=search'
  expect(textIn(await call('search_tools', { query: 'evaluate a mathematical expression' }, { path }))).toContain(
    'calculate',
  )
  expect(textIn(await call('describe_tools', { names: ['calculate'] }, { path }))).toContain('"expression"')
  const called = await call('call_tool', { name: 'calculate', arguments: { expression: '6 * 7' } }, { path })
  expect(textIn(called)).toContain('42')
})

verifies('mcp:unknown-tool', async () => {
  const { error } = await call('file_raed', { file_path: 'x' })
  expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('did you mean file_read?') })
})

verifies('mcp:arguments', async () => {
  const answer = await call('file_read', { page: 1 })
  expect(answer).toMatchObject({ status: 200, result: { isError: true } })
  expect(textIn(answer)).toMatch(/file_path/)
})

verifies('mcp:sessions', async () => {
  const handle = /session[^a-z]+"?([\w-]+)"?/.exec(textIn(await call('session_create', {})))?.[1] ?? ''
  await call('file_write', { file_path: 'own.md', content: 'own', session: handle })
  expect(textIn(await call('file_read', { file_path: 'own.md', session: handle }))).toBe('own')
  expect((await call('file_read', { file_path: 'own.md' })).result.isError).toBe(true)
  const nobody = await call('file_write', { file_path: 'own.md', content: 'x', session: 'nobodys' })
  expect(nobody.result.isError).toBe(true)
  expect((await fetch(`${url()}/v1/sessions/nobodys`)).status).toBe(404)
})

verifies('mcp:bound', async () => {
  const answer = await call('file_read', { file_path: 'x', session: 'another' }, { path: '/mcp/s/bound' })
  expect([answer.result.isError, textIn(answer)]).toEqual([true, expect.stringContaining('leave session out')])
})

verifies('mcp:long-text', async () => {
  const path = '/mcp/s/long'
  const command = "python3 -c \"print('a' * 90000 + 'END')\""
  const answer = await call('execute_shell', { command, max_chars: 60_000 }, { path })
  expect(textIn(answer).length).toBeLessThan(2 * MCP_TEXT_CHARS)
  const [link] = (answer.result.content as { type: string; uri: string }[]).filter(
    ({ type }) => type === 'resource_link',
  )
  const { result } = await ask('resources/read', { uri: link?.uri ?? '' }, { path })
  const [whole] = result.contents as { text: string }[]
  expect(whole?.text).toContain(`${'a'.repeat(90_000)}END`)
})

const TASKS = { extensions: { 'io.modelcontextprotocol/tasks': {} } }
const LASTING = { command: 'sleep 4; echo done' }

verifies('mcp:tasks', async () => {
  const options = { path: '/mcp/s/tasks', capabilities: TASKS }
  const { result } = await call('execute_shell', LASTING, options)
  expect(result).toMatchObject({ resultType: 'task', status: 'working', taskId: expect.any(String) })
  const { taskId } = result
  const now = async () => (await ask('tasks/get', { taskId }, options)).result
  await expect.poll(now, { interval: 500 }).toMatchObject({ status: 'completed' })
  expect(JSON.stringify(await now())).toContain('done')
})

verifies('mcp:tasks:undeclared', async () => {
  const answer = await call('execute_shell', LASTING, { path: '/mcp/s/tasks' })
  expect(answer.result).not.toMatchObject({ resultType: 'task' })
  expect(textIn(answer)).toContain('done')
})

verifies('mcp:templates', async () => {
  const { result } = await ask('resources/templates/list')
  const templates = (result.resourceTemplates as { uriTemplate: string }[]).map(({ uriTemplate }) => uriTemplate)
  expect(templates).toEqual(['toolyard://{session}/{+path}'])
})

verifies('mcp:listen', async () => {
  const path = '/mcp/s/heard'
  await call('file_write', { file_path: 'plan.md', content: 'one' }, { path })
  const uri = 'toolyard://heard/plan.md'
  const listening = await modernPost(
    url(),
    'subscriptions/listen',
    { notifications: { resourceSubscriptions: [uri] } },
    { path },
  )
  const reader = listening.body?.pipeThrough(new TextDecoderStream()).getReader()
  let heard = ''
  const hear = async (what: string) => {
    while (!heard.includes(what)) {
      const { value, done } = (await reader?.read()) ?? { done: true }
      if (done) break
      heard += value
    }
    return heard
  }
  expect(await hear('notifications/subscriptions/acknowledged')).toContain(uri)
  const put = await fetch(`${url()}/v1/sessions/heard/files/plan.md`, { method: 'PUT', body: 'two' })
  expect(put.ok).toBe(true)
  expect(await hear('notifications/resources/updated')).toContain('notifications/resources/updated')
  await reader?.cancel()
})

verifies('mcp:prompts', async () => {
  const { result } = await ask('prompts/list')
  const names = (result.prompts as { name: string }[]).map(({ name }) => name)
  expect(names).toEqual(['work_in_session', 'make_tool', 'write_chain'])
  const given = await ask('prompts/get', { name: 'work_in_session', arguments: { task: 'count the lines' } })
  expect(JSON.stringify(given.result.messages)).toContain('count the lines')
})
