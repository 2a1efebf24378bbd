import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Authenticate } from '../../../src/auth/authenticate.ts'
import { newKey } from '../../../src/auth/key.ts'
import { fail } from '../../../src/core/failure.ts'
import { tenantId } from '../../../src/core/ids.ts'
import { LONE_REQUEST_SLOTS } from '../../../src/core/limits/admission.ts'
import { EVENTS_KEY_MS } from '../../../src/core/limits/requests.ts'
import { RequestScheduler } from '../../../src/http/admission/scheduler.ts'
import { createApp } from '../../../src/http/app.ts'
import { type Dialect, dialectApp, type Services, servicesFor } from '../../../src/http/dialect.ts'

const KEY = newKey().text

/** Takes one key, and makes a tenant of it. */
const authenticate: Authenticate = async ([key]) =>
  key === KEY
    ? { principal: { tenant: tenantId('acme'), scopes: ['read'], keyId: 'k1' } }
    : { failure: { code: 'unauthenticated', message: 'no good' } }

/** Says all that it was given, and words its failures in its own way. */
function echo(name: string): Dialect {
  const app = dialectApp((c, failure) => c.json({ [`${name}_error`]: failure.message }, 418))
  app.notFound((c) => c.json({ nothing_at: c.req.url }, 404))
  app.all(`/${name}/echo`, async (c) =>
    c.json({ url: c.req.url, headers: [...c.req.raw.headers], body: await c.req.text(), caller: c.env.caller }),
  )
  app.get(`/${name}/mine`, (c) => c.json({ tools: servicesFor(c, 'read').tools }))
  app.get(`/${name}/run`, (c) => c.json({ tools: servicesFor(c, 'execute').tools }))
  app.get(`/${name}/fail`, () => fail('not_found', 'no such thing'))
  app.get(`/${name}/boom/:id`, (c) => {
    throw new Error(`secret of ${c.req.param('id')} with ${KEY}`)
  })
  app.get(`/${name}/status/:status`, (c) => c.json({}, Number(c.req.param('status')) as 200))
  app.get(`/${name}/tool-failed`, (c) => {
    c.env.serverIsWell?.()
    return c.json({}, 500)
  })
  app.get(`/${name}/frozen`, () => Response.redirect('https://example.com/'))
  return { name, owns: (path) => path.startsWith(`/${name}/`), app }
}

function newApp() {
  const log = vi.fn()
  const services = vi.fn(() => ({ tools: [] }) as unknown as Services)
  const app = createApp({
    isLocal: true,
    scheduler: new RequestScheduler({ clock: { now: Date.now }, slots: 2 }),
    dialects: [echo('one'), echo('two')],
    authenticate,
    services,
    log,
  })
  const get = (path: string, init?: RequestInit) => app.fetch(new Request(`https://test${path}`, init))
  return { get, log, services }
}

const withKey = { headers: { 'X-API-Key': KEY } }

afterEach(() => {
  vi.restoreAllMocks()
})

describe('paths', () => {
  it('go to the dialect that owns them', async () => {
    const { get } = newApp()
    expect(await (await get('/one/fail')).json()).toEqual({ one_error: 'no such thing' })
    expect(await (await get('/two/fail')).json()).toEqual({ two_error: 'no such thing' })
  })

  it('that a dialect owns and does not know get its own answer', async () => {
    const response = await newApp().get('/two/unknown')
    expect(response.status).toBe(404)
    expect(await response.json()).toEqual({ nothing_at: 'https://test/two/unknown' })
  })

  it.each(['/', '/x', '/k', '/onetwo', '//one/echo', `/k/${KEY}`, `/k/${KEY}/x`, `/K/${KEY}/x`, `/k%2F${KEY}%2Fx`])(
    'that nobody owns get {"detail":"Not Found"} and no key: %s',
    async (path) => {
      const { get, log } = newApp()
      const response = await get(path)
      expect(response.status).toBe(404)
      expect(await response.json()).toEqual({ detail: 'Not Found' })
      expect(JSON.stringify([...response.headers])).not.toContain(KEY)
      expect(log).not.toHaveBeenCalled()
    },
  )
})

describe('a caller', () => {
  it('that is refused learns it in the words of the dialect', async () => {
    const { get, services } = newApp()
    expect(await (await get('/one/mine')).json()).toEqual({ one_error: 'no good' })
    expect(await (await get('/k/wrong/two/mine')).json()).toEqual({ two_error: 'no good' })
    expect(services).not.toHaveBeenCalled()
  })

  it('gets the services of its own tenant', async () => {
    const { get, services } = newApp()
    expect(await (await get('/one/mine', withKey)).json()).toEqual({ tools: [] })
    expect(services).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ tenant: 'acme' }),
      expect.anything(),
      null,
      expect.objectContaining({ dialect: 'one', trace: null }),
    )
  })

  it('whose key may only read is told which scope it lacks', async () => {
    expect(await (await newApp().get('/one/run', withKey)).json()).toEqual({
      one_error: expect.stringContaining('lacks the scope "execute"'),
    })
  })
})

it('a stream of work keeps its place among the requests of its tenant until it ends', async () => {
  const app = dialectApp((c) => c.json({}, 418))
  app.get('/one/work', (c) => c.env.atWork?.(new Response(new ReadableStream())) ?? c.json({}, 500))
  const served = createApp({
    isLocal: true,
    scheduler: new RequestScheduler({ clock: { now: () => 0 }, slots: 2 }),
    dialects: [{ name: 'one', owns: () => true, app }],
    authenticate,
    services: () => ({}) as Services,
    log: vi.fn(),
  })
  const work = () => served.fetch(new Request('https://test/one/work', withKey))
  const streams = await Promise.all(Array.from({ length: LONE_REQUEST_SLOTS }, work))
  let isAnswered = false
  const next = work().then(() => {
    isAnswered = true
  })
  // Whatever could let it in has had its turn.
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
  expect(isAnswered).toBe(false)
  await streams[0]?.body?.cancel()
  await next
})

describe('an event stream', () => {
  /** A stream that counts, read with a key whose state a test changes. */
  async function opened(answerTo: { refusal: 'unauthenticated' | 'upstream' | null }) {
    let [time, sent, isCancelled] = [0, 0, false]
    const app = dialectApp((c) => c.json({}, 418))
    const events = () =>
      new ReadableStream<Uint8Array>(
        {
          pull: (controller) => controller.enqueue(new TextEncoder().encode(`id: ${++sent}\n\n`)),
          cancel: () => {
            isCancelled = true
          },
        },
        { highWaterMark: 0 },
      )
    app.get('/one/events', () => new Response(events(), { headers: { 'Content-Type': 'text/event-stream' } }))
    const served = createApp({
      isLocal: true,
      scheduler: new RequestScheduler({ clock: { now: Date.now }, slots: 2 }),
      dialects: [{ name: 'one', owns: () => true, app }],
      authenticate: async (credentials) =>
        answerTo.refusal === null
          ? authenticate(credentials)
          : { failure: { code: answerTo.refusal, message: 'not now' } },
      services: () => ({}) as Services,
      now: () => time,
    })
    const response = await served.fetch(new Request('https://test/one/events', withKey))
    const reader = response.body?.getReader()
    return {
      next: async () => new TextDecoder().decode((await reader?.read())?.value),
      pass: (ms: number) => {
        time += ms
      },
      isCancelled: () => isCancelled,
    }
  }

  it('sends nothing more, and ends, within seconds of its key being refused', async () => {
    const key = { refusal: null as 'unauthenticated' | null }
    const stream = await opened(key)
    expect(await stream.next()).toBe('id: 1\n\n')
    stream.pass(EVENTS_KEY_MS)
    expect(await stream.next()).toBe('id: 2\n\n')
    key.refusal = 'unauthenticated'
    stream.pass(EVENTS_KEY_MS)
    expect(await stream.next()).toBe('')
    expect(stream.isCancelled()).toBe(true)
  })

  it('goes on while keys cannot be looked up', async () => {
    const key = { refusal: null as 'upstream' | null }
    const stream = await opened(key)
    await stream.next()
    key.refusal = 'upstream'
    stream.pass(EVENTS_KEY_MS)
    expect(await stream.next()).toBe('id: 2\n\n')
  })
})

describe('a key in the path', () => {
  it.each(['one', 'two'])('works for the dialect %s, with method, query and body', async (name) => {
    const response = await newApp().get(`/k/${KEY}/${name}/echo?a=1&b=%2Fk%2F`, { method: 'POST', body: 'hello' })
    expect(await response.json()).toMatchObject({
      url: `https://test/${name}/echo?a=1&b=%2Fk%2F`,
      body: 'hello',
      caller: { principal: { tenant: 'acme' } },
    })
  })

  it('never reaches a dialect, an answer or a log', async () => {
    const log = vi.spyOn(console, 'error').mockReturnValue()
    const app = createApp({
      isLocal: true,
      scheduler: new RequestScheduler({ clock: { now: Date.now }, slots: 2 }),
      dialects: [echo('one')],
      authenticate,
      services: () => ({}) as Services,
    })
    const headers = { Referer: `https://test/k/${KEY}/one` }
    for (const path of [
      'one/echo',
      'one/unknown',
      'one/boom/x',
      `one/boom/${KEY}`,
      'one/status/500',
      `k/${KEY}/one/echo`,
      'x',
    ]) {
      const response = await app.fetch(new Request(`https://test/k/${KEY}/${path}`, { headers }))
      expect((await response.text()) + JSON.stringify([...response.headers]), path).not.toContain(KEY)
    }
    expect(log).toHaveBeenCalledTimes(3)
    expect(JSON.stringify(log.mock.calls)).not.toContain(KEY)
  })
})

describe('every answer', () => {
  it("has a name of its own, or Cloudflare's", async () => {
    const { get } = newApp()
    const names = await Promise.all(
      ['/x', '/one/fail', '/one/frozen'].map(async (path) => (await get(path)).headers.get('X-Request-Id')),
    )
    expect(new Set(names).size).toBe(3)
    expect(names.every((name) => /^[0-9a-f-]{36}$/.test(name ?? ''))).toBe(true)
    const ray = { headers: { 'cf-ray': '7f1a2b3c4d5e6f70-AMS' } }
    expect((await get('/x', ray)).headers.get('X-Request-Id')).toBe('7f1a2b3c4d5e6f70-AMS')
    const forged = { headers: { 'cf-ray': `"}${'x'.repeat(100)}` } }
    expect((await get('/x', forged)).headers.get('X-Request-Id')).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('keeps what the dialect said', async () => {
    const response = await newApp().get('/one/frozen')
    expect(response.status).toBe(302)
    expect(response.headers.get('Location')).toBe('https://example.com/')
  })

  it('tells a browser neither to guess its type nor to pass its address on', async () => {
    const { headers } = await newApp().get('/x')
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff')
    expect(headers.get('Referrer-Policy')).toBe('no-referrer')
  })

  it('says with a 401 which scheme is wanted', async () => {
    const { get } = newApp()
    expect((await get('/one/status/401')).headers.get('WWW-Authenticate')).toBe('Bearer realm="toolyard"')
    expect((await get('/one/status/403')).headers.get('WWW-Authenticate')).toBeNull()
  })
})

describe('a browser', () => {
  const origin = { Origin: 'https://app.example' }

  it('may ask before any request, without a key, also with one in the path', async () => {
    for (const path of ['/one/mine', '/unknown', `/k/${KEY}/one/mine`, '/k/wrong/one/mine']) {
      const response = await newApp().get(path, {
        method: 'OPTIONS',
        headers: {
          ...origin,
          'Access-Control-Request-Method': 'PATCH',
          'Access-Control-Request-Headers': 'x-api-key, x-other',
        },
      })
      expect(response.status).toBe(200)
      expect(response.headers.get('Access-Control-Allow-Origin')).toBe('https://app.example')
      expect(response.headers.get('Access-Control-Allow-Methods')).toContain('PATCH')
      expect(response.headers.get('Access-Control-Allow-Headers')).toBe('x-api-key, x-other')
      expect(response.headers.get('Access-Control-Allow-Credentials')).toBe('true')
    }
  })

  it.each(['/one/mine', '/one/fail', '/one/boom/x', '/unknown', '/one/frozen'])(
    'may read the answer of %s',
    async (path) => {
      const { headers } = await newApp().get(path, { headers: origin })
      expect(headers.get('Access-Control-Allow-Origin')).toBe('https://app.example')
      expect(headers.get('Access-Control-Allow-Credentials')).toBe('true')
      expect(headers.get('Vary')).toContain('Origin')
    },
  )

  it('is not assumed where no origin was sent', async () => {
    const { headers } = await newApp().get('/one/fail')
    expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
  })

  it('that sends OPTIONS without asking for a method gets what the dialect says', async () => {
    expect((await newApp().get('/one/echo', { method: 'OPTIONS' })).status).toBe(200)
    expect((await newApp().get('/x', { method: 'OPTIONS', headers: origin })).status).toBe(404)
  })
})

describe('the open tenant of a local server', () => {
  const openToAll: Authenticate = async () => ({
    principal: { tenant: tenantId('dev'), scopes: ['execute'], keyId: null },
  })
  const services = () => ({ tools: [] }) as unknown as Services
  const app = createApp({
    isLocal: true,
    scheduler: new RequestScheduler({ clock: { now: Date.now }, slots: 2 }),
    dialects: [echo('one')],
    authenticate: openToAll,
    services,
    log: vi.fn(),
  })
  const ask = (url: string, origin?: string) =>
    app.fetch(new Request(url, origin === undefined ? {} : { headers: { Origin: origin } }))

  it.each([
    ['http://localhost:8001/one/mine', undefined],
    ['http://localhost:8001/one/mine', 'http://localhost:3000'],
    ['http://127.0.0.1:8001/one/mine', 'http://app.localhost:5173'],
    ['http://[::1]:8001/one/mine', 'http://127.0.0.1'],
  ])('serves this machine: %s from %s', async (url, origin) => {
    expect((await ask(url, origin)).status).toBe(200)
  })

  it.each([
    ['another site', 'http://localhost:8001/one/mine', 'https://evil.example'],
    ['a site whose name only begins like ours', 'http://localhost:8001/one/mine', 'http://localhost.evil.example'],
    ['a page without an origin of its own', 'http://localhost:8001/one/mine', 'null'],
    ['a name that was made to resolve to this machine', 'http://evil.example:8001/one/mine', undefined],
  ])('refuses %s', async (_who, url, origin) => {
    const response = await ask(url, origin)
    expect(response.status).toBe(418)
    expect(JSON.stringify(await response.json())).toContain('use localhost')
  })

  const askAt = (url: string, headers: HeadersInit) => app.fetch(new Request(url, { headers }))

  it.each(['localhost', 'localhost:8001', '127.0.0.1:1', '[::1]:8001', 'app.localhost'])(
    'serves a request whose Host is %s',
    async (Host) => {
      expect((await askAt('http://localhost/one/mine', { Host })).status).toBe(200)
    },
  )

  it.each([
    'evil.example',
    'localhost.evil.example:8001',
    'evil.example, localhost',
    'localhost, evil.example',
    'localhost@evil.example',
    'localhost/x@evil.example',
    'localhost#.evil.example',
    'localhost\\.evil.example',
    'localhost?',
    'localhost.',
    '[::2]',
    '[:::',
    '128.0.0.1',
    '0.0.0.0',
    '',
  ])('refuses a request whose Host is "%s", whatever its URL says', async (Host) => {
    const response = await askAt('http://localhost/one/mine', { Host })
    expect(response.status).toBe(418)
    expect(JSON.stringify(await response.json())).toContain('use localhost')
  })

  it.each(['MF-Original-URL', 'mf-cf-blob', 'Mf-Anything'])(
    'and whoever has a key get no answer with the header %s of a development server',
    async (name) => {
      for (const headers of [{ [name]: 'http://localhost/' }, { [name]: 'nonsense', ...withKey.headers }]) {
        const response = await askAt('http://localhost/one/mine', headers)
        expect(response.status).toBe(403)
        expect(response.headers.get('Content-Type')).toBe('application/problem+json')
        expect(await response.json()).toMatchObject({
          code: 'forbidden',
          detail: expect.stringContaining('leave it out'),
        })
      }
      const deployed = createApp({
        scheduler: new RequestScheduler({ clock: { now: Date.now }, slots: 2 }),
        isLocal: false,
        dialects: [echo('one')],
        authenticate,
        services,
        log: vi.fn(),
      })
      const request = new Request('https://test/one/mine', { headers: { [name]: 'x', ...withKey.headers } })
      expect((await deployed.fetch(request)).status).toBe(200)
    },
  )
})

describe('the log', () => {
  it('has one line for what went wrong inside, without query, key, body, or the names of a tenant', async () => {
    const { get, log } = newApp()
    const response = await get('/one/boom/my-private-file?token=abc', withKey)
    expect(response.status).toBe(418)
    expect(JSON.stringify(await response.json())).not.toContain('secret of')
    expect(log).toHaveBeenCalledExactlyOnceWith({
      message: 'request failed',
      requestId: response.headers.get('X-Request-Id'),
      method: 'GET',
      route: '/one/boom',
      dialect: 'one',
      status: 418,
      error: expect.stringContaining('Error: secret of my-private-file with ***'),
    })
  })

  it('has no line for a 5xx answer that tells of a tool that failed', async () => {
    const { get, log } = newApp()
    expect((await get('/one/tool-failed')).status).toBe(500)
    expect(log).not.toHaveBeenCalled()
  })

  it('has a line for a 5xx answer', async () => {
    const { get, log } = newApp()
    await get('/one/status/503')
    expect(log).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ route: '/one/status', status: 503 }))
  })

  it('has none for what a caller did wrong', async () => {
    const { get, log } = newApp()
    for (const path of ['/one/mine', '/one/fail', '/one/unknown', '/one/status/450', '/x']) await get(path)
    expect(log).not.toHaveBeenCalled()
  })

  it('shows no long or odd name of a path', async () => {
    const { get, log } = newApp()
    await get('/two/%0a%22status%22/x', withKey)
    const broken: Dialect = {
      ...echo('two'),
      owns: () => true,
      app: { fetch: () => Promise.reject(new Error('x')) } as never,
    }
    const app = createApp({
      isLocal: true,
      scheduler: new RequestScheduler({ clock: { now: Date.now }, slots: 2 }),
      dialects: [broken],
      authenticate,
      services: () => ({}) as Services,
      log,
    })
    const response = await app.fetch(new Request(`https://test/%22a/${'x'.repeat(65)}/z`))
    expect(response.status).toBe(500)
    expect(await response.json()).toEqual({ detail: 'Internal Server Error' })
    expect(log).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ route: '/*/*' }))
  })
})
