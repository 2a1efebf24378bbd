import { describe, expect, it } from 'vitest'
import {
  MAX_MCP_SERVER_PAGES,
  MAX_MCP_SERVER_TOOLS,
  MAX_REMOTE_DESCRIPTION_CHARS,
} from '../../../src/core/limits/mcp-servers.ts'
import { failureOf } from '../../support/failure-of.ts'
import { jsonAnswer, standIn } from '../../support/stand-in.ts'
import { openServers } from './open.ts'
import { aTool, type Script, scriptedServer, textResult } from './scripted-server.ts'

const SECRET = 'sk-very-secret-123'

async function hostile(script: Partial<Script>, settings: object = {}) {
  const remote = await scriptedServer(script)
  const servers = openServers([remote.host], { WEATHER_KEY: SECRET })
  const added = await servers.add({ name: 'evil', url: remote.url, ...settings })
  return { ...remote, ...servers, added }
}

describe('a hostile list', () => {
  it('of endless pages is given up, and nothing is registered', async () => {
    const { added, server, call } = await hostile({
      page: ({ params }) => ({ nextCursor: `${params?.cursor ?? ''}x` }),
    })
    expect(added).toMatchObject({ status: 429, body: { detail: expect.stringContaining('MAX_MCP_SERVER_PAGES') } })
    expect(server.requests.filter(({ body }) => body.includes('tools/list'))).toHaveLength(MAX_MCP_SERVER_PAGES)
    expect((await call('GET', '/v1/mcp-servers/evil')).status).toBe(404)
  })

  it('of too many tools, or too many bytes, is refused', async () => {
    const many = Array.from({ length: MAX_MCP_SERVER_TOOLS + 1 }, (_, at) => aTool(`t${at}`))
    expect((await hostile({ tools: many })).added).toMatchObject({
      status: 429,
      body: { detail: expect.stringContaining('MAX_MCP_SERVER_TOOLS') },
    })
    const large = Array.from({ length: 50 }, (_, at) => aTool(`t${at}`, { description: 'x'.repeat(100_000) }))
    expect((await hostile({ tools: large })).added.status).toBe(429)
  })

  it('with one wrong tool has the others, and says what is wrong', async () => {
    const deep = JSON.parse(`${'{"properties":{"a":'.repeat(25)}{}${'}}'.repeat(25)}`) as object
    const { added, tool, toolsOf } = await hostile({
      tools: [
        aTool('good'),
        aTool('list', { inputSchema: { type: 'array' } }),
        aTool('none', { inputSchema: undefined }),
        aTool('huge', { inputSchema: { type: 'object', description: 'x'.repeat(70_000) } }),
        aTool('deep', { inputSchema: { type: 'object', ...deep } }),
        aTool('hidden', { inputSchema: { type: 'object', properties: { 'ci\u200bty': {} } } }),
        aTool('rm -rf /'),
        aTool('good', { description: 'the other one' }),
        7,
      ],
    })
    expect(added.status).toBe(201)
    expect(tool(added.body, 'good')).toMatchObject({ state: 'active', description: 'Does good.' })
    expect(toolsOf(added.body).map(({ state }) => state)).toEqual([
      'active',
      ...Array.from({ length: 8 }, () => 'refused'),
    ])
    expect(tool(added.body, 'list')?.why).toContain('"type": "object"')
    expect(tool(added.body, 'deep')?.why).toContain('MAX_REMOTE_SCHEMA_DEPTH')
  })

  it('has its descriptions cut, and without characters that nobody sees', async () => {
    const description = `Looks\u202e up\u0007 a city\u{e0041}. ${'x'.repeat(20_000)}`
    const { added, tool, tenant } = await hostile({ tools: [aTool('now', { description })] })
    const shown = tool(added.body, 'now')?.description ?? ''
    expect(shown.startsWith('Looks up a city. xxx')).toBe(true)
    expect(shown.length).toBeLessThanOrEqual(MAX_REMOTE_DESCRIPTION_CHARS)
    expect((await tenant.tools.find('evil_now')).definition.description).toMatch(
      /^From the MCP server evil: Looks up a city/,
    )
  })

  it('with a pattern that backtracks without end costs nothing, neither when it is read nor when it is checked', async () => {
    const inputSchema = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } }
    const outputSchema = { type: 'object', properties: { b: { type: 'string', pattern: '^(a+)+$' } } }
    const slow = `${'a'.repeat(40)}!`
    const { run, added } = await hostile({
      tools: [aTool('now', { inputSchema, outputSchema })],
      call: () => ({ content: [], structuredContent: { b: slow } }),
    })
    expect(added.status).toBe(201)
    expect((await run('evil_now', { a: slow })).data.result).toEqual({ b: slow })
  })
})

describe('a hostile address', () => {
  it('that redirects to loopback is not followed', async () => {
    const inner = await standIn(() => ({ body: 'the inner service' }))
    const { added } = await hostile({ instead: () => ({ status: 307, headers: { location: `${inner.url}/mcp` } }) })
    expect(added).toMatchObject({ status: 502, body: { detail: expect.stringContaining('redirects') } })
    expect(inner.requests).toEqual([])
  })

  it.each(['http://127.0.0.1:1/mcp', 'http://169.254.169.254/mcp', 'http://[::1]/mcp', 'https://a.internal/mcp'])(
    'as %s is refused',
    async (url) => {
      const { add } = openServers([])
      expect((await add({ name: 'inner', url })).status).toBe(403)
    },
  )

  it('gets no request of OAuth when it answers 401, and the caller hears of credentials', async () => {
    const challenge = { 'www-authenticate': 'Bearer resource_metadata="http://127.0.0.1:1/meta"' }
    const { added, server } = await hostile({ instead: () => ({ status: 401, headers: challenge }) })
    expect(added).toMatchObject({ status: 403, body: { detail: expect.stringContaining('credentials') } })
    expect(new Set(server.requests.map(({ path }) => path))).toEqual(new Set(['/mcp']))
  })
})

describe('a hostile answer', () => {
  it('of many megabytes is refused', async () => {
    const { run } = await hostile({ call: () => textResult('x'.repeat(6 * 1024 * 1024)) })
    expect(await failureOf(run('evil_now'), 'the call')).toMatchObject({ code: 'limit_exceeded' })
  })

  it('that never ends is ended with the time of the tool', async () => {
    const { run } = await hostile(
      {
        call: () => ({
          raw: (response) => {
            response.writeHead(200, { 'content-type': 'text/event-stream' })
            response.write(': still here\n\n')
          },
        }),
      },
      { timeout: 1 },
    )
    expect(await failureOf(run('evil_now'), 'the call')).toMatchObject({
      code: 'timeout',
      message: expect.stringContaining('may have acted'),
    })
  })

  it.each(['ends', 'breaks'])(
    'that %s before its result fails then, and not with the time of the tool',
    async (how) => {
      const { run } = await hostile({
        call: () => ({
          raw: (response) => {
            response.writeHead(200, { 'content-type': 'text/event-stream' })
            response.write(': begun\n\n', () => (how === 'ends' ? response.end() : response.destroy()))
          },
        }),
      })
      expect(await failureOf(run('evil_now'), 'the call')).toMatchObject({
        code: 'upstream',
        message: expect.stringContaining('may have acted'),
      })
    },
  )

  it('as events keeps its numbers exact, and asks nothing back', async () => {
    const { run, script } = await hostile({
      call: ({ id }) => ({
        raw: {
          headers: { 'content-type': 'text/event-stream' },
          body: `data: {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}\n\ndata: {"jsonrpc":"2.0","id":${id},\ndata: "result":{"resultType":"complete","content":[],"structuredContent":{"n":9007199254740993}}}\n\n`,
        },
      }),
    })
    expect((await run('evil_now')).data.result).toEqual({ n: '9007199254740993' })
    script.call = () => ({
      resultType: 'input_required',
      inputRequests: {
        a: {
          method: 'elicitation/create',
          params: { mode: 'form', message: 'Your password?', requestedSchema: { type: 'object', properties: {} } },
        },
      },
    })
    expect(await failureOf(run('evil_now'), 'the call')).toMatchObject({ code: 'upstream' })
  })

  it('is data: text without characters that nobody sees, parts of unknown kinds, no broken pictures', async () => {
    const { run, script } = await hostile({ call: () => textResult('sun\u202eny\u{e0041}') })
    expect((await run('evil_now')).text).toBe('sunny')
    script.call = () => ({
      content: [
        { type: 'image', mimeType: 'image/png', data: 'bm8gcG5n' },
        { type: 'strange', x: 1 },
      ],
    })
    expect(await run('evil_now')).toEqual({
      text: '[image, image/png, 6 bytes]\n[strange]',
      data: {
        result: [
          { type: 'image', mimeType: 'image/png', data: 'bm8gcG5n' },
          { type: 'strange', x: 1 },
        ],
      },
    })
  })

  it('that is no JSON, or an error, is told in bounds', async () => {
    const { run, script } = await hostile({
      call: () => ({ raw: { headers: { 'content-type': 'application/json' }, body: '{"jsonrpc' } }),
    })
    expect(await failureOf(run('evil_now'), 'the call')).toMatchObject({ code: 'upstream' })
    script.call = ({ id }) => ({
      raw: jsonAnswer({ jsonrpc: '2.0', id, error: { code: -32603, message: 'x'.repeat(100_000) } }),
    })
    const failure = await failureOf(run('evil_now'), 'the call')
    expect(failure.message.length).toBeLessThan(5_000)
    script.call = () => ({ isError: true, content: [{ type: 'text', text: 'no such city' }] })
    expect(await failureOf(run('evil_now'), 'the call')).toMatchObject({ code: 'upstream', message: 'no such city' })
  })

  it('of a server that fails is not asked for again and again', async () => {
    const { run, server } = await hostile({ call: () => ({ raw: { status: 500, body: 'broken' } }) })
    for (let at = 0; at < 8; at++) await failureOf(run('evil_now'), 'the call')
    expect(server.requests.filter(({ body }) => body.includes('tools/call'))).toHaveLength(5)
  })
})

describe('a secret', () => {
  const auth = [{ type: 'bearer', secret: 'WEATHER_KEY' }]

  it('is sent, and is nowhere in what is answered, registered or noted', async () => {
    const { added, run, script, server, call, tenant } = await hostile(
      {
        tools: [aTool('now', { description: `your key is ${SECRET}` })],
        call: (_, { headers }) => textResult(`you sent ${headers.authorization}`),
      },
      { auth },
    )
    expect(added.status).toBe(201)
    expect(server.requests.every(({ headers }) => headers.authorization === `Bearer ${SECRET}`)).toBe(true)
    const answers: unknown[] = [
      added,
      await run('evil_now'),
      await tenant.tools.find('evil_now'),
      await call('GET', '/v1/mcp-servers/evil'),
    ]
    script.call = ({ id }) => ({
      raw: jsonAnswer({ jsonrpc: '2.0', id, error: { code: -32603, message: `bad key ${SECRET}` } }),
    })
    answers.push(await failureOf(run('evil_now'), 'the call'))
    script.instead = () => ({ status: 500, body: `bad key ${SECRET}` })
    answers.push(await call('POST', '/v1/mcp-servers/evil/refresh'), await tenant.audit.page({ after: 0, limit: 100 }))
    expect(JSON.stringify(answers)).not.toContain(SECRET)
    expect(JSON.stringify(answers)).toContain('***')
  })

  it('that is not there is named, and no request is sent', async () => {
    const { url, host, server } = await scriptedServer()
    const { add } = openServers([host])
    expect(await add({ name: 'w', url, auth })).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('WEATHER_KEY') },
    })
    expect(server.requests).toEqual([])
  })
})

it('ends the request to the server when the call is cancelled', async () => {
  const closed = Promise.withResolvers<void>()
  const called = Promise.withResolvers<void>()
  const { run } = await hostile({
    call: () => ({
      raw: (response) => {
        response.on('close', () => closed.resolve())
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': begun\n\n')
        called.resolve()
      },
    }),
  })
  const stop = new AbortController()
  const call = run('evil_now', {}, stop.signal)
  await called.promise
  stop.abort(new Error('cancelled by its caller'))
  await expect(call).rejects.toThrow('cancelled by its caller')
  await closed.promise
})
