import { expect, it } from 'vitest'
import { RESEALED_AT_ONCE } from '../../../src/core/limits/tenants.ts'
import { answerOf } from '../../support/answer-of.ts'
import { openTenant } from './open.ts'

const PLAIN = 'the key of an earlier server'
const FIRST = `k1:${PLAIN}`
const SECOND = 'k2:a newer key of this server'
const BOTH = `${SECOND},${FIRST}`
const OWNER = { key: null, agent: null }

/** A tenant with a record of each kind, encrypted by an earlier key. */
async function filled(serverKey: string) {
  const opened = openTenant()
  const tenant = opened.reopen(serverKey)
  await tenant.secrets.put('TOKEN', 'ghp_1')
  const webhook = await tenant.webhooks.create(
    { url: 'https://a.example/', description: '', wants: { events: ['call.ended'] } },
    OWNER,
  )
  await tenant.webhooks.rotate(webhook.id, OWNER)
  const request = { id: 'r', request: 'digest', attempt: 'a', about: 'POST /v1/keys' }
  await tenant.ledger.begin(request)
  await tenant.ledger.end(request, { status: 201, headers: [], body: 'a new key' } as never)
  return { ...opened, webhook: webhook.id, request }
}

it.each([
  ['without an id', PLAIN, null],
  ['with an id', FIRST, 'k1'],
])('records of an earlier key %s open, are counted, and are encrypted by the present one', async (_, earlier, id) => {
  const { reopen, webhook, request, receivers, ring } = await filled(earlier)
  const tenant = reopen(BOTH)
  const one = { secrets: 1, webhooks: 2, answers: 1 }
  expect(tenant.sealed.read()).toEqual({ keyId: 'k2', records: [{ keyId: id, ...one }], remaining: 4 })
  expect(await tenant.secrets.open('TOKEN')).toBe('ghp_1')

  const done = { keyId: 'k2', records: [{ keyId: 'k2', ...one }], remaining: 0 }
  expect(await tenant.sealed.renew()).toEqual({ ...done, changed: 4, unreadable: 0 })
  expect(await tenant.sealed.renew()).toEqual({ ...done, changed: 0, unreadable: 0 })
  expect((await tenant.audit.page({ after: 0, limit: 50 })).lines.join()).toContain('secret.reencrypt')

  // The earlier key is taken away.
  const after = reopen(SECOND)
  expect(await after.secrets.open('TOKEN')).toBe('ghp_1')
  expect(await after.ledger.begin({ ...request, attempt: 'b' })).toMatchObject({ state: 'done' })
  receivers.http = {
    open: async ({ url }) => ({ status: 200, headers: new Headers(), url, size: null, body: new Blob([]).stream() }),
  }
  await after.webhooks.test(webhook)
  await ring(after, 60_000)
  expect(await after.webhooks.deliveries(webhook, { limit: 1 })).toMatchObject([{ state: 'delivered' }])
})

it('a record that no key opens stays as it is, and is counted under the key that it names', async () => {
  const { reopen } = await filled(FIRST)
  const tenant = reopen(SECOND)
  expect(await tenant.sealed.renew()).toMatchObject({
    changed: 0,
    unreadable: 4,
    remaining: 4,
    records: [{ keyId: 'k1' }],
  })
  expect(await answerOf(tenant.secrets.open('TOKEN'))).toMatchObject({
    failure: { message: expect.stringContaining('has no key "k1" any more') },
  })
  expect(await reopen(BOTH).secrets.open('TOKEN')).toBe('ghp_1')
})

it('a key opens what it encrypted under an id that it has no more, and encrypts it in the form of earlier servers', async () => {
  const { reopen } = await filled(FIRST)
  const tenant = reopen(PLAIN)
  expect(await tenant.secrets.open('TOKEN')).toBe('ghp_1')
  expect(await tenant.sealed.renew()).toMatchObject({ changed: 4, remaining: 0, records: [{ keyId: null }] })
  expect(await tenant.secrets.open('TOKEN')).toBe('ghp_1')
})

it('a secret that changes while it is encrypted again keeps its new value', async () => {
  const { reopen } = await filled(FIRST)
  const tenant = reopen(BOTH)
  await Promise.all([tenant.sealed.renew(), tenant.secrets.put('TOKEN', 'ghp_2')])
  expect(await tenant.secrets.open('TOKEN')).toBe('ghp_2')
})

it('a request encrypts a bounded number, and as many requests as it takes encrypt all', async () => {
  const { reopen, sql } = await filled(PLAIN)
  const earlier = reopen(PLAIN)
  for (let at = 0; at < RESEALED_AT_ONCE; at++) {
    const request = { id: `more ${at}`, request: 'd', attempt: 'a', about: 'x' }
    await earlier.ledger.begin(request)
    await earlier.ledger.end(request, { status: 201, headers: [], body: '' } as never)
  }
  const tenant = reopen(BOTH)
  expect(await tenant.sealed.renew()).toMatchObject({ changed: RESEALED_AT_ONCE, remaining: 4 })
  expect(await tenant.sealed.renew()).toMatchObject({ changed: 4, remaining: 0 })
  expect(sql.all('SELECT 1 FROM ledger WHERE bytes <> length(answer)')).toEqual([])
})

it('a server without a key encrypts nothing, and says so', async () => {
  const { reopen } = await filled(FIRST)
  const tenant = reopen(null)
  expect(tenant.sealed.read()).toMatchObject({ keyId: null, remaining: 4 })
  expect(await answerOf(tenant.sealed.renew())).toMatchObject({ failure: { code: 'conflict' } })
})
