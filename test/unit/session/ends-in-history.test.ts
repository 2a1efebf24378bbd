import { expect, it } from 'vitest'
import { MAX_HISTORY_CALLS } from '../../../src/core/limits/sessions.ts'
import { openTables } from '../../../src/migrations/open-tables.ts'
import { SESSION_MIGRATIONS } from '../../../src/migrations/session/session.ts'
import { PassedOnAccount } from '../../../src/session/call-account.ts'
import { CallOutbox, type OpenCall } from '../../../src/session/call-outbox.ts'
import { History } from '../../../src/session/history.ts'
import { Stopwatch } from '../../../src/session/stopwatch.ts'
import { NodeSql } from '../../support/sql-node.ts'
import { openSessionTables } from '../../support/tables.ts'

const DONE = { kind: 'done', result: { text: 'fine', data: {} } } as const
const RECEIPT = new Stopwatch(() => 0).receipt()

const open = (callId: string): OpenCall => ({
  ...{ key: 'k1', agent: 'sofia', callId, session: 'one', tool: 'file_read', startedAt: 1_000 },
  ...{ ms: 0, failure: 'lost', bytesIn: 1, bytesOut: 2, sandboxMs: 0 },
})

/** A session's history and the ends of its calls, which a tenant hears that may be out of reach; `reopen` is a restart. */
function session(sql = new NodeSql()) {
  openSessionTables(sql)
  const tenant = { isDown: false, heard: 0, reports: [] as string[], startedAt: [] as number[] }
  const tell = async (calls: readonly { number: number; callId: string; session: string; startedAt: number }[]) => {
    if (tenant.isDown) throw new Error('down')
    // As the tenant does: what has a number that it knows was told before.
    for (const { number, callId, session, startedAt } of calls.filter(({ number }) => number > tenant.heard)) {
      tenant.reports.push(`${number} ${callId} of ${session}`)
      tenant.startedAt.push(startedAt)
      tenant.heard = number
    }
  }
  const reopen = () => {
    const outbox = new CallOutbox({ sql, session: 'one', tell, logError: () => undefined }, [])
    const history = new History(sql, () => outbox.forgetHeard())
    const call = (callId: string, isLong = false) => {
      const entry = { callId, tool: 'file_read', args: {}, now: 1_000 }
      const opened = open(callId)
      outbox.begin(callId, opened)
      if (isLong) {
        history.begin(entry)
        outbox.noteRunning(callId)
      }
      outbox.end(callId, opened, { failure: null }, 'limited', (end) => history.end(entry, DONE, RECEIPT, 2_000, end))
    }
    return { outbox, history, call, tell: () => outbox.tell() }
  }
  return { sql, tenant, reopen }
}

it('a quick call and a long one are told in the order of their ends, and a restart tells neither again', async () => {
  const { tenant, reopen } = session()
  const before = reopen()
  before.call('a')
  before.call('b', true)
  before.call('c')
  const after = reopen()
  await after.tell()
  expect(tenant.reports).toEqual(['1 a of one', '2 b of one', '3 c of one'])
  expect(tenant.startedAt).toEqual([1_000, 1_000, 1_000])
  expect(after.history.page({ limit: 9 }).calls.map(({ callId, state }) => [callId, state])).toEqual([
    ['c', 'done'],
    ['b', 'done'],
    ['a', 'done'],
  ])
  const again = reopen()
  again.call('d')
  await again.tell()
  expect(tenant.reports.slice(3)).toEqual(['4 d of one'])
})

it('a session that knows its ends were heard has none to tell after a restart, and goes on with the next number', async () => {
  const { tenant, reopen } = session()
  const before = reopen()
  before.call('a', true)
  before.call('b')
  await before.tell()
  expect(before.outbox.forgetHeard()).toBe(2)
  const after = reopen()
  expect(after.outbox.hasUnacknowledged).toBe(false)
  after.call('c')
  await after.tell()
  expect(tenant.reports).toEqual(['1 a of one', '2 b of one', '3 c of one'])
})

it('calls that a crash cut off are told as lost under numbers of their own', async () => {
  const { tenant, reopen } = session()
  const before = reopen()
  before.call('a')
  for (const callId of ['cut', 'cut too']) before.outbox.note(open(callId))
  before.call('b')
  const after = reopen()
  after.call('c')
  await after.tell()
  expect(tenant.reports.map((report) => report.split(' ')[0])).toEqual(['1', '2', '3', '4', '5'])
  expect(tenant.reports.slice(2, 4).sort()).toEqual(expect.arrayContaining([expect.stringContaining('cut')]))
  expect(tenant.reports.at(-1)).toBe('5 c of one')
})

it('history drops no call whose end its tenant has not heard of, and drops it afterwards', async () => {
  const { sql, tenant, reopen } = session()
  const one = reopen()
  const calls = () => sql.all<{ count: number }>('SELECT count(*) AS count FROM calls')[0]?.count
  tenant.isDown = true
  for (let n = 0; n < MAX_HISTORY_CALLS + 500; n++) one.call(`c${n}`)
  expect(calls()).toBe(MAX_HISTORY_CALLS + 500)
  tenant.isDown = false
  const after = reopen()
  await after.tell()
  expect(tenant.reports).toHaveLength(MAX_HISTORY_CALLS + 500)
  for (let n = 0; n < 101; n++) after.call(`d${n}`)
  expect(calls()).toBe(MAX_HISTORY_CALLS)
  await after.tell()
  expect(new Set(tenant.reports).size).toBe(MAX_HISTORY_CALLS + 601)
})

it('numbers of ends go on when history has dropped every call that had one', async () => {
  const { tenant, reopen, sql } = session()
  const one = reopen()
  for (let n = 0; n < 3; n++) one.call(`a${n}`)
  await one.tell()
  // Calls that are counted as others have no end in their rows.
  const uncounted = (n: number) => {
    const entry = { callId: `u${n}`, tool: 'registered_call', args: {}, now: 1_000 }
    one.history.end(entry, DONE, RECEIPT, 2_000, null)
  }
  for (let n = 0; n < MAX_HISTORY_CALLS + 200; n++) uncounted(n)
  expect(sql.all('SELECT 1 AS found FROM calls WHERE end_number IS NOT NULL')).toEqual([])
  const after = reopen()
  after.call('b')
  await after.tell()
  expect(tenant.reports.at(-1)).toBe('4 b of one')
})

it('a call is found by its id, whether it was noted when it began or with its end', () => {
  const { history, call } = session().reopen()
  call('quick')
  call('long', true)
  expect(history.call('quick')).toMatchObject({ callId: 'quick', state: 'done', answer: 'fine' })
  expect(history.call('long')).toMatchObject({ callId: 'long', state: 'done', answer: 'fine' })
  expect(history.call('none')).toBeNull()
})

/** A session as its first version of tables has it. */
function earlier(ends: readonly (readonly [number, string])[]) {
  const sql = new NodeSql()
  const { object, steps } = SESSION_MIGRATIONS
  openTables(sql, { object, steps: steps.slice(0, 1) }, () => undefined)
  sql.all(`INSERT INTO calls VALUES (7, 'x', 'file_read', '{}', 'done', 'fine', 1, 2, NULL)`)
  for (const [number, callId] of ends) {
    const call = callId === '' ? '' : JSON.stringify(open(callId))
    sql.all('INSERT INTO registered_ended (number, call) VALUES (?, ?)', number, call)
  }
  return session(sql)
}

it('a session of an earlier version tells the ends that were not heard, and numbers the next ones after them', async () => {
  const { tenant, reopen } = earlier([
    [57, 'a'],
    [58, 'b'],
  ])
  tenant.heard = 56
  const one = reopen()
  expect(one.history.call('x')).toMatchObject({ seq: 7, answer: 'fine' })
  one.call('c')
  const after = reopen()
  after.call('d')
  await after.tell()
  expect(tenant.reports).toEqual(['57 a of one', '58 b of one', '59 c of one', '60 d of one'])
})

it('a session of an earlier version whose ends were all heard has none to tell', async () => {
  const { tenant, reopen } = earlier([[60, '']])
  tenant.heard = 60
  const one = reopen()
  expect(one.outbox.hasUnacknowledged).toBe(false)
  one.call('c')
  await reopen().tell()
  expect(tenant.reports).toEqual(['61 c of one'])
})

/** A call of the history that calls registered tools, each of which it ends in its turn. */
function callingCall({ outbox, history }: ReturnType<ReturnType<typeof session>['reopen']>, callId: string) {
  const entry = { callId, tool: 'registered_call', args: {}, now: 1_000 }
  const addCost = () => expect.unreachable()
  const account = new PassedOnAccount({ addCost }, callId)
  const begin = (id: string) => {
    const call = { ...open(id), tool: 'weather', startedAt: 1_500 }
    outbox.begin(callId, call)
    return () => account.takeEnd((note) => outbox.end(callId, call, { failure: null }, 'nobody', note))
  }
  const end = () => account.end(DONE, (counted) => history.end(entry, DONE, RECEIPT, 2_000, counted))
  const note = () => {
    history.begin(entry)
    outbox.noteRunning(callId)
  }
  return { begin, end, note }
}

const ownRows = (sql: NodeSql) => sql.all<{ count: number }>('SELECT count(*) AS count FROM registered_ended')[0]?.count

it('a call of a registered tool writes one row, and a restart tells its end under its own id and beginning', async () => {
  const { sql, tenant, reopen } = session()
  const before = reopen()
  const outer = callingCall(before, 'a')
  outer.begin('a.1')()
  expect(before.history.page({ limit: 9 }).calls).toEqual([])
  outer.end()
  expect(ownRows(sql)).toBe(0)
  await reopen().tell()
  expect(tenant.reports).toEqual(['1 a.1 of one'])
  expect(tenant.startedAt).toEqual([1_500])
})

it('a registered tool that ends after the call that made it is told all the same', async () => {
  const { tenant, reopen } = session()
  const before = reopen()
  const outer = callingCall(before, 'a')
  const endStep = outer.begin('a.2')
  outer.end()
  endStep()
  await reopen().tell()
  expect(tenant.reports).toEqual(['1 a.2 of one'])
})

it('a registered tool that was noted while it ran is told once, by a row of its own', async () => {
  const { sql, tenant, reopen } = session()
  const before = reopen()
  const outer = callingCall(before, 'a')
  const endTool = outer.begin('a.1')
  outer.note()
  endTool()
  outer.end()
  expect(ownRows(sql)).toBe(1)
  const after = reopen()
  await after.tell()
  expect(tenant.reports).toEqual(['1 a.1 of one'])
  expect(after.history.page({ limit: 9 }).calls.map(({ state }) => state)).toEqual(['done'])
})
