import { describe, expect, it } from 'vitest'
import type { Scope } from '../../../../src/auth/principal.ts'
import { rateLimitedError } from '../../../../src/core/rate-limited.ts'
import { failureResponse } from '../../../../src/http/problem.ts'
import { openV1 } from './open.ts'

const open = () => {
  const { call } = openV1()
  return (method: string, body?: unknown, scopes?: readonly Scope[]) => call(method, '/v1/limits', body, scopes)
}

describe('/v1/limits', () => {
  it('shows what was put', async () => {
    const call = open()
    expect(await call('GET')).toEqual({ status: 200, body: { rules: [], prices: [] } })
    const rule = { scope: 'agent', name: 'team-*', per_minute: 10, burst: 2 }
    const whole = { ...rule, concurrency: 0, per_day: 0, budget_per_day: 0 }
    expect(await call('PUT', { rules: [rule] })).toEqual({ status: 200, body: { rules: [whole], prices: [] } })
    expect(await call('GET')).toEqual({ status: 200, body: { rules: [whole], prices: [] } })
  })

  it.each([
    ['prices alone, which would end all rules', { prices: [] }, 'rules'],
    ['an unknown scope', { rules: [{ scope: 'planet' }] }, 'rules.0.scope'],
    ['an unknown field', { rules: [{ scope: 'tool', per_second: 1 }] }, 'per_second'],
    ['a broken number', { rules: [{ scope: 'tool', per_minute: 1.5 }] }, 'rules.0.per_minute'],
    ['a number below none', { prices: [{ per_call: -1 }] }, 'prices.0.per_call'],
    ['a name for the tenant', { rules: [{ scope: 'tenant', name: 'x', per_day: 1 }] }, 'has no name'],
    ['a burst of nothing', { rules: [{ scope: 'tool', burst: 5 }] }, 'burst goes with per_minute'],
    ['too many rules', { rules: Array.from({ length: 201 }, () => ({ scope: 'tool' })) }, 'rules'],
  ])('refuses %s, says where, and keeps what was put', async (_what, body, where) => {
    const call = open()
    await call('PUT', { rules: [{ scope: 'tool', per_day: 7 }] })
    expect(await call('PUT', body)).toMatchObject({
      status: 400,
      body: { code: 'invalid_input', detail: expect.stringContaining(where) },
    })
    expect(await call('GET')).toMatchObject({ body: { rules: [{ per_day: 7 }] } })
  })

  it('are replaced where they are those that were read, whose tag a proxy may have made a weak one', async () => {
    const { fetch } = openV1()
    const put = async (tag: string, per_day: number) => {
      const body = { rules: [{ scope: 'tool', per_day }] }
      return (await fetch('PUT', '/v1/limits', body, undefined, undefined, { 'If-Match': tag })).status
    }
    const tag = (await fetch('GET', '/v1/limits')).headers.get('ETag') ?? ''
    expect(await put(`W/${tag}`, 1)).toBe(200)
    expect(await put(tag, 2)).toBe(412)
    expect(await put('W/"', 2)).toBe(400)
  })

  it('is for keys with the scope admin alone', async () => {
    const call = open()
    for (const method of ['GET', 'PUT']) {
      expect(await call(method, method === 'PUT' ? {} : undefined, ['execute'])).toMatchObject({ status: 403 })
    }
  })
})

describe('the answer to a call over a limit', () => {
  const answer = (data: Parameters<typeof rateLimitedError>[1]) =>
    failureResponse(rateLimitedError('too many', data).failure, 'r')
  const fields = ({ headers }: Response) =>
    ['Retry-After', 'RateLimit', 'RateLimit-Policy'].map((name) => headers.get(name))

  it('says which limit it was, and when to come again, in whole seconds', async () => {
    const perMinute = { kind: 'per-minute', limit: 10, remaining: 0, windowMs: 60_000, retryAfterMs: 5_001 } as const
    const response = answer({ scope: 'agent', ...perMinute })
    expect(response.status).toBe(429)
    expect(fields(response)).toEqual(['6', '"agent-per-minute";r=0;t=6', '"agent-per-minute";q=10;w=60'])
    expect(await response.json()).toMatchObject({
      type: 'https://iana.org/assignments/http-problem-types#quota-exceeded',
      code: 'rate_limited',
      retryable: true,
      'violated-policies': ['agent-per-minute'],
    })
  })

  it('names the unit of calls at once, and no unit of money', () => {
    const atOnce = { kind: 'concurrency', limit: 2, remaining: 0, windowMs: null, retryAfterMs: 1 } as const
    expect(fields(answer({ scope: 'tool', ...atOnce }))).toEqual([
      '1',
      '"tool-concurrency";r=0;t=1',
      '"tool-concurrency";q=2;qu="concurrent-requests"',
    ])
    const budget = { kind: 'budget-per-day', limit: 2, remaining: 0, windowMs: 1, retryAfterMs: 86_400_000 } as const
    expect(fields(answer({ scope: 'tenant', ...budget }))).toEqual([
      '86400',
      '"tenant-budget-per-day";r=0;t=86400',
      null,
    ])
  })

  it('has no such fields for other failures', () => {
    expect(fields(failureResponse({ code: 'forbidden', message: 'no', data: {} }, 'r'))).toEqual([null, null, null])
  })
})
