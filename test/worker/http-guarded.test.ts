import { describe, expect, inject, it, vi } from 'vitest'
import { dnsOverHttps } from '../../src/adapters/egress/dns-over-https.ts'
import { guardedHttp } from '../../src/adapters/http-guarded.ts'
import type { HttpRequest } from '../../src/ports/http.ts'
import { ATTACK_URLS } from '../support/attack-urls.ts'
import { failureOf } from '../support/failure-of.ts'

/** The guarded port over workerd's own fetch, which has its own ways with redirects, compression and aborting. */
const site = inject('site')
const http = guardedHttp({
  policy: { extraPorts: [], dangerouslyAllowHosts: [site] },
  resolve: dnsOverHttps(inject('resolver'), (input, init) => fetch(input, init)),
  send: (input, init) => fetch(input, init),
})
const ask = (url: string, more: Partial<HttpRequest> = {}) =>
  http.fetch({ url, timeoutMs: 5_000, maxBytes: 10_000, ...more }, new AbortController().signal)
const failure = (url: string, more: Partial<HttpRequest> = {}) => failureOf(ask(url, more), url)
const text = (body: Uint8Array) => new TextDecoder().decode(body)
const to = (url: string) => `http://${site}/to?url=${encodeURIComponent(url)}`

describe('the guarded port in workerd', () => {
  it('refuses every attack of the corpus, as parsers of URLs may differ', async () => {
    const codes = await Promise.all(ATTACK_URLS.map(async (url) => (await failure(url)).code))
    expect(codes.filter((code) => code !== 'forbidden' && code !== 'invalid_input')).toEqual([])
  })

  it('gets pages, redirected and compressed ones too', async () => {
    const moved = await ask(to('/page'))
    expect([moved.url, JSON.parse(text(moved.body))]).toEqual([
      `http://${site}/page`,
      { path: '/page', headers: expect.objectContaining({ 'user-agent': expect.stringContaining('Toolyard') }) },
    ])
    expect(text((await ask(`http://${site}/gzip`)).body)).toBe('unpacked')
  })

  it.each([
    'http://127.0.0.1:1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://[::ffff:127.0.0.1]/',
    'http://localhost/',
    'http://2130706433/',
    'http://private.example.com/',
    'http://mixed.example.com/',
    'file:///etc/passwd',
  ])('refuses %s, and a redirect to it', async (url) => {
    expect(await failure(url)).toMatchObject({ code: 'forbidden' })
    expect(await failure(to(url))).toMatchObject({ code: 'forbidden' })
  })

  it('says of a name that it does not exist', async () => {
    expect(await failure('http://nowhere.example.com/')).toMatchObject({
      code: 'upstream',
      message: expect.stringMatching(/^there is no host named/),
    })
  })

  it('does not unpack a bomb', async () => {
    expect(await failure(`http://${site}/bomb`)).toMatchObject({ code: 'limit_exceeded' })
  })

  it('keeps the deadline, before the answer and in it', async () => {
    expect(await failure(`http://${site}/silent`, { timeoutMs: 200 })).toMatchObject({ code: 'timeout' })
    expect(await failure(`http://${site}/endless`, { timeoutMs: 200 })).toMatchObject({ code: 'timeout' })
  })

  it('says when an answer is cut off, and when nobody is there', async () => {
    expect(await failure(`http://${site}/cut`)).toMatchObject({ code: 'upstream' })
  })
  it('leaves no timer behind, of which an object has 10,000 at most, nor a listener on a signal that lives on', async () => {
    const life = new AbortController().signal
    const listeners = vi.spyOn(life, 'addEventListener')
    const gone = vi.spyOn(life, 'removeEventListener')
    const port = guardedHttp({
      policy: { extraPorts: [], dangerouslyAllowHosts: [site] },
      resolve: null,
      send: async () => new Response('answer'),
    })
    const request = { url: `http://${site}/`, timeoutMs: 600_000, maxBytes: 10_000 }
    for (let sent = 0; sent < 10_500; sent++) {
      if (sent % 3 === 0) await (await port.open(request, life)).body.cancel()
      else if (sent % 3 === 1) await new Response((await port.open(request, life)).body).text()
      else await port.fetch(request, life)
    }
    expect(text((await port.fetch(request, life)).body)).toBe('answer')
    expect(gone.mock.calls.length).toBeGreaterThanOrEqual(listeners.mock.calls.length)
  })
})
