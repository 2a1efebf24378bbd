import { describe, expect, it } from 'vitest'
import type { Http, HttpRequest } from '../../src/ports/http.ts'
import { ATTACK_URLS } from '../support/attack-urls.ts'
import { failureOf } from '../support/failure-of.ts'

/**
 * What every {@link Http} does. `open` gives one that may reach `site`, which answers as `asSite` does, and looks names up at
 * a resolver that knows `NAMES`.
 */
export function httpContract(name: string, open: () => Promise<{ readonly http: Http; readonly site: string }>): void {
  const text = (body: Uint8Array) => new TextDecoder().decode(body)

  async function bench() {
    const { http, site } = await open()
    const ask = (url: string, more: Partial<HttpRequest> = {}) =>
      http.fetch({ url, timeoutMs: 5_000, maxBytes: 10_000, ...more }, new AbortController().signal)
    return {
      site,
      ask,
      failure: (url: string, more: Partial<HttpRequest> = {}) => failureOf(ask(url, more), url),
      to: (url: string) => `http://${site}/to?url=${encodeURIComponent(url)}`,
    }
  }

  describe(`a guarded way out: ${name}`, () => {
    it('refuses every attack of the corpus, as parsers of URLs may differ', async () => {
      const { failure } = await bench()
      const codes = await Promise.all(ATTACK_URLS.map(async (url) => (await failure(url)).code))
      expect(codes.filter((code) => code !== 'forbidden' && code !== 'invalid_input')).toEqual([])
    })

    it('gets pages, redirected and compressed ones too', async () => {
      const { ask, site, to } = await bench()
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
      const { failure, to } = await bench()
      expect(await failure(url)).toMatchObject({ code: 'forbidden' })
      expect(await failure(to(url))).toMatchObject({ code: 'forbidden' })
    })

    it('says of a name that it does not exist', async () => {
      const { failure } = await bench()
      expect(await failure('http://nowhere.example.com/')).toMatchObject({
        code: 'upstream',
        message: expect.stringMatching(/^there is no host named/),
      })
    })

    it('does not unpack a bomb', async () => {
      const { failure, site } = await bench()
      expect(await failure(`http://${site}/bomb`)).toMatchObject({ code: 'limit_exceeded' })
    })

    it('keeps the deadline, before the answer and in it', async () => {
      const { failure, site } = await bench()
      expect(await failure(`http://${site}/silent`, { timeoutMs: 200 })).toMatchObject({ code: 'timeout' })
      expect(await failure(`http://${site}/endless`, { timeoutMs: 200 })).toMatchObject({ code: 'timeout' })
    })

    it('says when an answer is cut off, and when nobody is there', async () => {
      const { failure, site } = await bench()
      expect(await failure(`http://${site}/cut`)).toMatchObject({ code: 'upstream' })
    })
  })
}
