import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { guardedHttp } from '../../../../src/adapters/http-guarded.ts'
import { FailureError } from '../../../../src/core/failure.ts'
import { MAX_ERROR_BODY_CHARS } from '../../../../src/core/limits/registry.ts'
import type { Result } from '../../../../src/core/outcome.ts'
import { outermost } from '../../../../src/registry/chain/budget.ts'
import { ToolDefinition } from '../../../../src/registry/definition.ts'
import { SessionCircuits } from '../../../../src/session/circuits.ts'
import { execute } from '../../../../src/tools/registered/execute.ts'
import type { Execution } from '../../../../src/tools/registered/execution.ts'
import { failureOf } from '../../../support/failure-of.ts'
import { NO_TOOLBOX } from '../../../support/no-toolbox.ts'
import { NOTHING_OUTSIDE } from '../../../support/nothing-outside.ts'
import { jsonAnswer, type StandIn, standIn } from '../../../support/stand-in.ts'

interface Given {
  readonly request?: object
  readonly path?: string
  readonly timeout?: number
  readonly secrets?: Readonly<Record<string, string>>
}

/** A tool of a service on this machine. */
function aTool(service: Pick<StandIn, 'url' | 'host'>, { request, path = '/', timeout = 5, secrets = {} }: Given = {}) {
  let now = Date.now()
  const started = performance.now()
  const clock = { now: () => now + Math.floor(performance.now() - started) }
  const policy = { extraPorts: [], dangerouslyAllowHosts: [service.host] }
  const ports = {
    circuits: new SessionCircuits(clock.now),
    clock,
    http: guardedHttp({ policy, resolve: null, send: fetch }),
    secrets: async (name: string) => secrets[name] ?? null,
    mcpServers: NOTHING_OUTSIDE.mcpServers,
    python: { call: noOther },
    toolbox: NO_TOOLBOX,
  }
  const definitionAt = (path: string) =>
    ToolDefinition.parse({
      id: 'a.tool',
      name: 'A tool',
      description: '',
      input_schema: {},
      timeout,
      executor: { kind: 'http', target: `${service.url}${path}`, ...(request && { request }) },
    })
  let definition = definitionAt(path)
  const sum = { bytesIn: 0, bytesOut: 0 }
  const used = ({ bytesIn = 0, bytesOut = 0 }: Parameters<Execution['used']>[0]) => {
    sum.bytesIn += bytesIn
    sum.bytesOut += bytesOut
  }
  const call = (args: Record<string, unknown> = {}, signal = new AbortController().signal): Promise<Result> =>
    execute({ ...ALONE, definition, args, used, context: { who: 'me' } }, ports, signal)
  return {
    call,
    /** What all calls came to. */
    sum,
    value: async (args?: Record<string, unknown>) => (await call(args)).data.result,
    failure: (args?: Record<string, unknown>) => failureOf(call(args), 'the call'),
    /** A new version of it. */
    sendTo(path: string) {
      definition = definitionAt(path)
    },
    later(ms: number) {
      now += ms
    },
  }
}

const noOther = async (): Promise<never> => {
  throw new Error('it calls no other tools')
}
const ALONE = { nesting: outermost() }

const IN_DOUBT = 'no answer came back, but the service may have acted on the call; look there before you repeat it'

const drop = (response: ServerResponse) => void response.destroy()
const breakOffInTheBody = (response: ServerResponse) => {
  response.writeHead(200, { 'content-length': '100' })
  response.write('half of it', () => response.destroy())
}

/** Answers with what it was asked. */
const echo = () =>
  standIn(({ method, path, headers, body }) => jsonAnswer({ method, path, headers, body: body || null }))

describe("a tool in Toolcore's form", () => {
  it('posts args and context and no more, and gives the object that comes back', async () => {
    const service = await standIn(() => jsonAnswer({ ok: [1] }))
    expect(await aTool(service).call({ a: 'ü' })).toEqual({ text: '{"ok":[1]}', data: { result: { ok: [1] } } })
    const [request] = service.requests
    expect([request?.method, request?.path, request?.body]).toEqual([
      'POST',
      '/',
      '{"args":{"a":"ü"},"context":{"who":"me"}}',
    ])
    expect(request?.headers['content-type']).toBe('application/json')
    expect(request?.headers.authorization).toBeUndefined()
  })

  it('takes null for a result', async () => {
    expect(await aTool(await standIn(() => ({ body: 'null' }))).value()).toBe(null)
  })

  it.each([
    [
      200,
      '[1]',
      /^Unexpected error: 1 validation error for ToolCallResult\nresult\n {2}Input should be a valid dictionary .*input_type=list/,
    ],
    [200, '7', /input_type=int/],
    [200, '<p>', /^Unexpected error: Expecting value: line 1 column 1 \(char 0\)$/],
    [204, '', /^Unexpected error: Expecting value: line 1 column 1 \(char 0\)$/],
    [200, '{"a":\n', /^Unexpected error: Expecting value: line 2 column 1 \(char 6\)$/],
    [500, 'all of it', /^HTTP 500: all of it$/],
    [404, '{"detail":"no"}', /^HTTP 404: \{"detail":"no"\}$/],
  ])("says of %i %s what Toolcore's says", async (status, body, message) => {
    const service = await standIn(() => ({ status, body: status === 204 ? undefined : body }) as never)
    expect((await aTool(service).failure()).message).toMatch(message)
  })

  it('takes no answer for one that it cannot read: not in another encoding than JSON has', async () => {
    const service = await standIn(() => ({ body: new Uint8Array([...Buffer.from('{"a":"caf'), 0xe9, 0x22, 0x7d]) }))
    expect((await aTool(service).failure()).message).toBe('Unexpected error: the answer is not UTF-8, as JSON must be')
  })

  it.each([
    ['text/plain; charset=iso-8859-1', 'café'],
    ['text/plain; charset="windows-1252"', 'café'],
    ['text/plain; charset=nobody-knows', 'caf\ufffd'],
    ['text/plain', 'caf\ufffd'],
  ])('reads an error that is said to be %s as %s', async (contentType, why) => {
    const body = Uint8Array.of(0x63, 0x61, 0x66, 0xe9)
    const service = await standIn(() => ({ status: 500, headers: { 'content-type': contentType }, body }))
    expect((await aTool(service).failure()).message).toBe(`HTTP 500: ${why}`)
  })

  it('does not follow a redirect', async () => {
    const service = await standIn(() => ({ status: 302, headers: { location: 'http://10.0.0.1/' } }))
    expect(await aTool(service).failure()).toMatchObject({ message: 'HTTP 302: ' })
  })

  it('gives the time for the whole call: to who drips, who never begins, and who never ends', async () => {
    for (const slow of [
      await standIn(() => () => undefined),
      await standIn(() => (response) => {
        response.writeHead(200)
        const drip = setInterval(() => response.write(' '), 20)
        response.on('close', () => clearInterval(drip))
      }),
    ]) {
      expect(await aTool(slow, { timeout: 1 }).failure()).toEqual({ code: 'timeout', message: 'Timeout after 1s' })
    }
  })

  it('says whom it cannot reach, and that the call may have been carried out: it was posted', async () => {
    const gone = await standIn(() => ({}))
    const tool = aTool(gone)
    await gone.stop()
    const message = `Connection failed: ${gone.url}/ (${IN_DOUBT})`
    expect(await tool.failure()).toEqual({ code: 'upstream', message })
    const dropping = await standIn(() => drop)
    const dropped = `Connection failed: ${dropping.url}/ (${IN_DOUBT})`
    expect(await aTool(dropping).failure()).toEqual({ code: 'upstream', message: dropped })
  })

  it('shows the beginning of a long error only', async () => {
    const service = await standIn(() => ({ status: 500, body: 'x'.repeat(100_000) }))
    expect((await aTool(service).failure()).message).toHaveLength(MAX_ERROR_BODY_CHARS + 'HTTP 500: …'.length)
  })

  it('has no way to a private address', async () => {
    const service = { url: 'http://10.0.0.1', host: '127.0.0.1:1' }
    expect(await aTool(service).failure()).toMatchObject({ code: 'forbidden' })
  })
})

describe('a request made of arguments', () => {
  it('fills path, query, headers and cookies', async () => {
    const tool = aTool(await echo(), {
      path: '/v1/pets/{petId}/photos?v=2',
      request: {
        query: {
          limit: '{limit}',
          tag: '{tags}',
          ids: { arg: 'ids', explode: false },
          at: { arg: 'at', style: 'deepObject' },
          flag: true,
          q: 'name:{name}',
          gone: '{gone}',
          also: 'x{gone}',
        },
        headers: { 'X-Trace': 'id-{name}', 'X-List': '{ids}', 'X-Gone': '{gone}' },
        cookies: { seen: '{name}' },
      },
    })
    const args = { petId: 'a/b c?', limit: 3, tags: ['x', 'y&z'], ids: [1, 2], at: { lat: 1.5, to: 'é' }, name: 'Bo' }
    expect(await tool.value(args)).toMatchObject({
      method: 'GET',
      path: '/v1/pets/a%2Fb%20c%3F/photos?v=2&limit=3&tag=x&tag=y%26z&ids=1,2&at%5Blat%5D=1.5&at%5Bto%5D=%C3%A9&flag=true&q=name%3ABo',
      headers: expect.objectContaining({ 'x-trace': 'id-Bo', 'x-list': '1,2', cookie: 'seen=Bo' }),
      body: null,
    })
  })

  it('makes bodies: JSON of what is left or of named fields, a form, one argument', async () => {
    const service = await echo()
    const sent = async (body: object, args: Record<string, unknown>) => {
      const got = await aTool(service, { path: '/{id}', request: { method: 'PUT', body } }).value(args)
      const { headers, body: text } = got as { headers: Record<string, string>; body: string }
      return [headers['content-type'], text]
    }
    const args = { id: 1, a: [true], b: 'é&' }
    expect(await sent({ as: 'json', fixed: { k: null } }, args)).toEqual([
      'application/json',
      '{"k":null,"a":[true],"b":"é&"}',
    ])
    expect(await sent({ as: 'json', fields: { A: 'a', C: 'c' } }, args)).toEqual(['application/json', '{"A":[true]}'])
    expect(await sent({ as: 'form', fields: { b: 'b', a: 'a' } }, { ...args, a: [1, 2] })).toEqual([
      'application/x-www-form-urlencoded',
      'b=%C3%A9%26&a=1&a=2',
    ])
    expect(await sent({ as: 'argument', arg: 'b', media_type: 'text/plain' }, args)).toEqual(['text/plain', 'é&'])
    expect(await sent({ as: 'argument', arg: 'a' }, args)).toEqual(['application/json', '[true]'])
  })

  it('takes any answer: JSON, text, nothing, bytes', async () => {
    const value = async (headers: Record<string, string>, body: string | Uint8Array) =>
      aTool(await standIn(() => ({ headers, body })), { request: {} }).value()
    expect(await value({ 'content-type': 'text/html' }, '[1,"a"]')).toEqual([1, 'a'])
    expect(await value({ 'content-type': 'application/json' }, 'oh no')).toBe('oh no')
    expect(await value({}, '')).toBe(null)
    expect(await value({ 'content-type': 'image/png' }, Uint8Array.of(1, 2))).toEqual({
      type: 'binary',
      media_type: 'image/png',
      data: 'AQI=',
    })
    expect(await value({ 'content-type': 'text/plain' }, Uint8Array.of(255, 254))).toMatchObject({ type: 'binary' })
    const latin = { 'content-type': 'text/html; charset=ISO-8859-1' }
    expect(await value(latin, Uint8Array.of(0x63, 0xe9))).toBe('cé')
    expect(await value({ 'content-type': 'text/plain; charset="none such"' }, 'é')).toBe('é')
    expect(await value({}, '{"id":9007199254740993,"far":1e400}')).toEqual({ id: '9007199254740993', far: '1e400' })
    const deep = '['.repeat(50_000) + ']'.repeat(50_000)
    expect(await value({ 'content-type': 'application/json' }, deep)).toBe(deep)
  })

  it('refuses an answer that is larger than the tool takes', async () => {
    const service = await standIn(() => ({ body: 'x'.repeat(101) }))
    expect(await aTool(service, { request: { max_answer_bytes: 100 } }).failure()).toMatchObject({
      code: 'limit_exceeded',
      message: expect.stringMatching(/larger than 100 bytes.*max_answer_bytes.*ask for less/),
    })
  })
})

describe('arguments of an attacker', () => {
  it('make no second header, and none of another name', async () => {
    const service = await echo()
    const tool = aTool(service, { request: { headers: { 'X-Note': '{note}' }, cookies: { c: '{note}' } } })
    for (const note of ['a\r\nX-Admin: 1', 'a\nb', 'a\0b', 'é']) {
      expect([note, await tool.failure({ note })]).toEqual([note, expect.objectContaining({ code: 'invalid_input' })])
    }
    expect(service.requests).toEqual([])
    const cookie = aTool(service, { request: { cookies: { c: '{note}' } } })
    await cookie.value({ note: 'a; admin=1\r\nX-Admin: 1' })
    expect(service.requests[0]?.headers.cookie).toBe('c=a%3B%20admin%3D1%0D%0AX-Admin%3A%201')
  })

  it.each(['..', '.', '../admin', '..\\admin', 'a/../../admin', ''])('do not leave the path by %j', async (id) => {
    const service = await echo()
    expect(await aTool(service, { path: '/pets/{id}', request: {} }).failure({ id })).toMatchObject({
      code: 'invalid_input',
    })
    expect(service.requests).toEqual([])
  })

  it('do not leave it by two that are harmless alone, nor by escapes', async () => {
    const service = await echo()
    const tool = aTool(service, { path: '/pets/{a}{b}/x', request: {} })
    expect(await tool.failure({ a: '.', b: '.' })).toMatchObject({ code: 'invalid_input' })
    expect(await tool.failure({ a: 'q' })).toMatchObject({ code: 'invalid_input' })
    expect(await tool.value({ a: '%2e', b: '%2e' })).toMatchObject({ path: '/pets/%252e%252e/x' })
  })

  it('change nothing that is fixed, nor a parameter of another name', async () => {
    const service = await echo()
    const fixed = { account: 'mine' }
    for (const as of ['json', 'form']) {
      const tool = aTool(service, { request: { method: 'POST', body: { as, fixed } } })
      expect(await tool.value({ account: 'theirs' })).toMatchObject({
        body: as === 'json' ? '{"account":"mine"}' : 'account=mine',
      })
    }
    const auth = [{ type: 'query', name: 'key', secret: 'KEY' }]
    const query = { account: 'mine', days: '{days}', deep: { arg: 'deep', style: 'deepObject' }, 'deep[a]': 'mine' }
    const tool = aTool(service, { path: '/?unit=kg', request: { query, auth }, secrets: { KEY } })
    const before = service.requests.length
    for (const name of ['account', 'key', 'unit']) {
      expect(await tool.failure({ days: { [name]: 'theirs' } })).toMatchObject({ code: 'invalid_input' })
    }
    expect(await tool.failure({ deep: { a: 'theirs' } })).toMatchObject({ code: 'invalid_input' })
    // What Go, ASP.NET and PHP would take for it.
    for (const name of ['ACCOUNT', 'account[x]', 'Key', 'unit[]', ' account']) {
      expect(await tool.failure({ days: { [name]: 'theirs' } })).toMatchObject({ code: 'invalid_input' })
    }
    expect(await tool.failure({ deep: { 'a][b': 'theirs' } })).toMatchObject({ code: 'invalid_input' })
    const body = aTool(service, {
      request: { method: 'POST', body: { as: 'json', fixed }, auth: [{ ...auth[0], type: 'body' }] },
      secrets: { KEY },
    })
    for (const name of ['Account', 'ACCOUNT', 'account[x]', 'KEY']) {
      expect(await body.failure({ [name]: 'theirs' })).toMatchObject({ code: 'invalid_input' })
    }
    expect(service.requests).toHaveLength(before)
    expect(await tool.value({ days: { other: 1 } })).toMatchObject({ path: expect.stringContaining('other=1') })
  })

  it.each([
    { target: 'http://{host}/' },
    { target: 'http://example.com{rest}' },
    { target: 'http://user:{x}@example.com/' },
    { target: 'ftp://example.com/{x}' },
    { request: { headers: { Authorization: '{token}' } } },
    { request: { headers: { Host: 'internal' } } },
    { request: { headers: { 'Content-Length': '0' } } },
    { request: { headers: { 'transfer-encoding': 'chunked' } } },
    { request: { headers: { 'X A': '1' } } },
    { request: { headers: { cookie: '{c}' } } },
    { request: { method: 'GET', body: { as: 'json' } } },
    { request: { auth: [{ type: 'header', name: 'Host', secret: 'A' }] } },
    { request: { auth: [{ type: 'bearer', secret: 'sk-value-itself' }] } },
  ])('have no part in %j, which is no definition', ({ target = 'http://example.com/', request = {} }) => {
    const definition = { id: 'a', name: 'a', description: '', input_schema: {} }
    expect(ToolDefinition.safeParse({ ...definition, executor: { kind: 'http', target, request } }).success).toBe(false)
  })
})

const SECRET = 'k/3y"ü of-the-tenant'
const KEY = 'key-0123456789'

describe('secrets', () => {
  it('go where the definition says', async () => {
    const service = await echo()
    const secrets = { KEY, PAIR: 'ann:pa55' }
    const sent = async (auth: object[], more: object = {}) => {
      await aTool(service, { request: { auth, ...more }, secrets }).value()
      return service.requests.at(-1)
    }
    expect((await sent([{ type: 'bearer', secret: 'KEY' }]))?.headers.authorization).toBe(`Bearer ${KEY}`)
    expect((await sent([{ type: 'basic', secret: 'PAIR' }]))?.headers.authorization).toBe(`Basic ${btoa('ann:pa55')}`)
    expect((await sent([{ type: 'header', name: 'X-Key', secret: 'KEY' }]))?.headers['x-key']).toBe(KEY)
    expect((await sent([{ type: 'query', name: 'key', secret: 'KEY' }]))?.path).toBe(`/?key=${KEY}`)
    expect((await sent([{ type: 'cookie', name: 's', secret: 'KEY' }]))?.headers.cookie).toBe(`s=${KEY}`)
    const body = { method: 'POST', body: { as: 'json' } }
    expect((await sent([{ type: 'body', name: 'k', secret: 'KEY' }], body))?.body).toBe(`{"k":"${KEY}"}`)
  })

  it('never come back, in whatever form the service gives them', async () => {
    const escaped = 'k\\/3y\\"\\u00fc of-the-tenant'
    const bodies = [SECRET, encodeURIComponent(SECRET), JSON.stringify(SECRET), `{"a":{"b":["${escaped}"]}}`]
    const request = { auth: [{ type: 'query', name: 'key', secret: 'KEY' }] }
    for (const body of bodies) {
      for (const status of [200, 500]) {
        const tool = aTool(await standIn(() => ({ status, body })), { request, secrets: { KEY: SECRET } })
        const answer = JSON.stringify(status === 200 ? await tool.call() : await tool.failure())
        expect([body, answer.includes('of-the-tenant'), answer.includes('***')]).toEqual([body, false, true])
      }
    }
    const service = await standIn(({ headers }) => ({ body: headers.authorization ?? '' }))
    const basic = aTool(service, {
      request: { auth: [{ type: 'basic', secret: 'P' }] },
      secrets: { P: 'ann:pa55word' },
    })
    expect(await basic.value()).toBe('Basic ***')
  })

  it('never come back as a number, as a form, in small letters, or as bytes', async () => {
    const secrets = { KEY: '00123456789012345678', WORDS: "two words/of-the-tenant('x')" }
    const request = {
      auth: [
        { type: 'query', name: 'a', secret: 'KEY' },
        { type: 'query', name: 'b', secret: 'WORDS' },
      ],
    }
    const shown = async (body: string, type = 'application/json') => {
      const service = await standIn(() => ({ headers: { 'content-type': type }, body }))
      return aTool(service, { request, secrets }).value()
    }
    expect(await shown('{"a":[123456789012345678,7]}')).toEqual({ a: ['***', 7] })
    expect(await shown('{"a":[123456789012345680,7]}')).toEqual({ a: ['***', 7] })
    expect(await shown(`b=${new URLSearchParams([['', secrets.WORDS]]).toString().slice(1)}`, 'text/plain')).toBe(
      'b=***',
    )
    const small = encodeURIComponent(secrets.WORDS).replaceAll('%2F', '%2f')
    expect(await shown(`b=${small}`, 'text/plain')).toBe('b=***')
    const { data } = (await shown(`PK${secrets.WORDS}`, 'application/zip')) as { data: string }
    expect(atob(data)).toBe(`PK${'*'.repeat(secrets.WORDS.length)}`)
  })

  it('that are not kept are named, and nothing is sent', async () => {
    const service = await echo()
    const tool = aTool(service, { request: { auth: [{ type: 'bearer', secret: 'KEY' }] } })
    expect(await tool.failure()).toEqual({ code: 'conflict', message: expect.stringContaining('/v1/secrets/KEY') })
    expect(service.requests).toEqual([])
  })

  it('stay with the origin that they are for', async () => {
    const other = await echo()
    const service = await standIn(() => ({ status: 302, headers: { location: `${other.url}/` } }))
    const http = { url: service.url, host: service.host }
    const tool = aTool(http, {
      request: { auth: [{ type: 'header', name: 'X-Key', secret: 'KEY' }] },
      secrets: { KEY },
    })
    // Another port of this machine is as any private address.
    expect(await tool.failure()).toMatchObject({ code: 'forbidden' })
    expect(other.requests).toEqual([])
  })

  it('have no line break that would begin a header', async () => {
    const request = { auth: [{ type: 'header', name: 'X-Key', secret: 'KEY' }] }
    const tool = aTool(await echo(), { request, secrets: { KEY: 'a\r\nX-Admin: 1' } })
    expect(await tool.failure()).toMatchObject({ code: 'conflict' })
  })
})

describe('a service that acts and breaks the connection off', () => {
  it.each(['POST', 'PATCH'])('is asked once with %s, and the failure says that it may have acted', async (method) => {
    for (const broken of [drop, breakOffInTheBody]) {
      const service = await standIn(() => broken)
      const message = `Connection failed: ${IN_DOUBT}`
      expect(await aTool(service, { request: { method } }).failure()).toEqual({ code: 'upstream', message })
      expect(service.requests).toHaveLength(1)
    }
  })

  it('says so of an answer that came too late, too', async () => {
    const service = await standIn(() => () => undefined)
    expect(await aTool(service, { timeout: 1, request: { method: 'POST' } }).failure()).toEqual({
      code: 'timeout',
      message: `Timeout after 1s: ${IN_DOUBT}`,
    })
  })

  it.each(['GET', 'PUT', 'DELETE'])(
    'is asked again with %s, which may be repeated, and fails as unreachable',
    async (method) => {
      const service = await standIn(() => drop)
      const request = { method, retry: { attempts: 3, backoff_ms: 1 } }
      expect(await aTool(service, { request }).failure()).toEqual({
        code: 'upstream',
        message: `${service.host} cannot be reached; check the URL, or try again later`,
      })
      expect(service.requests).toHaveLength(3)
    },
  )
})

describe('a service that fails', () => {
  const passing = (statuses: number[], headers: Record<string, string> = {}) =>
    standIn(() => ({ status: statuses.shift() ?? 200, headers, body: '"ok"' }))
  const quick = { retry: { attempts: 3, backoff_ms: 1 } }

  it('is asked again when it may pass, and the method may be repeated', async () => {
    const service = await passing([503, 429])
    expect(await aTool(service, { request: quick }).value()).toBe('ok')
    expect(service.requests).toHaveLength(3)
    const broken = await passing([500])
    expect(await aTool(broken, { request: quick }).failure()).toMatchObject({ message: 'HTTP 500: "ok"' })
    expect(broken.requests).toHaveLength(1)
    const post = await passing([503])
    expect(await aTool(post, { request: { method: 'POST' } }).failure()).toMatchObject({ code: 'upstream' })
    expect(post.requests).toHaveLength(1)
    const wanted = await passing([503])
    expect(await aTool(wanted, { request: { method: 'POST', ...quick } }).value()).toBe('ok')
  })

  it('gets and gives bytes that count, each time that it is asked', async () => {
    const service = await passing([503, 500], { 'retry-after': '0' })
    const tool = aTool(service, { request: { method: 'PUT', body: { as: 'json' }, retry: { attempts: 2 } } })
    expect(await tool.failure({ a: 'é' })).toMatchObject({ message: 'HTTP 500: "ok"' })
    expect(tool.sum).toEqual({ bytesIn: 2 * '{"a":"é"} '.length, bytesOut: 2 * '"ok"'.length })
  })

  it('is waited for as long as it says, if there is time', async () => {
    const soon = await passing([503], { 'retry-after': '0' })
    expect(await aTool(soon, { request: {} }).value()).toBe('ok')
    const fractions = await passing([503], { 'retry-after': '3.5' })
    expect(await aTool(fractions, { request: {}, timeout: 3 }).failure()).toMatchObject({ code: 'upstream' })
    expect(fractions.requests).toHaveLength(1)
    const late = await passing([503], { 'retry-after': '60' })
    expect(await aTool(late, { request: {} }).failure()).toEqual({
      ...{ code: 'upstream', message: 'HTTP 503: "ok"' },
      data: { retry_after_seconds: 60 },
    })
    expect(late.requests).toHaveLength(1)
  })

  it('takes no more than the time of the call, attempts and pauses together', async () => {
    const service = await standIn(() => ({ status: 503 }))
    const tool = aTool(service, { request: { retry: { attempts: 5, backoff_ms: 600 } }, timeout: 1 })
    // The time may be over in a pause, or in an attempt.
    expect(['upstream', 'timeout']).toContain((await tool.failure()).code)
    // Pauses are half to all of 0.6, 1.2 and 2.4 s: the fourth attempt would come after 2.1 s.
    expect(service.requests.length).toBeLessThanOrEqual(3)
  })

  it('is left alone after five failures, for half a minute, and then one call tries', async () => {
    let status = 500
    const service = await standIn(() => ({ status, body: '"ok"' }))
    const tool = aTool(service, { request: {} })
    for (let n = 0; n < 5; n++) expect(await tool.failure()).toMatchObject({ message: 'HTTP 500: "ok"' })
    const refused = await tool.failure()
    expect(refused).toEqual({ code: 'upstream', message: expect.stringMatching(/a\.tool .*5 times.* in 30 seconds/) })
    expect(service.requests).toHaveLength(5)
    tool.later(31_000)
    expect(await tool.failure()).toMatchObject({ message: 'HTTP 500: "ok"' })
    expect((await tool.failure()).message).toContain('left alone')
    expect(service.requests).toHaveLength(6)
    tool.later(31_000)
    status = 200
    const both = await Promise.allSettled([tool.value(), tool.value()])
    expect(both.map((one) => one.status)).toEqual(['fulfilled', 'rejected'])
    expect(await tool.value()).toBe('ok')
  })

  it('is asked at once where its tool is sent elsewhere', async () => {
    const service = await standIn(({ path }) => ({ status: path === '/wrong' ? 500 : 200, body: '"ok"' }))
    const tool = aTool(service, { path: '/wrong', request: {} })
    for (let n = 0; n < 5; n++) await tool.failure()
    expect((await tool.failure()).message).toContain('left alone')
    tool.sendTo('/right')
    expect(await tool.value()).toBe('ok')
  })

  it('is not blamed for what the caller sent, nor for who stopped waiting', async () => {
    const service = await standIn(({ path }) => (path === '/hang' ? () => undefined : { status: 422, body: 'no' }))
    const tool = aTool(service, { path: '/{what}', request: {} })
    for (let n = 0; n < 7; n++) expect(await tool.failure({ what: 'x' })).toMatchObject({ code: 'invalid_input' })
    for (let n = 0; n < 7; n++) {
      const stop = new AbortController()
      const call = tool.call({ what: 'hang' }, stop.signal)
      while (service.requests.filter(({ path }) => path === '/hang').length <= n) await new Promise(setImmediate)
      stop.abort(new FailureError({ code: 'conflict', message: 'cancelled' }))
      await expect(call).rejects.toThrow('cancelled')
    }
    expect(await tool.failure({ what: 'x' })).toMatchObject({ message: 'HTTP 422: no' })
  })
})
