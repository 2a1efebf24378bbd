import { expect, it } from 'vitest'
import { dnsOverHttps, resolveBy } from '../../../src/adapters/egress/dns-over-https.ts'

const RESOLVER = 'https://dns.example/query?k=1'
const A = { type: 1, data: '8.8.8.8' }
const AAAA = { type: 28, data: '2606::1' }

/** A resolver that answers so for each type of record. */
function resolver(answer: (type: string | null, url: URL) => Response | Promise<Response>) {
  const queries: { url: URL; init: RequestInit | undefined }[] = []
  const send = (async (given: URL, init?: RequestInit) => {
    queries.push({ url: given, init })
    return answer(given.searchParams.get('type'), given)
  }) as typeof fetch
  return { queries, resolve: resolveBy(dnsOverHttps(RESOLVER, send)) }
}
const json = (body: unknown, status = 200) => Response.json(body, { status })
const { signal } = new AbortController()
const upstream = (message: RegExp) => ({ failure: { code: 'upstream', message: expect.stringMatching(message) } })

it('has the addresses of both kinds, and of further records none', async () => {
  const cname = { type: 5, data: '10.0.0.1' }
  const { resolve, queries } = resolver((type) => json({ Status: 0, Answer: [cname, type === 'A' ? A : AAAA] }))
  expect(await resolve('a.example', signal)).toEqual(['8.8.8.8', '2606::1'])
  expect(queries.map(({ url }) => url.href).sort()).toEqual(
    ['A', 'AAAA'].map((type) => `https://dns.example/query?k=1&name=a.example&type=${type}`),
  )
  for (const { init } of queries) expect(init).toMatchObject({ redirect: 'manual' })
})

it('takes a record for its own question only', async () => {
  const { resolve } = resolver(() => json({ Status: 0, Answer: [A] }))
  expect(await resolve('a.example', signal)).toEqual(['8.8.8.8'])
})

it.each([
  [0, []],
  [0, undefined],
  [3, undefined],
])('a name with status %j and records %j is a host that does not exist', async (Status, Answer) => {
  const { resolve } = resolver(() => json({ Status, Answer }))
  await expect(resolve('a.example', signal)).rejects.toMatchObject(upstream(/^there is no host named a\.example/))
})

it.each([
  ['DNS servers that fail', () => json({ Status: 2, Answer: [A] }), /its DNS servers give no answer/],
  [
    'a status besides 200',
    () => json({ Status: 0, Answer: [A] }, 203),
    /the DNS resolver gives no answer; the call itself is right: try again later, or do without it$/,
  ],
  [
    'an error with an answer in it',
    () => json({ Status: 0, Answer: [A] }, 500),
    /the DNS resolver gives no answer; the call itself is right: try again later, or do without it$/,
  ],
  [
    'a redirect',
    () => new Response(null, { status: 302, headers: { Location: '/' } }),
    /the DNS resolver gives no answer; the call itself is right: try again later, or do without it$/,
  ],
  [
    'no JSON',
    () => new Response('<html>'),
    /the DNS resolver gives no answer; the call itself is right: try again later, or do without it$/,
  ],
  [
    'another JSON',
    () => json({ Status: 'fine' }),
    /the DNS resolver gives no answer; the call itself is right: try again later, or do without it$/,
  ],
  [
    'a connection that breaks',
    () => Promise.reject(new TypeError('gone')),
    /the DNS resolver gives no answer; the call itself is right: try again later, or do without it$/,
  ],
])('%s: no address is taken', async (_, answer, message) => {
  await expect(resolver(answer).resolve('a.example', signal)).rejects.toMatchObject(upstream(message))
})

it('one kind of record that fails fails the whole: the other may hide a private address', async () => {
  const { resolve } = resolver((type) => (type === 'A' ? json({ Status: 0, Answer: [A] }) : json({ Status: 2 })))
  await expect(resolve('a.example', signal)).rejects.toMatchObject(upstream(/its DNS servers give no answer/))
})

it('whose caller gave up says so, and not that the resolver failed', async () => {
  const abort = new AbortController()
  const { resolve } = resolver(() => {
    abort.abort(new Error('the caller left'))
    return Promise.reject(new TypeError('aborted'))
  })
  await expect(resolve('a.example', abort.signal)).rejects.toThrow('the caller left')
})
