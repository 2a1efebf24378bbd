import { describe, expect, it } from 'vitest'
import { SANDBOX_METERED_MS } from '../../../src/core/limits/usage.ts'
import type { ObservedSandboxTime } from '../../../src/ports/call-observer.ts'
import { Accounting } from '../../../src/session/accounting.ts'
import { ObservedCalls } from '../../../src/session/observed-calls.ts'
import { SandboxMeter } from '../../../src/session/sandbox/sandbox-meter.ts'
import { SandboxStateStore } from '../../../src/session/sandbox/sandbox-state.ts'
import { catalog } from '../../../src/tools/catalog.ts'
import { NodeSql } from '../../support/sql-node.ts'
import { openSessionTables } from '../../support/tables.ts'
import { openTenant } from '../tenant/open.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

const STATE = {
  ...{ sandboxId: 'sb', booted: true, pushedSeq: 0, watchPort: null },
  ...{ unwatched: '', watched: null, unsettled: false },
}

const logError = (thrown: unknown) => {
  throw thrown
}

/** A session's meter over its database, and the usage of its tenant. */
function opened() {
  const { tenant, time } = openTenant()
  const sql = new NodeSql()
  openSessionTables(sql)
  const seen: ObservedSandboxTime[] = []
  const observer = { ended: () => undefined, sandboxTime: (sandboxTime: ObservedSandboxTime) => seen.push(sandboxTime) }
  /** Opens the session, as after a crash: nothing of its memory is left. */
  const open = () => {
    const store = new SandboxStateStore(sql)
    const accounting = new Accounting(
      {
        ...{ sql, session: 's', node: 'node-s', registry: catalog, tenant },
        now: () => time.now,
        observed: new ObservedCalls({ observers: [observer], newTrace: null, logError }),
        logError,
      },
      [],
    )
    const meter = new SandboxMeter({
      store,
      now: () => time.now,
      isFull: () => sql.isReadOnly,
      write: (metered, change) => accounting.sandboxTime(metered, change),
    })
    const begin = (forMs: number) => {
      store.expect('label')
      store.begin('label', { ...STATE, meter: meter.begun(time.now + forMs) })
    }
    const leave = () => {
      meter.settle()
      store.leave()
    }
    return { accounting, meter, store, begin, leave }
  }
  const now = Math.floor(time.now / HOUR)
  const read = (groupBy: 'key' | 'tool' | 'hour' | null = null) =>
    tenant.usage.read({ from: now, to: now + 48, groupBy, where: {}, limit: 10 })
  /** Seconds that sandboxes ran and were paused, in all. */
  const seconds = async (accounting: Accounting) => {
    await accounting.outbox.tell()
    const { total } = await read()
    return [total.sandboxRunningMs / SECOND, total.sandboxPausedMs / SECOND]
  }
  return { time, sql, seen, open, read, seconds }
}

describe('the time of a sandbox', () => {
  it('is counted from its beginning to its end, idle or not, and apart while it is paused', async () => {
    const { time, seen, open, read, seconds } = opened()
    const { accounting, meter, begin, leave } = open()
    meter.usedBy('k1')
    begin(10 * MINUTE)
    time.now += 100 * SECOND
    meter.paused()
    time.now += 30 * SECOND
    meter.awake(time.now + 10 * MINUTE)
    time.now += 5 * SECOND
    leave()
    time.now += HOUR
    leave()
    expect(await seconds(accounting)).toEqual([105, 30])
    const { groups } = await read('key')
    expect(groups).toMatchObject([{ name: 'k1', calls: 0, sandboxMs: 0, cost: 0, sandboxRunningMs: 105 * SECOND }])
    expect((await read('tool')).groups.map(({ name }) => name)).toEqual(['@sandbox'])
    expect(seen.reduce((sum, { runningMs, pausedMs }) => sum + runningMs + pausedMs, 0)).toBe(135 * SECOND)
  })

  it('belongs to the key of the last call that used it', async () => {
    const { time, open, read, seconds } = opened()
    const { accounting, meter, begin, leave } = open()
    meter.usedBy('k1')
    begin(HOUR)
    time.now += 10 * SECOND
    meter.usedBy(undefined)
    time.now += 10 * SECOND
    meter.usedBy('k2')
    time.now += 7 * SECOND
    meter.usedBy(null)
    time.now += 3 * SECOND
    leave()
    expect(await seconds(accounting)).toEqual([30, 0])
    const { groups } = await read('key')
    expect(Object.fromEntries(groups.map(({ name, sandboxRunningMs }) => [name, sandboxRunningMs / SECOND]))).toEqual({
      k1: 20,
      k2: 7,
      null: 3,
    })
  })

  it('is written down while it runs on, in the hour in which that part of it began', async () => {
    const { time, open, read, seconds } = opened()
    time.now = (Math.floor(time.now / HOUR) + 1) * HOUR - SANDBOX_METERED_MS
    const { accounting, meter, begin } = open()
    begin(2 * HOUR)
    time.now += SANDBOX_METERED_MS - 1
    meter.keepUp()
    expect(await seconds(accounting)).toEqual([0, 0])
    time.now += 1
    meter.keepUp()
    expect(await seconds(accounting)).toEqual([SANDBOX_METERED_MS / SECOND, 0])
    time.now += SANDBOX_METERED_MS
    meter.keepUp()
    await seconds(accounting)
    const { groups } = await read('hour')
    expect(groups.map(({ sandboxRunningMs }) => sandboxRunningMs)).toEqual([SANDBOX_METERED_MS, SANDBOX_METERED_MS])
  })

  it('is neither lost nor counted twice when the session crashes', async () => {
    const { time, open, seconds } = opened()
    const first = open()
    first.meter.usedBy('k1')
    first.begin(10 * MINUTE)
    time.now += 20 * SECOND
    first.meter.settle()
    // Not told before the crash.
    time.now += 20 * SECOND
    const second = open()
    second.meter.awake(time.now + 10 * MINUTE)
    time.now += 20 * SECOND
    second.leave()
    expect(await seconds(second.accounting)).toEqual([60, 0])
    const third = open()
    third.leave()
    expect(await seconds(third.accounting)).toEqual([60, 0])
  })

  it('does not pass the time that its provider was told, and is paused from then on', async () => {
    const { time, open, seconds } = opened()
    const first = open()
    first.begin(10 * MINUTE)
    time.now += MINUTE
    first.meter.awake(time.now + 10 * MINUTE)
    const second = open()
    time.now += 25 * MINUTE
    second.meter.awake(time.now + 10 * MINUTE)
    time.now += MINUTE
    second.meter.paused()
    expect(await seconds(second.accounting)).toEqual([12 * 60, 15 * 60])
  })

  it('is no longer than what a provider was told last that extends to exactly that, over a restart and an outage', async () => {
    const { time, open, seconds } = opened()
    open().begin(HOUR)
    time.now += MINUTE
    const second = open()
    // A sandbox that runs keeps the longer time when a session connects to it anew.
    second.meter.awake(time.now + 2 * MINUTE)
    time.now += 10 * MINUTE
    second.meter.extended(time.now + 3 * MINUTE)
    time.now += HOUR
    const third = open()
    third.meter.awake(time.now + MINUTE)
    expect(await seconds(third.accounting)).toEqual([14 * 60, 57 * 60])
  })

  it('is never negative, nor counted twice, when the clock is set back', async () => {
    const { time, seen, open, seconds } = opened()
    const { accounting, meter, begin, leave } = open()
    begin(HOUR)
    time.now += 10 * SECOND
    meter.settle()
    time.now -= MINUTE
    meter.settle()
    time.now += 5 * SECOND
    leave()
    expect(await seconds(accounting)).toEqual([15, 0])
    expect(seen.map(({ runningMs }) => runningMs)).toEqual([10 * SECOND, 5 * SECOND])
  })

  it('begins with the next use for a sandbox that an earlier version made', async () => {
    const { time, open, seconds } = opened()
    const { accounting, meter, store, leave } = open()
    store.expect('label')
    store.begin('label', STATE)
    time.now += HOUR
    meter.keepUp()
    meter.settle()
    meter.awake(time.now + HOUR)
    time.now += 4 * SECOND
    leave()
    expect(await seconds(accounting)).toEqual([4, 0])
  })

  it('waits for room on a full disk', async () => {
    const { time, sql, open, seconds } = opened()
    const { accounting, meter, begin, leave } = open()
    begin(HOUR)
    time.now += 2 * SANDBOX_METERED_MS
    sql.isReadOnly = true
    meter.usedBy('k1')
    meter.awake(time.now + 2 * HOUR)
    meter.keepUp()
    sql.isReadOnly = false
    leave()
    expect(await seconds(accounting)).toEqual([(2 * SANDBOX_METERED_MS) / SECOND, 0])
  })
})
