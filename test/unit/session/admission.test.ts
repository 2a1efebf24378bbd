import { describe, expect, it } from 'vitest'
import { FIRST_GRANTED_CALLS, GRANTED_CALLS_MS } from '../../../src/core/limits/usage.ts'
import { LimitSettings } from '../../../src/registry/limit-settings.ts'
import { Admission } from '../../../src/session/admission.ts'
import type { CallsApi } from '../../../src/tenant/calls-api.ts'
import { NodeSql } from '../../support/sql-node.ts'
import { openSessionTables } from '../../support/tables.ts'
import { isWaiting, openTenant } from '../tenant/open.ts'
import { OWNER } from '../tenant/registry-tools.ts'

const WHO = { key: 'k1', agent: 'sofia' }
const DONE = { failure: null, bytesIn: 0, bytesOut: 0, ms: 1, sandboxMs: 0 }

/** A tenant with rules, and a session of it. */
async function opened(...rules: readonly object[]) {
  const { tenant, time, sessions } = openTenant()
  const put = (...others: readonly object[]) => tenant.limits.put(LimitSettings.parse({ rules: others }), OWNER)
  await put(...rules)
  /** Waits before a notice of new limits, and before an answer, comes to the session. */
  const reach = { notice: async () => undefined as unknown, answer: async () => undefined as unknown }
  const now = () => time.now
  const sql = new NodeSql()
  openSessionTables(sql)
  const granted: number[] = []
  const asks = { count: 0 }
  const admit: CallsApi['admit'] = async (request) => {
    asks.count += 1
    const answer = await tenant.calls.admit(request)
    if (answer.batch) granted.push(answer.batch.calls)
    await reach.answer()
    return answer
  }
  const admission = new Admission({
    ...{ sql, session: 's', node: 'n', tenant: { calls: { admit } }, now },
    granted: () => undefined,
    logError: (thrown) => expect.unreachable(String(thrown)),
  })
  sessions.limitsChanged = async (_, version) => {
    await reach.notice()
    admission.drop(version)
    return []
  }
  await tenant.sessions.add({ name: 's', nodeId: 'n', title: 's', createdAt: 1 })
  let made = 0
  const admitted = async (tool: string) => {
    const who = { ...WHO, tool }
    const callId = `c${++made}`
    const { as } = await admission.admit({ ...who, callId, lastsMs: 60_000, isQuick: true, isMetered: false })
    const ended = { ...who, ...DONE, callId, number: made, session: 's', startedAt: now(), admittedAs: as }
    await tenant.calls.end('n', [ended])
  }
  /** @returns `done`, or why the call did not begin */
  const call = (tool = 'file_read'): Promise<string> =>
    admitted(tool).then(
      () => 'done',
      (thrown: { readonly failure: { readonly code: string } }) => thrown.failure.code,
    )
  const report = async () => {
    const held = admission.holds()
    admission.renew(await tenant.calls.end('n', [], held), held, now())
  }
  return { admission, call, report, put, time, reach, granted, asks }
}

/** What waits until it is let go. */
function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

describe('calls are granted in advance', () => {
  it.each([10_000, 6_000])(
    'to one that makes some at once each %i ms: no more than the first time',
    async (everyMs) => {
      const { call, report, time, granted } = await opened({ scope: 'tenant', per_minute: 100_000 })
      for (let burst = 0; burst < 20; burst++) {
        await Promise.all([call(), call(), call()])
        time.now += 1
        expect(await call()).toBe('done')
        time.now += GRANTED_CALLS_MS
        await report()
        time.now += everyMs - GRANTED_CALLS_MS
      }
      expect(Math.max(...granted)).toBe(FIRST_GRANTED_CALLS)
    },
  )

  it('as many as the pace tells, which grows with batches that are used up and is forgotten in a quiet while', async () => {
    const { admission, call, report, time, granted } = await opened({ scope: 'tenant', per_minute: 100_000 })
    const some = async (calls: number) => {
      for (let made = 0; made < calls; made++) {
        await call()
        time.now += 4
      }
    }
    await some(1_000)
    expect(Math.max(...granted)).toBeGreaterThan(500)
    time.now += 3 * GRANTED_CALLS_MS
    await report()
    const revision = admission.secretsRevision ?? expect.unreachable()
    const wanted = Array.from({ length: 9 }, () => admission.wanted({ ...WHO, tool: 'file_read' }, revision))
    expect(Math.max(...wanted.map((one) => one?.wants.calls ?? 0))).toBe(FIRST_GRANTED_CALLS)
  })

  it('few after a batch of which few were made', async () => {
    const { call, put, granted } = await opened({ scope: 'tenant', per_minute: 100_000 })
    for (let made = 0; made < 13; made++) await call()
    // Of the second two are made.
    expect(granted).toEqual([8, 32])
    await put({ scope: 'tenant', per_minute: 90_000 })
    for (let made = 0; made < 2; made++) await call()
    expect(granted).toEqual([8, 32, 8])
  })
})

describe('limits that were put hold for the next call, whatever was granted before,', () => {
  const WIDE = { scope: 'tenant', per_minute: 6_000 }
  const NONE = { scope: 'tool', name: 'file_read', per_minute: 1 }

  it('where the session learned of them by an answer, before their notice came', async () => {
    const { call, put, reach, asks } = await opened(WIDE)
    for (let made = 0; made < 3; made++) await call()
    expect(asks.count).toBe(2)
    const { opened: noticed, open } = gate()
    reach.notice = () => noticed
    const answered = put(WIDE, NONE)
    expect(await isWaiting(answered)).toBe(true)
    expect(await call('file_list')).toBe('done')
    open()
    await answered
    expect([await call(), await call()]).toEqual(['done', 'rate_limited'])
  })

  it('where calls granted under earlier ones come late', async () => {
    const { call, put, reach } = await opened(WIDE)
    await call()
    const { opened: mayAnswer, open } = gate()
    reach.answer = () => mayAnswer
    const late = call()
    await isWaiting(late)
    reach.answer = async () => undefined
    reach.notice = () => new Promise(() => {})
    void put(WIDE, NONE)
    expect(await call('file_list')).toBe('done')
    open()
    expect([await late, await call(), await call()]).toEqual(['done', 'done', 'rate_limited'])
  })

  it('where calls of a registered tool granted under earlier ones come late', async () => {
    const { admission, call, report, put, reach } = await opened(WIDE)
    const who = { ...WHO, tool: 't' }
    await call()
    await report()
    const revision = admission.secretsRevision ?? expect.unreachable()
    admission.wanted(who, revision)
    const wanted = admission.wanted(who, revision)
    reach.notice = () => new Promise(() => {})
    void put(WIDE, NONE)
    expect(await call('file_list')).toBe('done')
    wanted?.answered({ id: 'late', calls: 8 })
    expect(admission.beginsUnasked(who, revision)).toBeNull()
    expect(admission.holds().over).toContainEqual({ id: 'late', made: 0 })
  })
})
