import { describe, expect, it } from 'vitest'
import { Caller, register } from '../../tenant/registry-tools.ts'
import { openV1 } from './open.ts'

async function used() {
  const opened = openV1()
  opened.time.now = Date.UTC(2026, 10, 20, 12)
  await register(opened.tenant, ['one', 'two'])
  const caller = new Caller(opened.tenant)
  const day = 24 * 3_600_000
  for (const [tool, startedAt] of [
    ['one', opened.time.now],
    ['one', opened.time.now - 6 * day],
    ['two', opened.time.now - 7 * day],
  ] as const) {
    const begun = await caller.begin(tool)
    if ('end' in begun) await begun.end({ startedAt, ms: 100, sandboxMs: 500 })
  }
  return opened
}

describe('GET /v1/usage', () => {
  it('tells of the last seven days, and of others when asked', async () => {
    const { call } = await used()
    expect(await call('GET', '/v1/usage', undefined, ['read'])).toEqual({
      status: 200,
      body: {
        from: '2026-11-14',
        to: '2026-11-20',
        total: {
          ...{ calls: 2, failed: 0, refused: 0, reasons: {}, latency_ms: { p50: 103, p95: 103, p99: 103 } },
          ...{ bytes_in: 2, bytes_out: 4, sandbox_seconds: 1, cost: 0 },
          ...{ sandbox_running_seconds: 0, sandbox_paused_seconds: 0 },
        },
        ...{ group_by: null, data: [], next_cursor: null },
      },
    })
    expect(await call('GET', '/v1/usage?from=2026-11-13&to=2026-11-14&group_by=day')).toMatchObject({
      body: { data: [{ day: '2026-11-13' }, { day: '2026-11-14' }], next_cursor: null },
    })
    expect(await call('GET', '/v1/usage?group_by=tool&from=2026-11-01&limit=1')).toMatchObject({
      body: { total: { calls: 3 }, data: [{ tool: 'one', calls: 2 }], next_cursor: '1' },
    })
    expect(await call('GET', '/v1/usage?group_by=tool&from=2026-11-01&limit=1&cursor=1')).toMatchObject({
      body: { total: { calls: 3 }, data: [{ tool: 'two', calls: 1 }], next_cursor: null },
    })
    expect(await call('GET', '/v1/usage?group_by=hour&agent=sofia&session=none')).toMatchObject({
      body: { total: { calls: 0, latency_ms: { p50: null } }, data: [] },
    })
  })

  it.each([
    ['a day that there is not', 'from=2026-02-30', 'from'],
    ['days the wrong way round', 'from=2026-11-02&to=2026-11-01', 'from is after to'],
    ['more days than are kept', 'from=2026-01-01&to=2026-11-01', 'USAGE_RETENTION_DAYS'],
    ['a group that there is not', 'group_by=planet', 'group_by'],
    ['too many groups', 'limit=1001', 'limit'],
  ])('refuses %s', async (_what, query, detail) => {
    const { call } = await used()
    expect(await call('GET', `/v1/usage?${query}`)).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining(detail) },
    })
  })
})
