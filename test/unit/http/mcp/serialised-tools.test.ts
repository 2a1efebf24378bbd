import { describe, expect, it } from 'vitest'
import { sessionName } from '../../../../src/core/ids.ts'
import { plainRequest, serveModern } from '../../../../src/http/dialects/mcp/modern.ts'
import { makeServer } from '../../../../src/http/dialects/mcp/server/server.ts'
import { SerialisedTools } from '../../../../src/http/dialects/mcp/server/tools/serialised-tools.ts'
import { openMcp } from './open.ts'

const PREFIX = 'io.modelcontextprotocol'
const NO_ONE = { key: null, agent: null }

/** Answer of the server to one request of 2026-07-28. */
async function answerOf({ services }: ReturnType<typeof openMcp>, method: string, params: object) {
  const _meta = { [`${PREFIX}/protocolVersion`]: '2026-07-28', [`${PREFIX}/clientCapabilities`]: {} }
  const body = { jsonrpc: '2.0', id: 'one', method, params: { ...params, _meta } }
  const name = 'name' in params ? { 'Mcp-Name': String(params.name) } : undefined
  const request = new Request('http://localhost/mcp', {
    method: 'POST',
    body: JSON.stringify(body),
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': method,
      ...name,
    },
  })
  return serveModern(request, body, {
    plain: plainRequest(request, body),
    makeServer,
    context: {
      ...{ era: 'modern', services, endpoint: { session: null, tools: { kind: 'all' } } },
      ...{ usualSession: sessionName('usual'), origin: 'http://localhost:8001' },
      goOn: () => {},
    },
  })
}

describe('a list as text', () => {
  const namesFor = async (mcp: ReturnType<typeof openMcp>) => {
    const { result } = (await (await answerOf(mcp, 'tools/list', {})).json()) as {
      result: { tools: { name: string }[]; ttlMs: number }
    }
    expect(result.ttlMs).toBeGreaterThan(0)
    return result.tools.map(({ name }) => name)
  }

  it('is what the same list is in the form of the SDK', async () => {
    const mcp = openMcp()
    const client = await mcp.client('modern', { kind: 'all' })
    expect(await namesFor(mcp)).toEqual((await client.listTools()).tools.map(({ name }) => name))
  })

  it("has another tenant's toolkits no more than before, and a new one at once", async () => {
    const [one, another] = [openMcp(), openMcp()]
    const before = await namesFor(one)
    await another.tenant.toolkits.change('workspace', true, NO_ONE)
    expect(await namesFor(another)).toContain('workspace_diff')
    expect(await namesFor(one)).toEqual(before)
    await one.tenant.toolkits.change('workspace', true, NO_ONE)
    expect(await namesFor(one)).toEqual(await namesFor(another))
  })

  it('is no part of an error', async () => {
    const answer = await answerOf(openMcp(), 'tools/list', { cursor: 'none' })
    expect(await answer.json()).toMatchObject({ id: 'one', error: { code: -32602 } })
  })

  it('may have any characters', async () => {
    const tools = [{ name: 'a', description: '$& $1 "tools":[]', inputSchema: { type: 'object' } }]
    const serialised = new SerialisedTools()
    serialised.take(tools as never)
    const answer = await serialised.putInto(Response.json({ result: { tools: [], ttlMs: 1 }, id: '"tools":[]' }))
    expect(await answer.json()).toEqual({ result: { tools, ttlMs: 1 }, id: '"tools":[]' })
  })
})

it('answers a call that reads or writes files by JSON, and one that may last by a stream', async () => {
  const mcp = openMcp()
  mcp.sessions.answer = () => ({ kind: 'done', result: { text: 'done', data: {} } })
  const typeOf = async (name: string, args: object) => {
    const answer = await answerOf(mcp, 'tools/call', { name, arguments: args })
    expect(await answer.text()).toContain('done')
    return answer.headers.get('Content-Type')
  }
  expect(await typeOf('file_read', { file_path: 'a' })).toMatch(/^application\/json/)
  expect(await typeOf('execute_shell', { command: 'true' })).toMatch(/^text\/event-stream/)
})
