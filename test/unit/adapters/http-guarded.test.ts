import { describe, expect, it } from 'vitest'
import { dnsOverHttps, resolveBy } from '../../../src/adapters/egress/dns-over-https.ts'
import { guardedHttp } from '../../../src/adapters/http-guarded.ts'
import { FailureError } from '../../../src/core/failure.ts'
import type { HttpRequest } from '../../../src/ports/http.ts'
import { bomb } from '../../support/bomb.ts'
import { failureOf } from '../../support/failure-of.ts'
import { dnsAnswer, type StandIn, standIn } from '../../support/stand-in.ts'

/** The port, with some stand-ins allowed; `site` is where every other name leads when it may be asked. */
function http(allowed: readonly StandIn[], { site, resolverUrl }: { site?: StandIn; resolverUrl?: string } = {}) {
  const sent: string[] = []
  const guarded = guardedHttp({
    policy: { extraPorts: [], dangerouslyAllowHosts: allowed.map(({ host }) => host) },
    resolve: resolverUrl === undefined ? null : resolveBy(dnsOverHttps(resolverUrl, fetch)),
    send: (input, init) => {
      const url = new URL(String(input))
      sent.push(url.href)
      return fetch(url.hostname === '127.0.0.1' ? url : `${site?.url}${url.pathname}`, init)
    },
  })
  const ask = (url: string, more: Partial<HttpRequest> = {}, signal = new AbortController().signal) =>
    guarded.fetch({ url, timeoutMs: 5_000, maxBytes: 1_000, ...more }, signal)
  const failure = (url: string, more: Partial<HttpRequest> = {}) => failureOf(ask(url, more), url)
  return { sent, guarded, ask, failure }
}

const text = (body: Uint8Array) => new TextDecoder().decode(body)

describe('a request', () => {
  it('gets the answer whole, whatever its status', async () => {
    const site = await standIn(({ path }) => ({
      status: path === '/' ? 200 : 404,
      headers: { 'x-a': 'b' },
      body: path,
    }))
    const { ask } = http([site])
    const answer = await ask(`${site.url}/`)
    expect([answer.status, answer.headers.get('x-a'), text(answer.body), answer.url]).toEqual([
      200,
      'b',
      '/',
      `${site.url}/`,
    ])
    expect((await ask(`${site.url}/x`)).status).toBe(404)
    expect(site.requests[0]?.headers['user-agent']).toContain('Toolyard')
  })

  it('fails in time when the answer does not begin, and when it does not end', async () => {
    const silent = await standIn(() => () => undefined)
    const endless = await standIn(() => (response) => void response.writeHead(200).write('a'))
    const { failure } = http([silent, endless])
    expect(await failure(silent.url, { timeoutMs: 150 })).toMatchObject({ code: 'timeout' })
    expect(await failure(endless.url, { timeoutMs: 150 })).toMatchObject({ code: 'timeout' })
  })

  it('ends with the task that it is of', async () => {
    const silent = await standIn(() => () => undefined)
    const ended = new AbortController()
    const answer = http([silent]).ask(silent.url, {}, ended.signal)
    ended.abort(new FailureError({ code: 'not_found', message: 'deleted' }))
    await expect(answer).rejects.toThrow('deleted')
  })

  it('takes no more than it wants: told, not told, and compressed', async () => {
    const site = await standIn(({ path }) => {
      if (path === '/declared') return { headers: { 'content-length': '5000' }, body: 'a'.repeat(5_000) }
      if (path === '/bomb')
        return { headers: { 'content-encoding': 'gzip' }, body: bomb(Buffer.alloc(50_000_000, 'a')) }
      return (response) => void response.writeHead(200).end('a'.repeat(5_000))
    })
    const { failure } = http([site])
    for (const path of ['/declared', '/chunked', '/bomb']) {
      expect(await failure(`${site.url}${path}`)).toMatchObject({ code: 'limit_exceeded' })
    }
  })

  it('says that a host cannot be reached, and no more', async () => {
    const gone = await standIn(() => ({}))
    await gone.stop().catch(() => undefined)
    expect(await http([gone]).failure(gone.url)).toEqual({
      code: 'upstream',
      message: `${gone.host} cannot be reached; check the URL, or try again later`,
    })
  })
})

describe('an answer that is read as it comes', () => {
  const body = 'x'.repeat(900)
  const answers: Readonly<Record<string, () => Response>> = {
    declared: () => new Response(body, { headers: { 'content-length': '900' } }),
    untold: () => new Response(body),
    compressed: () => new Response(body, { headers: { 'content-length': '90', 'content-encoding': 'gzip' } }),
    'declared wrongly': () => new Response(body, { headers: { 'content-length': '9e2' } }),
    'declared to be too much': () => new Response(body, { headers: { 'content-length': '1001' } }),
    'too much': () => new Response(body.repeat(2)),
    empty: () => new Response(null, { status: 204 }),
  }
  const lookups: string[] = []
  const guarded = guardedHttp({
    policy: { extraPorts: [], dangerouslyAllowHosts: [] },
    resolve: async (name) => {
      lookups.push(name)
      return []
    },
    send: async (_, init) =>
      answers[new Headers(init?.headers).get('accept') ?? '']?.() ?? new Response('', { status: 500 }),
  })
  const open = (accept: string, method = 'GET') => {
    const request = { url: 'http://8.8.8.8/', method, headers: { accept }, timeoutMs: 5_000, maxBytes: 1_000 }
    return guarded.open(request as HttpRequest, new AbortController().signal)
  }

  it.each([
    ['declared', 900],
    ['untold', null],
    ['compressed', null],
    ['declared wrongly', null],
  ])('has the size that its host tells, as long as it is the size: %s', async (answer, size) => {
    const got = await open(answer)
    expect([got.status, got.size, await new Response(got.body).text()]).toEqual([200, size, body])
  })

  it('has no size when nothing follows, and then no body', async () => {
    expect((await open('declared', 'HEAD')).size).toBeNull()
    const empty = await open('empty')
    expect([empty.status, await new Response(empty.body).text()]).toEqual([204, ''])
  })

  it('is refused before it is read, or while, when it is more than was wanted', async () => {
    const tooLarge = { code: 'limit_exceeded', message: expect.stringContaining('1000 bytes') }
    expect(await failureOf(open('declared to be too much'), 'declared')).toMatchObject(tooLarge)
    const { body } = await open('too much')
    expect(await failureOf(new Response(body).text(), 'untold')).toMatchObject(tooLarge)
  })

  it('of an address is had without a question to DNS', async () => {
    await open('declared')
    expect(lookups).toEqual([])
  })
})

describe('a redirect', () => {
  const redirecting = (to: string, status = 302) => standIn(() => ({ status, headers: { location: to } }))

  it.each([
    'http://169.254.169.254/latest/meta-data/',
    'http://127.0.0.1:1/',
    'http://[::ffff:127.0.0.1]/',
    'http://localhost/',
    'http://metadata.google.internal/',
    'file:///etc/passwd',
    'http://user:word@example.com/',
    'http://0x7f.1/',
    '//10.0.0.1/',
    'http://example.com:6379/',
  ])('to %s is refused before it is asked', async (to) => {
    const site = await redirecting(to)
    const { failure, sent } = http([site])
    expect(await failure(site.url)).toMatchObject({ code: 'forbidden' })
    expect(sent).toEqual([`${site.url}/`])
  })

  it('is followed when it may be, relative ones too, and the answer says from where it is', async () => {
    const site = await standIn(({ path }) =>
      path === '/a/b' ? { status: 301, headers: { location: '../c?d' } } : { body: path },
    )
    const answer = await http([site]).ask(`${site.url}/a/b`)
    expect([answer.url, text(answer.body)]).toEqual([`${site.url}/c?d`, '/c?d'])
  })

  it('is followed so many times and no more; with none allowed it is the answer', async () => {
    const site = await standIn(({ path }) => ({ status: 302, headers: { location: `${path}a` } }))
    const { ask, failure } = http([site])
    expect(await failure(site.url)).toMatchObject({
      code: 'upstream',
      message: expect.stringContaining('MAX_REDIRECTS'),
    })
    expect(site.requests).toHaveLength(6)
    expect((await ask(site.url, { maxRedirects: 0 })).status).toBe(302)
  })

  it('takes keys along to the same origin and nowhere else', async () => {
    const other = await standIn(() => ({ body: 'there' }))
    const site = await standIn(({ path }) => ({
      status: 302,
      headers: { location: path === '/' ? '/next' : other.url },
    }))
    const headers = { Authorization: 'Bearer s', Cookie: 'a=b', 'X-API-KEY': 'k', Accept: 'text/html' }
    await http([site, other]).ask(site.url, { headers })
    expect(site.requests[1]?.headers).toMatchObject({ authorization: 'Bearer s', 'x-api-key': 'k' })
    expect(other.requests[0]?.headers).toMatchObject({ accept: 'text/html' })
    expect(Object.keys(other.requests[0]?.headers ?? {})).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/authorization|cookie|x-api-key/)]),
    )
  })

  it('from https to http is refused for what has a key', async () => {
    const plain = await redirecting('http://example.org/')
    const { failure, sent } = http([], { site: plain })
    expect(await failure('https://example.com/', { headers: { Authorization: 'Bearer s' } })).toMatchObject({
      code: 'forbidden',
    })
    expect(sent).toEqual(['https://example.com/'])
  })

  it('from https to http is followed for what has a trace and no key', async () => {
    const plain = await redirecting('http://example.org/')
    const { ask, sent } = http([], { site: plain })
    const headers = { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` }
    await failureOf(ask('https://example.com/', { headers }), 'a site that redirects for ever')
    expect(sent.slice(0, 2)).toEqual(['https://example.com/', 'http://example.org/'])
  })

  it('does not send a body on to another origin', async () => {
    const other = await standIn(() => ({}))
    const site = await redirecting(other.url, 307)
    const { failure } = http([site, other])
    expect(await failure(site.url, { method: 'POST', body: 'secret' })).toMatchObject({ code: 'forbidden' })
    expect(other.requests).toHaveLength(0)
  })
})

describe('a name', () => {
  const NAMES = {
    'public.example.com': ['93.184.216.34', '2606:2800:220:1::1'],
    'private.example.com': ['10.0.0.5'],
    'mixed.example.com': ['93.184.216.34', '127.0.0.1'],
    'six.example.com': ['93.184.216.34', '::1'],
    'mapped.example.com': ['::ffff:169.254.169.254'],
    '127.0.0.1.nip.io': ['127.0.0.1'],
    'odd.example.com': ['not an address'],
    'xn--lcalhost-o8g.example.com': ['127.0.0.1'],
  }
  const resolver = () => standIn((request) => dnsAnswer(NAMES, request))

  it('is asked when all its addresses are public', async () => {
    const site = await standIn(() => ({ body: 'hello' }))
    const { ask } = http([], { site, resolverUrl: (await resolver()).url })
    expect(text((await ask('http://public.example.com/')).body)).toBe('hello')
  })

  it.each(Object.keys(NAMES).filter((name) => !name.startsWith('public')))(
    'such as %s is refused when any address is not public',
    async (name) => {
      const { failure, sent } = http([], { resolverUrl: (await resolver()).url })
      expect(await failure(`https://${name}/`)).toMatchObject({ code: 'forbidden' })
      expect(sent).toEqual([])
    },
  )

  it('is looked up anew at each redirect', async () => {
    const site = await standIn(() => ({ status: 302, headers: { location: 'http://private.example.com/' } }))
    const { failure, sent } = http([], { site, resolverUrl: (await resolver()).url })
    expect(await failure('http://public.example.com/')).toMatchObject({ code: 'forbidden' })
    expect(sent).toEqual(['http://public.example.com/'])
  })

  it('that does not exist is said to', async () => {
    const { failure } = http([], { resolverUrl: (await resolver()).url })
    expect(await failure('http://nowhere.example.com/')).toEqual({
      code: 'upstream',
      message: 'there is no host named nowhere.example.com; check the URL',
    })
  })

  it.each([
    ['is away', async () => 'http://127.0.0.1:1/'],
    ['answers with an error', async () => (await standIn(() => ({ status: 503 }))).url],
    ['answers with something else', async () => (await standIn(() => ({ body: '<html>' }))).url],
    ['redirects', async () => (await standIn(() => ({ status: 302, headers: { location: '/' } }))).url],
    ['says SERVFAIL', async () => (await standIn(() => ({ body: '{"Status":2}' }))).url],
  ])('is not asked when the resolver %s', async (_, url) => {
    const { failure, sent } = http([], { resolverUrl: await url() })
    expect(await failure('http://public.example.com/')).toMatchObject({
      code: 'upstream',
      message: expect.stringMatching(/^cannot find out where public\.example\.com leads/),
    })
    expect(sent).toEqual([])
  })
})
