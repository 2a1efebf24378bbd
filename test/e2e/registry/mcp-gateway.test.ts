import { rm } from 'node:fs/promises'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type OlderServer, startOlderServer } from '../../support/older-mcp-server.ts'
import { scratchDirectory } from '../../support/sandboxd.ts'
import { askWith, newOwner, newTenant } from '../../support/tenants.ts'
import { startToolyard, type Toolyard } from '../../support/toolyard.ts'
import { startWorkerd, type Workerd } from '../../support/worker/workerd.ts'

/** A Toolyard that is an MCP server, another one that is its client, and a server of an older revision. */
let far: Toolyard
let near: Workerd
let older: OlderServer
let farKey = ''
let nearKey = ''
let state = ''

beforeAll(async () => {
  state = await scratchDirectory()
  older = await startOlderServer()
  far = await startToolyard()
  farKey = (await newTenant(far)).key
  const adminToken = 'admin-token-of-the-tests'
  const hosts = [new URL(far.url).host, older.host].join(',')
  const secrets = { ADMIN_TOKEN: adminToken, SECRETS_KEY: 'secrets-key-of-the-tests' }
  near = await startWorkerd(state, { ...secrets, DANGEROUSLY_ALLOW_HOSTS: hosts })
  nearKey = (await newOwner({ ...far, url: near.url, adminToken })).key
  await nearby('PUT', '/v1/secrets/FAR_KEY', { value: farKey })
  await nearby('POST', '/v1/sessions', { name: 'near' })
  await away('POST', '/v1/sessions', { name: 'far' })
  const auth = [{ type: 'bearer', secret: 'FAR_KEY' }]
  const added = await nearby('POST', '/v1/mcp-servers', {
    name: 'far',
    url: `${far.url}/mcp/s/far`,
    auth,
    timeout: 300,
  })
  expect(added).toMatchObject({ status: 201, body: { revision: '2026-07-28', quarantined: 0, refused: 0 } })
})

afterAll(async () => {
  await near?.kill()
  await far?.stop()
  await older?.stop()
  if (state !== '') await rm(state, { recursive: true, force: true })
})

const nearby = (method: string, path: string, body?: object) => askWith(nearKey, near, method, path, body)
const away = (method: string, path: string, body?: object) => askWith(farKey, far, method, path, body)
const call = (tool: string, args: object, session = 'near') =>
  nearby('POST', `/v1/sessions/${session}/calls`, { tool, arguments: args })

/** State and answer of the newest call of the session that the other Toolyard has. */
async function newestAway() {
  const { data } = (await away('GET', '/v1/sessions/far/calls?limit=1')).body as { data?: readonly object[] }
  return data?.[0]
}

const CANCELLED = { state: 'failed', answer: expect.stringContaining('cancelled') }

it('calls its tools: files that are linked, errors in its words, and pictures', async () => {
  const written = await call('far_file_write', { file_path: 'notes/plan.md', content: 'far away' })
  expect(written).toMatchObject({ status: 200, body: { state: 'done' } })
  expect(JSON.stringify(written.body)).toContain('toolyard://far/notes/plan.md')
  expect((await call('far_file_read', { file_path: 'notes/plan.md' })).body).toMatchObject({
    text: expect.stringContaining('far away'),
  })
  expect((await call('far_file_read', { file_path: 'none.txt' })).body).toMatchObject({
    state: 'failed',
    error: { message: expect.stringContaining('File not found: none.txt') },
  })
  const code = `from IPython.display import Image, display
import base64
display(Image(base64.b64decode("${DOT}")))`
  const drawn = await call('far_call_tool', { name: 'notebook_execute', arguments: { code } })
  expect(JSON.stringify(drawn.body)).toContain(DOT)
})

it('shows what a command there prints while it runs, and cancels it there with the call here', async () => {
  const answer = await fetch(`${near.url}/v1/sessions/near/calls`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${nearKey}`,
      'content-type': 'application/json',
      accept: 'text/event-stream',
    },
    // The command would outlive the test: what is heard is heard while it runs.
    body: JSON.stringify({ tool: 'far_execute_shell', arguments: { command: 'echo begun; sleep 600' } }),
  })
  let heard = ''
  let cancelled = false
  for await (const text of (answer.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream())) {
    heard += text
    const { id } = /"call_id":"(?<id>[^"]+)"/.exec(heard)?.groups ?? {}
    if (cancelled || !heard.includes('] begun')) continue
    cancelled = true
    expect((await nearby('POST', `/v1/sessions/near/calls/${id}/cancel`)).status).toBe(200)
  }
  expect(heard).toMatch(/event: stdout\n.*\[\d+\] begun/s)
  expect(heard).toContain('cancelled')
  expect(heard).not.toContain(farKey)
  await expect.poll(newestAway).toMatchObject(CANCELLED)
})

it('passes progress on to a client of MCP, which cancels the command by leaving', async () => {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  const url = new URL(`${near.url}/mcp/s/near?tools=search`)
  await client.connect(
    new StreamableHTTPClientTransport(url, { requestInit: { headers: { authorization: `Bearer ${nearKey}` } } }),
  )
  const leaving = new AbortController()
  const heard: string[] = []
  const called = client.callTool(
    {
      name: 'call_tool',
      arguments: { name: 'far_execute_shell', arguments: { command: 'while echo again; do sleep 1; done' } },
    },
    {
      signal: leaving.signal,
      onprogress({ message = '' }) {
        heard.push(message)
        if (message.includes('again')) leaving.abort()
      },
    },
  )
  await expect(called).rejects.toThrow()
  expect(heard.at(-1)).toMatch(/^\[\d+\] again$/)
  await expect.poll(newestAway).toMatchObject(CANCELLED)
  await client.close()
})

it('ends the session that an older server keeps with the own, also where that server hangs', async () => {
  const added = await nearby('POST', '/v1/mcp-servers', { name: 'older', url: `${older.url}/mcp` })
  expect(added).toMatchObject({ status: 201, body: { revision: '2025-06-18' } })
  for (const [session, onEnd] of [
    ['calm', { status: 204 }],
    ['hung', () => undefined],
  ] as const) {
    await nearby('POST', '/v1/sessions', { name: session })
    expect((await call('older_count', {}, session)).body).toMatchObject({ text: 'call 1' })
    const [kept] = older.sessions.keys()
    older.onEnd = onEnd
    expect((await nearby('DELETE', `/v1/sessions/${session}`)).status).toBe(204)
    await expect.poll(() => older.ended).toContain(kept)
  }
})

/** A picture of one pixel, as PNG. */
const DOT = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='
