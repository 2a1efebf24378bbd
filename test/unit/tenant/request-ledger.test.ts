import { expect, it } from 'vitest'
import {
  IDEMPOTENCY_KEPT_MS,
  KEPT_OUTCOMES_CHECK_EVERY,
  MAX_KEPT_OUTCOME_BYTES,
  MAX_KEPT_OUTCOMES,
  REQUEST_IN_FLIGHT_MS,
} from '../../../src/core/limits/idempotency.ts'
import type { RequestAnswer } from '../../../src/tenant/ledger-api.ts'
import { openTenant } from './open.ts'

const KEY = `ty_${'a'.repeat(12)}_${'b'.repeat(40)}`
const answer = (body: string): RequestAnswer => ({ status: 201, headers: [['content-type', 'text/plain']], body })
const request = (id: string, attempt = 'first', of = 'digest') => ({ id, attempt, request: of, about: 'POST /v1/x' })

it('an answer is kept, encrypted, over restarts, for a day', async () => {
  const { tenant, reopen, sql, time } = openTenant()
  expect(await tenant.ledger.begin(request('k'))).toEqual({ state: 'begun' })
  await tenant.ledger.end(request('k'), answer(KEY))
  const repeated = { state: 'done', answer: answer(KEY) }
  expect(await tenant.ledger.begin(request('k', 'second'))).toEqual(repeated)
  expect(await reopen().ledger.begin(request('k', 'third'))).toEqual(repeated)
  const [row] = sql.all<{ answer: Uint8Array }>('SELECT answer FROM ledger')
  expect(new TextDecoder('latin1').decode(row?.answer)).not.toContain('bbbb')
  time.now += IDEMPOTENCY_KEPT_MS
  expect(await tenant.ledger.begin(request('k', 'fourth'))).toEqual({ state: 'begun' })
})

it('an answer with a secret is not kept where it cannot be encrypted, and others are', async () => {
  const { reopen } = openTenant()
  const { ledger } = reopen(null)
  for (const [id, given] of Object.entries({ key: answer(KEY), marked: { ...answer('x'), isSecret: true as const } })) {
    await ledger.begin(request(id))
    await ledger.end(request(id), given)
    expect(await ledger.begin(request(id, 'second'))).toMatchObject({ state: 'not kept', about: 'POST /v1/x' })
  }
  await ledger.begin(request('plain'))
  await ledger.end(request('plain'), answer('x'))
  expect(await ledger.begin(request('plain', 'second'))).toEqual({ state: 'done', answer: answer('x') })
})

it('an answer is no longer kept when the key of the server has changed', async () => {
  const { tenant, reopen } = openTenant()
  await tenant.ledger.begin(request('k'))
  await tenant.ledger.end(request('k'), answer('x'))
  for (const serverKey of [null, 'another key of this server, long and random']) {
    expect(await reopen(serverKey).ledger.begin(request('k', 'second'))).toMatchObject({ state: 'not kept' })
  }
})

it('a request is carried out by one attempt at it, until it was refused', async () => {
  const { tenant, time } = openTenant()
  const { ledger } = tenant
  expect(await ledger.begin(request('k'))).toEqual({ state: 'begun' })
  expect(await ledger.begin(request('k'))).toEqual({ state: 'begun' })
  expect(await ledger.begin(request('k', 'second'))).toEqual({ state: 'in use' })
  expect(await ledger.begin(request('k', 'second', 'another'))).toEqual({ state: 'reused' })
  await ledger.end(request('k', 'second'), null)
  expect(await ledger.begin(request('k', 'second'))).toEqual({ state: 'in use' })
  time.now += REQUEST_IN_FLIGHT_MS
  expect(await ledger.begin(request('k', 'second'))).toMatchObject({ state: 'unknown', at: 1_000_000 })
  await ledger.end(request('k'), null)
  expect(await ledger.begin(request('k', 'second'))).toEqual({ state: 'begun' })
})

it('a request that failed inside of the server is of unknown outcome', async () => {
  const { tenant } = openTenant()
  await tenant.ledger.begin(request('k'))
  await tenant.ledger.end(request('k'), { ...answer('x'), status: 500, isDoubtful: true })
  expect(await tenant.ledger.begin(request('k', 'second'))).toMatchObject({ state: 'unknown' })
})

it('answers that are too long are not kept, and the oldest beyond their number go; requests under way stay', async () => {
  const { tenant, sql, time } = openTenant()
  const { ledger } = tenant
  await ledger.begin(request('under way'))
  await ledger.begin(request('long'))
  await ledger.end(request('long'), answer('x'.repeat(MAX_KEPT_OUTCOME_BYTES)))
  expect(await ledger.begin(request('long', 'second'))).toMatchObject({ state: 'not kept' })
  for (let count = 0; count < MAX_KEPT_OUTCOMES + KEPT_OUTCOMES_CHECK_EVERY; count++) {
    time.now += 1
    await ledger.begin(request(`${count}`))
    await ledger.end(request(`${count}`), answer('x'))
  }
  const ids = sql.all<{ id: string }>('SELECT id FROM ledger ORDER BY rowid').map(({ id }) => id)
  expect(ids.length).toBeLessThanOrEqual(MAX_KEPT_OUTCOMES + KEPT_OUTCOMES_CHECK_EVERY + 1)
  expect(ids[0]).toBe('under way')
  expect(ids).not.toContain('long')
})
