import { describe, expect, it } from 'vitest'
import { sessionName } from '../../../../src/core/ids.ts'
import type { MakeServer } from '../../../../src/http/dialects/mcp/context.ts'
import { plainRequest, serveModern } from '../../../../src/http/dialects/mcp/modern.ts'
import { makeServer } from '../../../../src/http/dialects/mcp/server/server.ts'
import { openMcp } from './open.ts'

const PREFIX = 'io.modelcontextprotocol'
const META = { [`${PREFIX}/protocolVersion`]: '2026-07-28', [`${PREFIX}/clientCapabilities`]: {} }

/** A request as a client sends it, or as one does that is in error. */
interface Sent {
  readonly method: string
  readonly params?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string | null>>
  readonly body?: object
}

function written({ method, params = {}, headers = {}, body: more = {} }: Sent) {
  const whole = { jsonrpc: '2.0', id: 7, method, params: { _meta: META, ...params }, ...more }
  const body: unknown = JSON.parse(JSON.stringify(whole))
  const name = params.name ?? params.uri
  const sent = {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    'MCP-Protocol-Version': '2026-07-28',
    'Mcp-Method': method,
    'Mcp-Name': typeof name === 'string' ? name : null,
    ...headers,
  }
  const kept = Object.entries(sent).flatMap(([header, value]) => (value === null ? [] : [[header, value] as const]))
  const request = new Request('http://localhost/mcp', {
    method: 'POST',
    body: JSON.stringify(body),
    headers: Object.fromEntries(kept),
  })
  return { request, body }
}

/** Server with a file, and its answers to one request: as it is, and by the SDK's handler alone. */
function opened() {
  const mcp = openMcp()
  mcp.sessions.answer = ({ tool, args }) =>
    Object(args).file_path === 'gone.md'
      ? { kind: 'failed', failure: { code: 'not_found', message: 'gone.md is not there' } }
      : { kind: 'done', result: { text: `${tool} is done`, data: {} } }
  async function answer(sent: Sent, mayBePlain: boolean) {
    const { request, body } = written(sent)
    let servers = 0
    const counted: MakeServer = (context) => {
      servers++
      return makeServer(context)
    }
    const answer = await serveModern(request, body, {
      plain: mayBePlain ? plainRequest(request, body) : null,
      makeServer: counted,
      context: {
        ...{ era: 'modern', services: mcp.services, endpoint: { session: null, tools: { kind: 'all' } } },
        ...{ usualSession: sessionName('usual'), origin: 'http://localhost:8001' },
        goOn: () => {},
      },
    })
    const type = answer.headers.get('Content-Type')
    return { reply: { status: answer.status, type, text: await answer.text() }, servers }
  }
  return async (sent: Sent) => {
    const [plain, sdk] = [await answer(sent, true), await answer(sent, false)]
    const { request, body } = written(sent)
    return { plain, sdk, isPlain: plainRequest(request, body) !== null }
  }
}

const read = (more: object = {}) => ({ method: 'tools/call', params: { name: 'file_read', arguments: {} }, ...more })
const capabilities = (value: unknown) => ({ _meta: { ...META, [`${PREFIX}/clientCapabilities`]: value } })

describe('a plain request of 2026-07-28 is answered as the SDK answers it', () => {
  it.each<readonly [string, Sent]>([
    ['discovery', { method: 'server/discover' }],
    ['all tools', { method: 'tools/list' }],
    ['a page that is none', { method: 'tools/list', params: { cursor: 'none' } }],
    ['resources', { method: 'resources/list' }],
    ['templates of resources', { method: 'resources/templates/list' }],
    ['a resource that is not there', { method: 'resources/read', params: { uri: 'toolyard://none/a.md' } }],
    ['prompts', { method: 'prompts/list' }],
    ['a prompt', { method: 'prompts/get', params: { name: 'work_in_session' } }],
    ['a prompt that is not there', { method: 'prompts/get', params: { name: 'none' } }],
    [
      'a completion',
      {
        method: 'completion/complete',
        params: {
          ref: { type: 'ref/resource', uri: 'toolyard://{session}/{path}' },
          argument: { name: 'session', value: '' },
        },
      },
    ],
    ['a call', read()],
    [
      'a call that wants progress',
      read({ body: { params: { name: 'file_read', _meta: { ...META, progressToken: 1 } } } }),
    ],
    ['a call that fails', read({ params: { name: 'file_read', arguments: { file_path: 'gone.md' } } })],
    ['a call with wrong arguments', read({ params: { name: 'file_read', arguments: { file_path: 1 } } })],
    ['a call whose arguments are no object', read({ params: { name: 'file_read', arguments: 'none' } })],
    ['a call of a meta-tool', { method: 'tools/call', params: { name: 'search_tools', arguments: { query: 'read' } } }],
    ['a client that takes streams first', read({ headers: { Accept: 'text/event-stream, application/json' } })],
    ['a client that takes JSON alone', read({ headers: { Accept: 'application/json' } })],
    ['an id that is text', read({ body: { id: 'seven' } })],
  ])('%s', async (_, sent) => {
    const { plain, sdk, isPlain } = await opened()(sent)
    expect(plain.reply).toEqual(sdk.reply)
    expect({ isPlain, servers: plain.servers }).toEqual({ isPlain: true, servers: 1 })
    expect(plain.reply.text).toMatch(/"(?:result|error)":/)
  })
})

describe('a request that is not plain is answered by the SDK', () => {
  it.each<readonly [string, Sent]>([
    ['another method in the header', { method: 'tools/list', headers: { 'Mcp-Method': 'prompts/list' } }],
    ['no method in a header', { method: 'tools/list', headers: { 'Mcp-Method': null } }],
    ['no revision in a header', { method: 'tools/list', headers: { 'MCP-Protocol-Version': null } }],
    ['an older revision in the header', { method: 'tools/list', headers: { 'MCP-Protocol-Version': '2025-11-25' } }],
    ['no name in a header', read({ headers: { 'Mcp-Name': null } })],
    ['another name in the header', read({ headers: { 'Mcp-Name': 'file_write' } })],
    ['a name in base64', read({ headers: { 'Mcp-Name': `=?base64?${btoa('file_read')}?=` } })],
    ['a name in broken base64', read({ headers: { 'Mcp-Name': '=?base64?%?=' } })],
    [
      'another revision in the body',
      { method: 'tools/list', params: { _meta: { ...META, [`${PREFIX}/protocolVersion`]: '2027-01-01' } } },
    ],
    ['an id that is none', { method: 'tools/list', body: { id: { no: 'id' } } }],
    ['no id', { method: 'tools/list', body: { id: undefined } }],
    ['a method that is not there', { method: 'tools/lists' }],
    ['a method of the older revisions', { method: 'ping' }],
  ])('%s', async (_, sent) => {
    const { plain, sdk, isPlain } = await opened()(sent)
    expect(plain.reply).toEqual(sdk.reply)
    expect(isPlain).toBe(false)
  })

  it.each<readonly [string, Sent]>([
    ['capabilities that are none', { method: 'tools/list', params: capabilities(null) }],
    ['no capabilities', { method: 'tools/list', params: capabilities(undefined) }],
    ['an id with a fraction', { method: 'tools/list', body: { id: 0.5 } }],
    ['another protocol', { method: 'tools/list', body: { jsonrpc: '1.0' } }],
    ['a result beside its method', { method: 'tools/list', body: { result: {} } }],
  ])('%s, although its headers are right', async (_, sent) => {
    const { plain, sdk, isPlain } = await opened()(sent)
    expect(plain.reply).toEqual(sdk.reply)
    expect({ isPlain, servers: plain.servers - sdk.servers }).toEqual({ isPlain: true, servers: 1 })
  })

  it('a call that may last, whose client takes a stream', async () => {
    const { plain, sdk } = await opened()({
      method: 'tools/call',
      params: { name: 'execute_shell', arguments: { command: 'true' } },
    })
    expect(plain).toEqual(sdk)
    expect(plain.reply.type).toBe('text/event-stream')
  })
})
