import { expect, inject, it, vi } from 'vitest'
import { dnsOverHttps, resolveBy } from '../../src/adapters/egress/dns-over-https.ts'
import { guardedHttp } from '../../src/adapters/http-guarded.ts'
import { httpContract } from './http.ts'

/** workerd's own fetch has its own ways with redirects, compression and aborting. */
const send: typeof fetch = (input, init) => fetch(input, init)

httpContract('over workerd', async () => {
  const site = inject('site')
  const policy = { extraPorts: [], dangerouslyAllowHosts: [site] }
  return { site, http: guardedHttp({ policy, resolve: resolveBy(dnsOverHttps(inject('resolver'), send)), send }) }
})

it('the guarded port leaves no timer behind, of which an object has 10,000 at most, nor a listener on a signal that lives on', async () => {
  const site = inject('site')
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
  expect(new TextDecoder().decode((await port.fetch(request, life)).body)).toBe('answer')
  expect(gone.mock.calls.length).toBeGreaterThanOrEqual(listeners.mock.calls.length)
})
