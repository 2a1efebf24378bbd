import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  COMPLETION_REPORT_MS,
  ENDS_PAUSE_MS,
  ENDS_WORTH_A_REPORT,
  QUICK_COMPLETION_REPORT_MS,
} from '../../../src/core/limits/usage.ts'
import { type AwaitedBy, CallOutbox, type OpenCall } from '../../../src/session/call-outbox.ts'
import type { EndedCall } from '../../../src/tenant/calls-api.ts'
import { NodeSql } from '../../support/sql-node.ts'
import { openSessionTables } from '../../support/tables.ts'

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }))
afterEach(() => void vi.useRealTimers())

/** An outbox whose tenant takes a while to hear, and when it heard of what. */
function opened({ hearingMs = 30 } = {}) {
  const sql = new NodeSql()
  openSessionTables(sql)
  const heard: { readonly at: number; readonly calls: readonly string[] }[] = []
  const began = Date.now()
  const tell = async (calls: readonly EndedCall[]) => {
    heard.push({ at: Date.now() - began, calls: calls.map(({ callId }) => callId) })
    await new Promise((resolve) => setTimeout(resolve, hearingMs))
  }
  const outbox = new CallOutbox(
    { sql, session: 'bench', tell, logError: (thrown) => expect.unreachable(String(thrown)) },
    [],
  )
  const end = (callId: string, awaitedBy: AwaitedBy = 'nobody', more: Partial<OpenCall> = {}) => {
    const call: OpenCall = {
      ...{ key: null, agent: null, callId, session: 'bench', tool: 'weather', startedAt: Date.now(), ms: 1 },
      ...{ failure: null, bytesIn: 0, bytesOut: 0, sandboxMs: 0, ...more },
    }
    outbox.begin(callId, call)
    outbox.end(callId, call, {}, awaitedBy)
    void outbox.tellSoon(Date.now())
  }
  /** One call after the other. */
  const endAll = async (count: number, everyMs: number, awaitedBy?: AwaitedBy) => {
    for (let at = 0; at < count; at++) {
      end(`c${at}`, awaitedBy)
      await vi.advanceTimersByTimeAsync(everyMs)
    }
  }
  return { outbox, heard, end, endAll }
}

describe('ends of calls that no limit counts', () => {
  it('are told within a quarter of a second after a while without calls', async () => {
    const { heard, end } = opened()
    for (const id of ['a', 'b']) {
      end(id)
      await vi.advanceTimersByTimeAsync(ENDS_PAUSE_MS)
    }
    expect(heard).toEqual([
      { at: COMPLETION_REPORT_MS, calls: ['a'] },
      { at: ENDS_PAUSE_MS + COMPLETION_REPORT_MS, calls: ['b'] },
    ])
  })

  it('are told once a second by a session that goes on and on, those that end while others are told included', async () => {
    const { heard, endAll } = opened({ hearingMs: 30 })
    await endAll(500, 10)
    await vi.advanceTimersByTimeAsync(ENDS_PAUSE_MS)
    expect(heard.map(({ at }) => at)).toEqual([0, 1, 2, 3, 4, 5].map((s) => COMPLETION_REPORT_MS + s * ENDS_PAUSE_MS))
    expect(heard.flatMap(({ calls }) => calls)).toEqual(Array.from({ length: 500 }, (_, at) => `c${at}`))
  })

  it('are left to the alarm while they are few and quick, and no timer keeps the object in use', async () => {
    const { outbox, heard, end } = opened()
    for (let at = 0; at < ENDS_WORTH_A_REPORT - 1; at++) end(`q${at}`, 'nobody', { isQuick: true })
    expect(vi.getTimerCount()).toBe(0)
    void outbox.tell()
    await vi.advanceTimersByTimeAsync(30)
    expect([heard.length, outbox.hasUnacknowledged]).toEqual([1, false])

    for (let at = 0; at < ENDS_WORTH_A_REPORT; at++) end(`r${at}`, 'nobody', { isQuick: true })
    await vi.advanceTimersByTimeAsync(QUICK_COMPLETION_REPORT_MS + 30)
    expect([heard.length, outbox.hasUnacknowledged]).toEqual([2, false])
  })

  it('do not make quick ones beside them be told more often', async () => {
    const { heard, end } = opened()
    for (let at = 0; at < 500; at++) {
      end(`q${at}`, 'nobody', { isQuick: true })
      if (at % 7 === 0) end(`c${at}`)
      await vi.advanceTimersByTimeAsync(10)
    }
    await vi.advanceTimersByTimeAsync(QUICK_COMPLETION_REPORT_MS)
    expect(heard.length).toBeLessThanOrEqual(6)
  })
})

it('ends of calls that a limit counts are told within a quarter of a second also by a session that goes on and on', async () => {
  const { heard, endAll } = opened()
  await endAll(200, 10, 'limited')
  const lags = heard.flatMap(({ at, calls }) => calls.map((id) => at - Number(id.slice(1)) * 10))
  expect(Math.max(...lags)).toBe(COMPLETION_REPORT_MS)
  expect(lags.length).toBeGreaterThan(150)
})

it('quick ends that a limit counts are told within two seconds', async () => {
  const { outbox, heard, end } = opened()
  end('q', 'limited', { isQuick: true })
  end('r', 'nobody', { isQuick: true })
  await vi.advanceTimersByTimeAsync(QUICK_COMPLETION_REPORT_MS + 30)
  expect(heard.map(({ at }) => at)).toEqual([QUICK_COMPLETION_REPORT_MS])
  expect(outbox.hasUnacknowledged).toBe(false)
})

it('an end that other calls wait for is told at once, and so is one that comes while others are told', async () => {
  const { heard, end } = opened({ hearingMs: 30 })
  end('a')
  end('b', 'others')
  expect(heard).toEqual([{ at: 0, calls: ['a', 'b'] }])
  end('c', 'others')
  end('d')
  await vi.advanceTimersByTimeAsync(30)
  expect(heard.slice(1)).toEqual([{ at: 30, calls: ['c', 'd'] }])
})

it('ends are told in time when the clock was put back meanwhile', async () => {
  const { heard, end } = opened()
  end('a')
  await vi.advanceTimersByTimeAsync(COMPLETION_REPORT_MS)
  vi.setSystemTime(Date.now() - 3_600_000)
  end('b')
  await vi.advanceTimersByTimeAsync(ENDS_PAUSE_MS)
  expect(heard.map(({ calls }) => calls)).toEqual([['a'], ['b']])
})
