import { expect, it } from 'vitest'
import type { Outcome } from '../../../src/core/outcome.ts'
import { newTrace } from '../../../src/core/trace-context.ts'
import type { ObservedCall } from '../../../src/ports/call-observer.ts'
import { Accounting } from '../../../src/session/accounting.ts'
import { ObservedCalls } from '../../../src/session/observed-calls.ts'
import { Stopwatch } from '../../../src/session/stopwatch.ts'
import { catalog } from '../../../src/tools/catalog.ts'
import { NodeSql } from '../../support/sql-node.ts'
import { openSessionTables } from '../../support/tables.ts'
import { openTenant } from '../tenant/open.ts'

const DONE: Outcome = { kind: 'done', result: { text: 'fine', data: {} } }
const REFUSED: Outcome = { kind: 'refused', failure: { code: 'rate_limited', message: 'later' } }
const ORIGIN = { dialect: 'v1', requestId: 'r1', trace: null }

/** Accounting of a session, whose calls are observed. */
function opened() {
  const { tenant, time } = openTenant()
  const sql = new NodeSql()
  openSessionTables(sql)
  const seen: ObservedCall[] = []
  const errors: unknown[] = []
  const broken = () => {
    throw new Error('an observer that is broken')
  }
  const observed = new ObservedCalls({
    observers: [{ ended: broken }, { ended: (call) => seen.push(call) }],
    newTrace: null,
    logError: (thrown) => errors.push(thrown),
  })
  const now = () => time.now
  const accounting = new Accounting(
    { sql, session: 's', node: 'node-s', registry: catalog, tenant, now, observed, logError: broken },
    [],
  )
  const open = (tool: string, more: object = {}) => {
    const stopwatch = new Stopwatch(now)
    const by = { key: 'k1', agent: 'sofia', origin: { ...ORIGIN, ...more } }
    const call = { tool, args: { file_path: 'secret.txt' } }
    return accounting.open({ callId: 'c1', call, by, startedAt: time.now, stopwatch })
  }
  return { accounting, open, seen, errors, time }
}

it('a call is observed once, when it ends, and a broken observer fails nothing', async () => {
  const { open, seen, errors, time } = opened()
  const account = open('file_read')
  await account.admit()
  time.now += 30
  account.end(DONE)
  account.end(DONE)
  const times = { ms: 30, sandboxMs: 0, queuedMs: 0, startedAt: time.now - 30 }
  const end = { outcome: 'done', reason: null, bytesIn: 26, bytesOut: 4 }
  expect(seen).toEqual([{ tool: 'file_read', ...times, ...end, origin: ORIGIN, spanId: null }])
  expect(errors).toHaveLength(1)
})

it('a call whose work goes on is observed when that ends', async () => {
  const { accounting, open, seen, time } = opened()
  const account = open('execute_shell')
  await account.admit()
  account.hold()
  account.end({
    kind: 'pending',
    next: { tool: 'x', args: {} },
    retryAfterMs: 1,
    soFar: { text: '', data: {} },
  } as Outcome)
  expect(seen).toEqual([])
  time.now += 5_000
  accounting.workEnded('c1', { kind: 'failed', failure: { code: 'timeout', message: 'over' } }, 4_000)
  expect(seen).toMatchObject([
    { tool: 'execute_shell', outcome: 'failed', reason: 'timeout', ms: 5_000, sandboxMs: 4_000 },
  ])
})

it('a call that never began is observed as refused, and the name of no tool is not shown', () => {
  const { open, seen } = opened()
  open('file_read').end(REFUSED)
  open('tool_of_maria').end(REFUSED)
  expect(seen).toMatchObject([
    { tool: 'file_read', outcome: 'refused', reason: 'rate_limited' },
    { tool: 'unknown', outcome: 'refused' },
  ])
  expect(JSON.stringify(seen)).not.toMatch(/maria|sofia|secret|k1/)
})

it('a call of a trace has a span of its own', async () => {
  const { open, seen } = opened()
  const trace = newTrace(1)
  for (let call = 0; call < 2; call++) open('file_read', { trace }).end(REFUSED)
  const [one, other] = seen.map(({ spanId }) => spanId)
  expect(one).toMatch(/^[0-9a-f]{16}$/)
  expect(other).not.toBe(one)
})
