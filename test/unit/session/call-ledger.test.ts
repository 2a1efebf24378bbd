import { describe, expect, it, vi } from 'vitest'
import type { CallKey } from '../../../src/core/idempotency.ts'
import {
  IDEMPOTENCY_KEPT_MS,
  KEPT_OUTCOMES_CHECK_EVERY,
  MAX_KEPT_OUTCOME_BYTES,
  MAX_KEPT_OUTCOMES,
  MAX_KEPT_OUTCOMES_BYTES,
} from '../../../src/core/limits/idempotency.ts'
import type { Outcome } from '../../../src/core/outcome.ts'
import { CallLedger } from '../../../src/session/call-ledger.ts'
import type { Sandboxd } from '../../support/sandboxd.ts'
import { sessionBench } from '../../support/session-bench.ts'
import { NodeSql } from '../../support/sql-node.ts'
import { openSessionTables } from '../../support/tables.ts'

const key = (id: string, request = 'the same', at = '0'): CallKey => ({ id, request, at })
const done = (text: string): Outcome => ({ kind: 'done', result: { text, data: {} } })

describe('calls of a session with a key', () => {
  /** A session whose calls need no sandbox, and appends to one of its files. */
  function aSession() {
    const bench = sessionBench({ url: 'http://127.0.0.1:9' } as Sandboxd)
    const append = (sent: CallKey | null, content = 'x') =>
      bench.session.call({
        tool: 'file_write',
        args: { file_path: 'a.txt', content, mode: 'append' },
        ...(sent && { key: sent }),
      })
    return { ...bench, append, evict: () => bench.evict(), session: () => bench.session }
  }

  it('are made once, over restarts too, and their repetitions get the first answer', async () => {
    const { append, text, evict } = aSession()
    const first = await append(key('k'))
    const second = await append(key('k'))
    evict()
    const third = await append(key('k'))
    expect(await text('a.txt')).toBe('x')
    expect([second, third]).toEqual([
      { ...first, replayed: true },
      { ...first, replayed: true },
    ])
  })

  it('are made each for itself without a key, for another key, or as another call of one request', async () => {
    const { append, text } = aSession()
    for (const sent of [null, null, key('k'), key('l'), key('k', 'the same', '1')]) await append(sent)
    expect(await text('a.txt')).toBe('xxxxx')
  })

  it('are refused when another request had the key, and change nothing', async () => {
    const { append, text } = aSession()
    await append(key('k'))
    expect(await append(key('k', 'another'), 'y')).toMatchObject({ kind: 'refused', failure: { code: 'key_reused' } })
    expect(await text('a.txt')).toBe('x')
  })

  it('are refused while the first is under way', async () => {
    const { append, text } = aSession()
    const both = await Promise.all([append(key('k')), append(key('k')), append(key('k', 'another'))])
    expect(both.map((outcome) => ('failure' in outcome ? outcome.failure.code : outcome.kind))).toEqual([
      'done',
      'key_in_use',
      'key_reused',
    ])
    expect(await text('a.txt')).toBe('x')
  })

  it('that were refused may be made again under the key', async () => {
    const { session, append, text } = aSession()
    const wrong = await session().call({ tool: 'file_write', args: { content: 1 }, key: key('k') })
    expect(wrong.kind).toBe('refused')
    expect((await append(key('k', 'corrected'))).kind).toBe('done')
    expect(await text('a.txt')).toBe('x')
  })

  it('that failed are not made again', async () => {
    const { session, write } = aSession()
    const remove = () => session().call({ tool: 'file_delete', args: { file_path: 'b.txt' }, key: key('k') })
    const failed = await remove()
    await write('b.txt', 'made meanwhile')
    expect(failed).toMatchObject({ kind: 'failed', failure: { code: 'not_found' } })
    expect(await remove()).toEqual({ ...failed, replayed: true })
  })

  it('read afresh when they only read', async () => {
    const { session, write } = aSession()
    const read = () => session().call({ tool: 'file_read', args: { file_path: 'a.txt' }, key: key('k') })
    await write('a.txt', 'one')
    await read()
    await write('a.txt', 'two')
    expect(await read()).toMatchObject({ kind: 'done', result: { data: { content: 'two' } } })
  })

  it('whose end a crash cut off are not made again, and the answer says which call it was', async () => {
    const { session, host, evict } = aSession()
    const begun = Promise.withResolvers<void>()
    host.before = () => {
      begun.resolve()
      return new Promise(() => undefined)
    }
    const shell = () => session().call({ tool: 'execute_shell', args: { command: 'true' }, key: key('k') })
    void shell()
    await begun.promise
    const requests = host.requests.length
    evict()
    // There is no host of sandboxes that could end one.
    vi.spyOn(session(), 'end').mockResolvedValue()
    const [lost] = session().calls.page({ limit: 1 }).calls
    expect(lost).toMatchObject({ tool: 'execute_shell', state: 'lost' })
    const unknown = await shell()
    expect(unknown).toMatchObject({
      kind: 'failed',
      failure: {
        code: 'outcome_unknown',
        message: expect.stringContaining(lost?.callId ?? '?'),
        data: { outcome: 'unknown', call_id: lost?.callId, tool: 'execute_shell', began_at: expect.any(String) },
      },
    })
    expect(await shell()).toEqual(unknown)
    expect(host.requests).toHaveLength(requests)
  })

  it('cost a call without a key no statement', async () => {
    const { append, sql } = aSession()
    await append(key('k'))
    const spies = [vi.spyOn(sql, 'all'), vi.spyOn(sql, 'run')]
    await append(null)
    const statements = spies.flatMap((spy) => spy.mock.calls.map(([query]) => query))
    expect(statements).not.toHaveLength(0)
    expect(statements.filter((query) => query.includes('ledger'))).toEqual([])
  })

  it('get their answer on a full disk too, as far as they ended before', async () => {
    const { append, sql, text } = aSession()
    const first = await append(key('k'))
    sql.isReadOnly = true
    expect(await append(key('k'))).toEqual({ ...first, replayed: true })
    expect(await append(key('l'))).toMatchObject({ kind: 'refused', failure: { code: 'insufficient_storage' } })
    sql.isReadOnly = false
    expect(await text('a.txt')).toBe('x')
  })
})

describe('the ledger of a session', () => {
  function aLedger() {
    const sql = new NodeSql()
    openSessionTables(sql)
    const ledger = new CallLedger(sql)
    const make = (sent: CallKey, at: number, outcome: Outcome = done('fine')) => {
      ledger.accept(sent, { callId: `c-${sent.id}`, tool: 'file_write', at })
      ledger.begin(sent)
      ledger.end(sent, outcome, at)
    }
    const kept = () => sql.all<{ id: string }>('SELECT id FROM ledger ORDER BY rowid').map(({ id }) => id)
    return { sql, ledger, make, kept, restarted: () => new CallLedger(sql) }
  }

  it('lets a call be made that was accepted before a crash and never began', () => {
    const { ledger, restarted } = aLedger()
    ledger.accept(key('k'), { callId: 'c1', tool: 'file_write', at: 1 })
    expect(restarted().outcomeOf(key('k'), 'file_write', 2)).toBeNull()
    ledger.begin(key('k'))
    expect(restarted().outcomeOf(key('k'), 'file_write', 2)).toMatchObject({ failure: { code: 'outcome_unknown' } })
  })

  it('forgets an answer after a day', () => {
    const { ledger, make, kept } = aLedger()
    make(key('old'), 0)
    expect(ledger.outcomeOf(key('old'), 'file_write', IDEMPOTENCY_KEPT_MS - 1)).not.toBeNull()
    expect(ledger.outcomeOf(key('old'), 'file_write', IDEMPOTENCY_KEPT_MS)).toBeNull()
    for (let at = 0; at < KEPT_OUTCOMES_CHECK_EVERY; at++) make(key(`new${at}`), IDEMPOTENCY_KEPT_MS)
    expect(kept()).not.toContain('old/0')
  })

  it('drops the oldest answers beyond its number and its size, and no call that is under way', () => {
    const { ledger, make, kept } = aLedger()
    ledger.accept(key('under way'), { callId: 'c', tool: 'file_write', at: 0 })
    for (let at = 1; at <= MAX_KEPT_OUTCOMES + 2 * KEPT_OUTCOMES_CHECK_EVERY; at++) make(key(`${at}`), at)
    expect(kept().length).toBeLessThanOrEqual(MAX_KEPT_OUTCOMES + KEPT_OUTCOMES_CHECK_EVERY + 1)
    expect(kept()[0]).toBe('under way/0')
    expect(kept()).not.toContain('1/0')

    const large = done('x'.repeat(MAX_KEPT_OUTCOME_BYTES - 1_000))
    const count = MAX_KEPT_OUTCOMES_BYTES / MAX_KEPT_OUTCOME_BYTES + 2 * KEPT_OUTCOMES_CHECK_EVERY
    for (let at = 1; at <= count; at++) make(key(`large${at}`), 10_000 + at, large)
    const most = MAX_KEPT_OUTCOMES_BYTES / MAX_KEPT_OUTCOME_BYTES + KEPT_OUTCOMES_CHECK_EVERY + 1
    expect(kept().filter((id) => id.startsWith('large')).length).toBeLessThanOrEqual(most)
    expect(kept()).toContain('under way/0')
    expect(ledger.outcomeOf(key(`large${count}`), 'file_write', 10_000 + count)).toEqual({ ...large, replayed: true })
  })

  it('sorts its answers for few of the keys when it is full', () => {
    const { sql, make } = aLedger()
    const keys = MAX_KEPT_OUTCOMES
    for (let at = 1; at <= keys; at++) make(key(`${at}`), at)
    const statements = vi.spyOn(sql, 'all')
    for (let at = keys + 1; at <= 2 * keys; at++) make(key(`${at}`), at)
    const sorting = statements.mock.calls.filter(([query]) => query.includes('ORDER BY at'))
    expect(sorting.length).toBeGreaterThan(0)
    expect(sorting.length).toBeLessThanOrEqual(keys / (MAX_KEPT_OUTCOMES / 10))
  })

  it('says of an answer that was too long to be kept that the call was done', () => {
    const { ledger, make } = aLedger()
    make(key('k'), 1, done('ä'.repeat(MAX_KEPT_OUTCOME_BYTES / 2)))
    expect(ledger.outcomeOf(key('k'), 'file_write', 2)).toMatchObject({
      kind: 'failed',
      failure: { code: 'answer_not_kept', data: { outcome: 'done', call_id: 'c-k' } },
    })
  })

  it('holds the end of a call in memory while the disk is full', () => {
    const { sql, ledger, restarted } = aLedger()
    for (const id of ['k', 'refused']) ledger.accept(key(id), { callId: id, tool: 'file_write', at: 1 })
    ledger.begin(key('k'))
    sql.isReadOnly = true
    ledger.end(key('k'), done('fine'), 2)
    ledger.end(key('refused'), { kind: 'refused', failure: { code: 'not_found', message: 'no' } }, 2)
    expect(ledger.outcomeOf(key('k'), 'file_write', 3)).toEqual({ ...done('fine'), replayed: true })
    expect(ledger.outcomeOf(key('refused'), 'file_write', 3)).toBeNull()
    sql.isReadOnly = false
    ledger.writeHeld()
    expect(restarted().outcomeOf(key('k'), 'file_write', 3)).toEqual({ ...done('fine'), replayed: true })
  })
})

it('a call that could not be noted leaves its key free', () => {
  const sql = new NodeSql()
  openSessionTables(sql)
  const failing = { on: true }
  const broken = new Proxy(sql, {
    get: (target, name) => {
      const value = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return (...given: unknown[]) => {
        if (failing.on && String(given[0]).startsWith('INSERT OR REPLACE INTO ledger')) throw new Error('no room')
        return value.apply(target, given)
      }
    },
  })
  const ledger = new CallLedger(broken)
  const accept = () => ledger.accept(key('k'), { callId: 'c', tool: 'file_write', at: 1 })
  expect(accept).toThrow('no room')
  expect(ledger.outcomeOf(key('k'), 'file_write', 2)).toBeNull()
  failing.on = false
  accept()
  expect(ledger.outcomeOf(key('k'), 'file_write', 2)).toMatchObject({ failure: { code: 'key_in_use' } })
})
