import { expect, it, onTestFinished } from 'vitest'
import { rememberingResolve } from '../../../src/adapters/egress/dns-cache.ts'
import { dnsOverHttps } from '../../../src/adapters/egress/dns-over-https.ts'
import { MAX_DNS_NAMES, MAX_DNS_TTL_MS, NO_NAME_TTL_MS } from '../../../src/core/limits/outgoing.ts'
import { failureOf } from '../../support/failure-of.ts'

type Zone = Record<string, { readonly A?: readonly [string, number][]; readonly AAAA?: readonly [string, number][] }>
const { signal } = new AbortController()

/** Look-ups of these names by a resolver that answers when it may. @param negative seconds that the absence of a record is good for */
function bench(zone: Zone, negative?: number) {
  const clock = { time: 1_000, now: () => clock.time }
  const queries: string[] = []
  let gate: Promise<unknown> = Promise.resolve()
  const send = (async (given: URL) => {
    const name = given.searchParams.get('name') ?? ''
    const type = given.searchParams.get('type') as 'A' | 'AAAA'
    queries.push(`${name} ${type}`)
    await gate
    if (name === 'broken.example') return new Response(null, { status: 500 })
    const records = zone[name]?.[type] ?? []
    return Response.json({
      Status: zone[name] ? 0 : 3,
      Answer: records.map(([data, TTL]) => ({ type: type === 'A' ? 1 : 28, data, TTL })),
      ...(records.length === 0 && negative !== undefined && { Authority: [{ TTL: negative }] }),
    })
  }) as typeof fetch
  const resolve = rememberingResolve(dnsOverHttps('https://dns.example/', send), clock)
  return {
    clock,
    queries,
    resolve: (name: string, by = signal) => resolve(name, by),
    /** @returns lets the resolver answer */
    hold() {
      const { promise, resolve: release } = Promise.withResolvers<void>()
      gate = promise
      return release
    },
  }
}

it('a name is looked up again when the shortest time of its records is over, and not before', async () => {
  const { resolve, queries, clock } = bench({ 'a.example': { A: [['8.8.8.8', 60]], AAAA: [['2606::1', 20]] } })
  for (const time of [1_000, 1_000, 20_999]) {
    clock.time = time
    expect(await resolve('a.example')).toEqual(['8.8.8.8', '2606::1'])
  }
  expect(queries).toHaveLength(2)
  clock.time = 21_000
  await resolve('a.example')
  expect(queries).toHaveLength(4)
})

it('an answer that is not to be remembered, or says nothing of that, is not', async () => {
  const { resolve, queries } = bench({ 'a.example': { A: [['8.8.8.8', 0]], AAAA: [['2606::1', 60]] } })
  await resolve('a.example')
  await resolve('a.example')
  expect(queries).toHaveLength(4)
})

it('a kind of address that a name lacks is looked for again as soon as the resolver would: a private one may come', async () => {
  const zone: Zone = { 'a.example': { A: [['8.8.8.8', 3_600]] } }
  const { resolve, queries, clock } = bench(zone, 30)
  expect(await resolve('a.example')).toEqual(['8.8.8.8'])
  await resolve('a.example')
  expect(queries).toHaveLength(2)
  zone['a.example'] = { A: [['8.8.8.8', 3_600]], AAAA: [['fd00::1', 60]] }
  clock.time += 30_000
  expect(await resolve('a.example')).toEqual(['8.8.8.8', 'fd00::1'])
})

it('nothing is remembered for longer than the limit, whatever the records allow', async () => {
  const week = 7 * 24 * 3_600
  const { resolve, queries, clock } = bench({ 'a.example': { A: [['8.8.8.8', week]], AAAA: [['2606::1', week]] } })
  await resolve('a.example')
  clock.time += MAX_DNS_TTL_MS - 1
  await resolve('a.example')
  expect(queries).toHaveLength(2)
  clock.time += 1
  await resolve('a.example')
  expect(queries).toHaveLength(4)
})

it('a name that does not exist is remembered for a moment, and a resolver that fails is not', async () => {
  const zone: Zone = {}
  const { resolve, queries, clock } = bench(zone, 3_600)
  for (let time = 0; time < 2; time++) {
    expect(await failureOf(resolve('a.example'))).toMatchObject({
      message: expect.stringMatching(/no host named a\.example/),
    })
  }
  expect(queries).toHaveLength(2)
  zone['a.example'] = { A: [['8.8.8.8', 60]] }
  clock.time += NO_NAME_TTL_MS
  expect(await resolve('a.example')).toEqual(['8.8.8.8'])
  for (let time = 0; time < 2; time++) {
    expect(await failureOf(resolve('broken.example'))).toMatchObject({ message: expect.stringMatching(/no answer/) })
  }
  expect(queries.filter((question) => question.startsWith('broken'))).toHaveLength(4)
})

it('those who ask for a name at once share its look-up, and one that leaves takes it from nobody', async () => {
  const { resolve, queries, hold } = bench({ 'a.example': { A: [['8.8.8.8', 60]], AAAA: [['2606::1', 60]] } })
  const release = hold()
  const leaving = new AbortController()
  const gone = resolve('a.example', leaving.signal)
  const others = [resolve('a.example'), resolve('a.example')]
  leaving.abort(new Error('gone'))
  await expect(gone).rejects.toThrow('gone')
  release()
  expect(await Promise.all(others)).toEqual([
    ['8.8.8.8', '2606::1'],
    ['8.8.8.8', '2606::1'],
  ])
  expect(queries).toHaveLength(2)
})

it('the number of names is bounded, and the oldest go first', async () => {
  const records: Zone[string] = { A: [['8.8.8.8', 60]], AAAA: [['2606::1', 60]] }
  const names = Array.from({ length: MAX_DNS_NAMES + 1 }, (_, at) => `n${at}.example`)
  const { resolve, queries } = bench(Object.fromEntries(names.map((name) => [name, records])))
  for (const name of names) await resolve(name)
  const before = queries.length
  await resolve(names.at(-1) ?? '')
  await resolve(names[1] ?? '')
  expect(queries.length).toBe(before)
  await resolve(names[0] ?? '')
  expect(queries.length).toBe(before + 2)
})

it('a name is not looked up for a caller that has gone, and nobody needs to be there for a failure', async () => {
  const { resolve, queries, hold } = bench({})
  await expect(resolve('a.example', AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone')
  expect(queries).toEqual([])
  const unheard: unknown[] = []
  const note = (thrown: unknown) => void unheard.push(thrown)
  process.on('unhandledRejection', note)
  onTestFinished(() => void process.off('unhandledRejection', note))
  const release = hold()
  const leaving = new AbortController()
  const left = resolve('broken.example', leaving.signal)
  leaving.abort(new Error('gone'))
  await expect(left).rejects.toThrow('gone')
  release()
  await expect(resolve('broken.example')).rejects.toThrow()
  await new Promise(setImmediate)
  expect(unheard).toEqual([])
})
