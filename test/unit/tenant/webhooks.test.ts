import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { FailureError } from '../../../src/core/failure.ts'
import {
  DELIVERIES_AT_ONCE,
  DELIVERIES_AT_ONCE_TO_ONE,
  DELIVERIES_AT_ONCE_TO_TROUBLED,
  MAX_KEPT_DELIVERIES,
  MAX_WAITING_DELIVERIES,
  MAX_WEBHOOKS_PER_TENANT,
  OLD_WEBHOOK_SECRET_MS,
} from '../../../src/core/limits/webhooks.ts'
import type { HttpRequest, HttpStream } from '../../../src/ports/http.ts'
import type { EndedCall } from '../../../src/tenant/calls-api.ts'
import type { WebhookWants } from '../../../src/tenant/webhooks-api.ts'
import { failureOf } from '../../support/failure-of.ts'
import { openTenant } from './open.ts'

const BY = { key: 'k1', agent: null }
const URL_OF = (name: string) => `https://${name}.example/events`
const CALLS: WebhookWants = { events: ['call.ended'] }

const ended = (number: number, more: Partial<EndedCall> = {}): EndedCall => ({
  ...{ callId: `c${number}`, number, session: 's', tool: 'file_write', startedAt: 999_000, ms: 5, failure: null },
  ...{ key: 'k1', agent: null, bytesIn: 2, bytesOut: 3, sandboxMs: 0, admittedAs: null },
  ...more,
})

/** A tenant with receivers that answer what the test says: a status, or a promise of one. */
function bench() {
  const open = openTenant()
  const sent: HttpRequest[] = []
  const answers: Record<string, (request: HttpRequest) => number | Promise<number>> = {}
  open.receivers.http = {
    async open(request): Promise<HttpStream> {
      sent.push(request)
      const status = await (answers[new URL(request.url).hostname.split('.')[0] ?? ''] ?? (() => 200))(request)
      return { status, headers: new Headers(), url: request.url, size: null, body: new Blob(['x']).stream() }
    },
  }
  const { webhooks, calls } = open.tenant
  return {
    ...open,
    ...{ sent, answers, webhooks, calls },
    /** Delivers whatever is tried again; days later, old rows of the audit log go. */
    ring: (who = open.tenant) => open.ring(who, 2 * 86_400_000),
    add: (name = 'one', wants = CALLS) => webhooks.create({ url: URL_OF(name), description: '', wants }, BY),
    actions: async () =>
      (await open.tenant.audit.page({ after: 0, limit: 1_000 })).lines.map((line) => JSON.parse(line)),
  }
}

const verify = (secret: string, { headers, body }: HttpRequest, at: number) => {
  // The library compares the time with its own clock.
  const shift = Date.now() - at
  const real = Date.now
  Date.now = () => real() - shift
  try {
    return new Webhook(secret).verify(body ?? '', { ...headers })
  } finally {
    Date.now = real
  }
}

describe('a webhook', () => {
  it('gets a call that ended, signed so that the library of Standard Webhooks verifies it, with nothing of arguments or answers', async () => {
    const { add, calls, ring, sent, time } = bench()
    const { secret } = await add()
    await calls.end('n', [ended(1, { failure: 'timeout' })])
    await ring()
    expect(sent).toMatchObject([{ method: 'POST', url: URL_OF('one'), maxRedirects: 0 }])
    const [request] = sent as [HttpRequest]
    expect(verify(secret, request, time.now)).toEqual({
      type: 'call.ended',
      timestamp: new Date(1_000_000).toISOString(),
      data: {
        ...{
          session: 's',
          call_id: 'c1',
          tool: 'file_write',
          state: 'failed',
          reason: 'timeout',
          key: 'k1',
          agent: null,
        },
        ...{ started_at: new Date(999_000).toISOString(), ms: 5 },
      },
    })
    expect(() => verify(secret, { ...request, body: `${request.body} ` }, time.now)).toThrow('No matching signature')
  })

  it('gets what it wants and nothing else: by session, tool and state', async () => {
    const { add, calls, ring, sent } = bench()
    await add('all')
    await add('session', { ...CALLS, sessions: ['other'] })
    await add('tool', { ...CALLS, tools: ['file_read'] })
    await add('state', { ...CALLS, states: ['lost', 'refused'] })
    await calls.end('n', [
      ended(1),
      ended(2, { tool: 'file_read' }),
      ended(3, { failure: 'lost' }),
      ended(4, { failure: 'not_found', isRefused: true, tool: 'no such tool' }),
    ])
    await calls.end('m', [ended(1, { session: 'other', failure: 'upstream' })])
    await ring()
    const got = (name: string) =>
      sent.filter(({ url }) => url === URL_OF(name)).map(({ body }) => JSON.parse(body ?? '').data.state)
    expect(got('all').sort()).toEqual(['done', 'done', 'failed', 'lost', 'refused'])
    expect(got('session')).toEqual(['failed'])
    expect(got('tool')).toEqual(['done'])
    expect(got('state').sort()).toEqual(['lost', 'refused'])
  })

  it('gets a completion that is reported twice once, and under the same id after the object was lost amid its delivery', async () => {
    const { add, calls, reopen, sent, answers, tenant } = bench()
    await add()
    await calls.end('n', [ended(1)])
    answers.one = () => new Promise(() => {})
    void tenant.wake()
    await expect.poll(() => sent.length).toBe(1)

    const after = reopen()
    answers.one = () => 200
    await after.calls.end('n', [ended(1)])
    await after.wake()
    await expect.poll(() => sent.length).toBe(2)
    expect(sent.map(({ headers }) => headers?.['webhook-id'])).toEqual(Array(2).fill(sent[0]?.headers?.['webhook-id']))
    await after.calls.end('n', [ended(1), ended(2)])
    await after.wake()
    await expect.poll(() => sent.map(({ body }) => JSON.parse(body ?? '').data.call_id)).toEqual(['c1', 'c1', 'c2'])
  })

  it('makes nothing of an end that could not be written', async () => {
    const { add, calls, sql, ring, sent } = bench()
    await add()
    sql.all("CREATE TRIGGER stop BEFORE INSERT ON audit BEGIN SELECT RAISE(ABORT, 'no'); END")
    await expect(calls.end('n', [ended(1)])).rejects.toThrow()
    sql.all('DROP TRIGGER stop')
    await ring()
    expect(sent).toEqual([])
  })

  it('has sessions report soon, and each call by itself, while it wants calls', async () => {
    const { webhooks, add, calls } = bench()
    expect(await calls.end('n', [])).not.toHaveProperty('isWatched')
    const { id } = await add()
    expect(await calls.end('n', [])).toMatchObject({ isWatched: true })
    await webhooks.change(id, { isEnabled: false }, BY)
    expect(await calls.end('n', [])).not.toHaveProperty('isWatched')
  })

  it('costs a tenant without one no statement', async () => {
    const { calls, sql, add, webhooks } = bench()
    await calls.end('n', [ended(1)])
    const statementsOf = async (number: number) => {
      const before = sql.statements
      await calls.end('n', [ended(number)])
      return sql.statements - before
    }
    const without = await statementsOf(2)
    const { id } = await add()
    expect(await statementsOf(3)).toBeGreaterThan(without)
    await webhooks.remove(id, BY)
    expect(await statementsOf(4)).toBe(without)
  })
})

describe('other events', () => {
  it('tell once a day that a quota or a budget refuses calls, and nothing of a rate', async () => {
    const { tenant, webhooks, ring, sent, time } = bench()
    await webhooks.create({ url: URL_OF('one'), description: '', wants: { events: ['budget.reached'] } }, BY)
    const rule = { name: '*', per_minute: 0, burst: 0, concurrency: 0, per_day: 0, budget_per_day: 0 }
    const rules = [
      { ...rule, scope: 'agent' as const, per_day: 1 },
      { ...rule, scope: 'tool' as const, name: 'file_read', per_minute: 1, burst: 1 },
    ]
    await tenant.limits.put({ rules, prices: [] }, BY)
    await tenant.childKeys.mint(
      {
        id: 'k1.c',
        name: 'c',
        may: { budget: { calls: 1 } },
        createdAt: time.now,
        expiresAt: time.now + 10 * 86_400_000,
      },
      BY,
    )
    let number = 0
    const admit = async (key: string, agent: string | null, tool = 'file_write') => {
      const callId = `a${++number}`
      const holds = { version: null, unused: [] }
      const request = { callId, key, agent, tool, session: 's', node: 'n', lastsMs: 1_000, wantsMore: false, holds }
      return (await tenant.calls.admit(request)).failure?.code
    }
    expect([await admit('k1', 'sofia'), await admit('k1', 'sofia'), await admit('k1', 'sofia')]).toEqual([
      undefined,
      'rate_limited',
      'rate_limited',
    ])
    expect([await admit('k1.c', null), await admit('k1.c', null)]).toEqual([undefined, 'forbidden'])
    expect([await admit('k1', null, 'file_read'), await admit('k1', null, 'file_read')]).toEqual([
      undefined,
      'rate_limited',
    ])
    await ring()
    const events = () => sent.map(({ body }) => JSON.parse(body ?? '').data)
    expect(events()).toEqual([
      { session: 's', scope: 'agent', name: 'sofia', kind: 'per-day', limit: 1 },
      { session: 's', scope: 'child_key', name: 'k1.c', kind: 'calls', limit: 1 },
    ])
    time.now += 86_400_000
    await admit('k1', 'sofia')
    await admit('k1', 'sofia')
    await ring()
    expect(events()).toHaveLength(3)
  })

  it('tell of human tasks that a session reports with its calls, which count as none', async () => {
    const { tenant, webhooks, calls, ring, sent, actions } = bench()
    const wants: WebhookWants = { events: ['human_task.created', 'human_task.completed'], sessions: ['s'] }
    await webhooks.create({ url: URL_OF('one'), description: '', wants }, BY)
    const task = (number: number, humanTask: 'created' | 'completed', session = 's') =>
      ended(number, { callId: 'task-1', tool: 'human_task', humanTask, session })
    await calls.end('n', [task(1, 'created'), ended(2), task(3, 'completed')])
    await calls.end('m', [task(1, 'created', 'other')])
    await ring()
    expect(sent.map(({ body }) => JSON.parse(body ?? '')).sort((a, b) => b.type.localeCompare(a.type))).toMatchObject([
      { type: 'human_task.created', data: { session: 's', task: 'task-1' } },
      { type: 'human_task.completed', data: { session: 's', task: 'task-1' } },
    ])
    expect((await actions()).filter(({ action }) => action === 'tool.call')).toHaveLength(1)
    expect(
      (await tenant.usage.read({ from: 0, to: 10_000_000, groupBy: null, where: {}, limit: 1 })).total,
    ).toMatchObject({
      calls: 1,
    })
  })
})

describe('a delivery', () => {
  it('that fails is tried again by the schedule, under the same id, for three days, and the webhook is switched off then', async () => {
    const { add, webhooks, calls, ring, sent, answers, time, actions } = bench()
    answers.one = () => 500
    const { id } = await add()
    await calls.end('n', [ended(1)])
    const from = time.now
    await ring()
    expect(new Set(sent.map(({ headers }) => headers?.['webhook-id'])).size).toBe(1)
    expect(sent).toHaveLength(10)
    expect(time.now - from).toBeGreaterThan(3 * 86_400_000)
    expect(time.now - from).toBeLessThan(4 * 86_400_000)
    expect(await webhooks.deliveries(id, { limit: 5 })).toMatchObject([
      { state: 'failed', attempts: 10, status: 500, error: 'it answered 500', dueAt: null },
    ])
    expect(await webhooks.find(id)).toMatchObject({ disabled: { by: 'failing' }, failingSince: from })
    expect((await actions()).at(-1)).toMatchObject({ action: 'webhook.disable', subject: id, reason: 'failing' })

    await calls.end('n', [ended(2)])
    await ring()
    expect(sent).toHaveLength(10)
    expect(await failureOf(webhooks.test(id))).toMatchObject({ code: 'conflict' })
  })

  it('ends with the first success, and a success in between forgets the failures', async () => {
    const { add, webhooks, calls, ring, sent, answers } = bench()
    let requests = 0
    answers.one = () => (++requests < 3 ? 503 : 204)
    const { id } = await add()
    await calls.end('n', [ended(1)])
    await ring()
    expect(sent).toHaveLength(3)
    expect(await webhooks.deliveries(id, { limit: 5 })).toMatchObject([
      { state: 'delivered', attempts: 3, error: null },
    ])
    expect(await webhooks.find(id)).toMatchObject({ failingSince: null, disabled: null })
  })

  it('is not sent along a redirect, and a receiver that is gone is switched off at once', async () => {
    const { add, webhooks, calls, tenant, ring, answers, actions } = bench()
    answers.one = () => 302
    answers.two = () => 410
    const one = await add('one')
    const two = await add('two')
    await calls.end('n', [ended(1), ended(2)])
    await tenant.wake()
    await expect.poll(() => webhooks.find(two.id)).toMatchObject({ disabled: { by: 'gone' } })
    await expect
      .poll(() => webhooks.deliveries(one.id, { limit: 5 }))
      .toMatchObject(Array(2).fill({ state: 'waiting', attempts: 1, error: expect.stringContaining('redirect') }))
    expect(await webhooks.deliveries(two.id, { limit: 5 })).toMatchObject(Array(2).fill({ dueAt: null }))
    expect((await actions()).map(({ action }) => action)).toContain('webhook.disable')
    answers.one = () => 200
    await ring()
  })

  it.each([
    ['forbidden', 'its address is refused'],
    ['timeout', 'did not answer within 15 seconds'],
    ['upstream', 'cannot be reached'],
  ] as const)('that meets %s is shown with what happened, and tried again', async (code, words) => {
    const { add, webhooks, calls, tenant, answers } = bench()
    answers.one = () => {
      throw new FailureError({ code, message: 'http://10.0.0.1 is inside' })
    }
    const { id } = await add()
    await calls.end('n', [ended(1)])
    await tenant.wake()
    await expect
      .poll(() => webhooks.deliveries(id, { limit: 5 }))
      .toMatchObject([{ state: 'waiting', attempts: 1, status: null, error: expect.stringContaining(words) }])
    expect(JSON.stringify(await webhooks.deliveries(id, { limit: 5 }))).not.toContain('10.0.0.1')
  })

  it('that nobody had sent when the server was killed is in the list as waiting, and is sent by the alarm without any request', async () => {
    const { add, calls, tenant, reopen, sent, answers, alarm } = bench()
    const { id } = await add()
    await calls.end('n', [ended(1)])
    expect(alarm.at).not.toBeNull()
    // Killed before the alarm: no request was made at all.
    const before = reopen()
    expect(await before.webhooks.deliveries(id, { limit: 5 })).toMatchObject([
      { state: 'waiting', attempts: 0, attemptedAt: null, status: null, error: null, dueAt: expect.any(Number) },
    ])
    // Killed amid its first attempt, of which nobody knows what became.
    answers.one = () => new Promise(() => {})
    await tenant.wake()
    await expect.poll(() => sent.length).toBe(1)
    const after = reopen()
    expect(await after.webhooks.deliveries(id, { limit: 5 })).toMatchObject([{ state: 'waiting', attempts: 0 }])
    expect(alarm.at).not.toBeNull()
    answers.one = () => 200
    await after.wake()
    await expect
      .poll(() => after.webhooks.deliveries(id, { limit: 5 }))
      .toMatchObject([{ state: 'delivered', attempts: 1, status: 200 }])
    expect(new Set(sent.map(({ headers }) => headers?.['webhook-id'])).size).toBe(1)
  })

  it('can be retried under its id when it is over, from the first try on', async () => {
    const { add, webhooks, calls, ring, sent } = bench()
    const { id } = await add()
    await calls.end('n', [ended(1)])
    expect(
      await failureOf(webhooks.retry(id, (await webhooks.deliveries(id, { limit: 1 }))?.[0]?.id ?? '')),
    ).toMatchObject({
      code: 'conflict',
    })
    await ring()
    const [first] = (await webhooks.deliveries(id, { limit: 1 })) ?? []
    expect(await webhooks.retry(id, first?.id ?? '')).toMatchObject({ id: first?.id, state: 'waiting', attempts: 0 })
    await ring()
    expect(sent.map(({ headers }) => headers?.['webhook-id'])).toEqual([first?.id, first?.id])
    expect(await webhooks.retry(id, 'msg_other')).toBeNull()
    expect(await webhooks.retry('whk_other', first?.id ?? '')).toBeNull()
  })

  it('to a slow or failing receiver leaves places for the others', async () => {
    const { add, calls, tenant, sent, answers, ring } = bench()
    const held: (() => void)[] = []
    const hold = () => new Promise<number>((resolve) => held.push(() => resolve(500)))
    for (const name of ['bad1', 'bad2', 'bad3']) {
      answers[name] = () => 500
      await add(name)
    }
    await calls.end('n', [ended(1)])
    await tenant.wake()
    await expect.poll(() => sent.length).toBe(3)
    for (const name of ['bad1', 'bad2', 'bad3']) answers[name] = hold
    await add('good')
    await calls.end(
      'n',
      Array.from({ length: 20 }, (_, at) => ended(at + 2)),
    )
    await tenant.wake()
    await expect.poll(() => sent.filter(({ url }) => url === URL_OF('good'))).toHaveLength(20)
    expect(held).toHaveLength(DELIVERIES_AT_ONCE_TO_TROUBLED)
    for (const name of ['bad1', 'bad2', 'bad3']) answers[name] = () => 200
    for (const release of held) release()
    await ring()
  })

  it('goes out beside others, to one receiver and in all no more than the limits say', async () => {
    const { add, calls, tenant, sent, answers, ring } = bench()
    const names = ['a', 'b', 'c', 'd']
    const held: (() => void)[] = []
    for (const name of names) {
      answers[name] = () => new Promise((resolve) => held.push(() => resolve(200)))
      await add(name)
    }
    await calls.end(
      'n',
      Array.from({ length: 10 }, (_, at) => ended(at + 1)),
    )
    await tenant.wake()
    await expect.poll(() => sent.length).toBe(DELIVERIES_AT_ONCE)
    const most = Math.max(...names.map((name) => sent.filter(({ url }) => url === URL_OF(name)).length))
    expect(most).toBe(DELIVERIES_AT_ONCE_TO_ONE)
    // The object answers meanwhile.
    expect(await calls.end('n', [ended(11)])).toHaveProperty('version')
    for (const name of names) answers[name] = () => 200
    for (const release of held) release()
    await ring()
    expect(sent).toHaveLength(44)
  })
})

describe('limits', () => {
  it('drop the oldest of too many waiting deliveries, count them, and keep few of those that are over', async () => {
    const { add, webhooks, calls, sql, ring, answers } = bench()
    const { id } = await add()
    answers.one = () => 200
    for (let from = 0; from < MAX_WAITING_DELIVERIES + 200; from += 100) {
      await calls.end(
        'n',
        Array.from({ length: 100 }, (_, at) => ended(from + at + 1)),
      )
    }
    const [count] = sql.all<{ waiting: number }>('SELECT count(due_at) AS waiting FROM webhook_deliveries')
    expect(count?.waiting).toBeLessThanOrEqual(MAX_WAITING_DELIVERIES + 100)
    expect((await webhooks.find(id))?.dropped).toBeGreaterThanOrEqual(100)
    await ring()
    await calls.end(
      'n',
      Array.from({ length: 100 }, (_, at) => ended(50_000 + at)),
    )
    const [kept] = sql.all<{ all: number }>('SELECT count(*) AS "all" FROM webhook_deliveries WHERE due_at IS NULL')
    expect(kept?.all).toBeLessThanOrEqual(MAX_KEPT_DELIVERIES)
  })

  it('bound the number of webhooks', async () => {
    const { add } = bench()
    for (let at = 0; at < MAX_WEBHOOKS_PER_TENANT; at++) await add(`w${at}`)
    expect(await failureOf(add('more'))).toMatchObject({
      code: 'limit_exceeded',
      message: expect.stringContaining('MAX_WEBHOOKS_PER_TENANT'),
    })
  })
})

describe('secrets', () => {
  it('are shown once, kept encrypted, and after a rotation both sign for a day', async () => {
    const { add, webhooks, calls, ring, sent, sql, time } = bench()
    const { id, secret } = await add()
    const stored = sql.all<{ secret: Uint8Array }>('SELECT secret FROM webhooks')
    expect(Buffer.from(stored[0]?.secret ?? []).toString()).not.toContain(secret)
    expect(JSON.stringify([await webhooks.list(), await webhooks.find(id)])).not.toMatch(/secret":|whsec/)
    const rotated = await webhooks.rotate(id, BY)
    expect(rotated?.secret).not.toBe(secret)
    await calls.end('n', [ended(1)])
    await ring()
    const [both] = sent as [HttpRequest]
    for (const one of [secret, rotated?.secret ?? ''])
      expect(verify(one, both, time.now)).toMatchObject({ type: 'call.ended' })

    time.now += OLD_WEBHOOK_SECRET_MS + 1
    await calls.end('n', [ended(2)])
    await ring()
    const [, later] = sent as [HttpRequest, HttpRequest]
    expect(verify(rotated?.secret ?? '', later, time.now)).toMatchObject({ type: 'call.ended' })
    expect(() => verify(secret, later, time.now)).toThrow('No matching signature')
  })

  it('of another SECRETS_KEY stop no delivery for good: it says so, and a rotation mends it', async () => {
    const { add, calls, reopen, ring, sent } = bench()
    const { id } = await add()
    const other = reopen('another key of this server, long and random')
    await other.calls.end('n', [ended(1)])
    await other.wake()
    await expect
      .poll(() => other.webhooks.deliveries(id, { limit: 1 }))
      .toMatchObject([{ attempts: 1, error: expect.stringContaining('rotate it') }])
    expect(sent).toEqual([])
    await other.webhooks.rotate(id, BY)
    await ring(other)
    expect(sent).toHaveLength(1)
    expect(calls).toBeDefined()
  })

  it('are none on a server without SECRETS_KEY, which says so', async () => {
    const { reopen } = bench()
    const made = reopen(null).webhooks.create({ url: URL_OF('one'), description: '', wants: CALLS }, BY)
    expect(await failureOf(made)).toMatchObject({ code: 'conflict', message: expect.stringContaining('SECRETS_KEY') })
  })
})

it('a receiver whose address is refused is not added, and no change leads there', async () => {
  const { receivers, add, webhooks } = bench()
  const { id } = await add()
  receivers.checkReceiver = async () => {
    throw new FailureError({ code: 'forbidden', message: 'inside' })
  }
  expect(await failureOf(add('two'))).toMatchObject({ code: 'forbidden' })
  expect(await failureOf(webhooks.change(id, { url: 'http://10.0.0.1/' }, BY))).toMatchObject({ code: 'forbidden' })
  expect(await webhooks.list()).toMatchObject([{ id, url: URL_OF('one') }])
})
