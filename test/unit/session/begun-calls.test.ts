import { describe, expect, it } from 'vitest'
import { MAX_LIVE_CHARS, MAX_LIVE_PIECES } from '../../../src/core/limits/calls.ts'
import type { Outcome } from '../../../src/core/outcome.ts'
import { BegunCalls } from '../../../src/session/begun/begun-calls.ts'
import { KeptResults } from '../../../src/session/begun/kept-results.ts'
import { LiveOutput } from '../../../src/session/begun/live-output.ts'
import type { Sandboxd } from '../../support/sandboxd.ts'
import { sessionBench } from '../../support/session-bench.ts'
import { NodeSql } from '../../support/sql-node.ts'
import { openSessionTables } from '../../support/tables.ts'

// No tool of these tests needs a sandbox.
const aBench = () => sessionBench({ url: 'http://127.0.0.1:9' } as Sandboxd)
const WRITE = { tool: 'file_write', args: { file_path: 'a.md', content: 'one\n' } }

describe('a call begun without waiting', () => {
  it('has an id at once, by which its whole result and the files that it made are found, after an eviction too', async () => {
    const bench = aBench()
    const { begun, ended } = bench.session.begin(WRITE)
    const answer = await begun
    const callId = 'callId' in answer ? answer.callId : ''
    expect(bench.session.calls.lastKnown(callId)).toMatchObject({ running: true, call: { state: 'running' } })
    expect(bench.session.begun.areRunning).toBe(true)
    await ended
    expect(bench.session.begun.areRunning).toBe(false)
    const whole = {
      running: false,
      call: { state: 'done', callId },
      outcome: {
        kind: 'done',
        callId,
        result: { data: { file_path: 'a.md' } },
        files: { files: [{ path: 'a.md', change: 'created', size: 4 }], more: 0 },
      },
    }
    expect(await bench.session.calls.find(callId)).toMatchObject(whole)
    bench.evict()
    expect(await bench.session.calls.find(callId)).toMatchObject(whole)
  })

  it('is refused with its reason where it cannot begin, and leaves nothing that runs', async () => {
    const bench = aBench()
    const { begun, ended } = bench.session.begin({ tool: 'file_write', args: {} })
    expect(await begun).toMatchObject({ refused: { kind: 'refused', failure: { code: 'invalid_input' } } })
    await ended
    expect(bench.session.begun.areRunning).toBe(false)
  })

  it('that a restart cuts off is lost, and says so', async () => {
    const bench = aBench()
    const answer = await bench.session.begin({ tool: 'human_in_loop', args: { task_id: 'h', task: 'x' } }).begun
    const callId = 'callId' in answer ? answer.callId : ''
    bench.evict()
    expect(await bench.session.calls.find(callId)).toMatchObject({
      running: false,
      call: { state: 'lost', answer: expect.stringContaining('restarted while this ran') },
    })
  })
})

it('an outcome says its call, and names changed files only where they are wanted', async () => {
  const bench = aBench()
  const plain = await bench.session.call(WRITE)
  expect(plain).toMatchObject({ kind: 'done', callId: expect.stringMatching(/^call_/) })
  expect(plain.files).toBeUndefined()
  const again = { ...WRITE, args: { file_path: 'a.md', content: 'other' }, wantsFiles: true as const }
  expect((await bench.session.call(again)).files).toEqual({
    files: [{ path: 'a.md', change: 'modified', size: 5 }],
    more: 0,
  })
  const gone = { tool: 'file_delete', args: { file_path: 'a.md' }, wantsFiles: true as const }
  expect((await bench.session.call(gone)).files).toEqual({
    files: [{ path: 'a.md', change: 'deleted', size: null }],
    more: 0,
  })
  const read = { tool: 'dir_list', args: {}, wantsFiles: true as const }
  expect((await bench.session.call(read)).files).toEqual({ files: [], more: 0 })
})

it('the history is listed by tool and by state', async () => {
  const bench = aBench()
  await bench.session.call(WRITE)
  await bench.session.call({ tool: 'file_read', args: { file_path: 'none' } })
  const toolsOf = (more: object) => bench.session.calls.page({ limit: 10, ...more }).calls.map(({ tool }) => tool)
  expect(toolsOf({ tool: 'file_write' })).toEqual(['file_write'])
  expect(toolsOf({ state: 'failed' })).toEqual(['file_read'])
  expect(toolsOf({ state: 'done', tool: 'file_read' })).toEqual([])
})

describe('live output', () => {
  const piece = (text: string) => ({ stream: 'stdout', text }) as const

  it('goes on behind the piece that a client has seen, with nothing twice', () => {
    const output = new LiveOutput()
    for (const text of ['a', 'b', 'c']) output.add(piece(text))
    expect(output.since(1)).toEqual({ pieces: [piece('b'), piece('c')], count: 3, missed: 0 })
    expect(output.since(3)).toEqual({ pieces: [], count: 3, missed: 0 })
  })

  it('keeps the newest, bounded by characters and by pieces, and says how many are gone', () => {
    const output = new LiveOutput()
    for (let at = 0; at < 3 * MAX_LIVE_PIECES; at++) output.add(piece(`${at}`))
    const { pieces, count, missed } = output.since(10)
    expect([pieces.length, count, missed]).toEqual([MAX_LIVE_PIECES, 3 * MAX_LIVE_PIECES, 2 * MAX_LIVE_PIECES - 10])
    expect(pieces.at(-1)?.text).toBe(`${3 * MAX_LIVE_PIECES - 1}`)
    output.add(piece('x'.repeat(5 * MAX_LIVE_CHARS)))
    const chars = output.since(0).pieces.reduce((sum, { text }) => sum + text.length, 0)
    expect(chars).toBe(MAX_LIVE_CHARS)
  })
})

describe('a begun call whose result cannot be written', () => {
  it('has ended all the same for who follows it, and leaves memory as others do', async () => {
    const sql = new NodeSql()
    openSessionTables(sql)
    const calls = new BegunCalls({ sql, now: () => 1, deleted: new AbortController().signal })
    const endOne = async (callId: string, outcome: Outcome) => {
      let following: Promise<unknown> = Promise.resolve()
      const { ended } = calls.begin(async (call) => {
        call.note(callId)
        await call.noted
        following = call.next(0, 60_000)
        return outcome
      })
      try {
        await ended
      } finally {
        await following
      }
    }
    const unwritable = { kind: 'done', result: { text: '', data: { count: 1n } } } satisfies Outcome
    await expect(endOne('c0', unwritable)).rejects.toThrow('BigInt')
    for (let at = 1; at <= 20; at++) await endOne(`c${at}`, { kind: 'done', result: { text: '', data: {} } })
    expect(calls.find('c0')).toBeNull()
    expect(calls.areRunning).toBe(false)
  })
})

describe('kept results', () => {
  const aStore = () => {
    const sql = new NodeSql()
    openSessionTables(sql)
    return new KeptResults(sql)
  }
  const done = (text: string): Outcome => ({ kind: 'done', result: { text, data: { text } } })

  it('are given whole, in several rows where they are long, and masked', () => {
    const results = aStore()
    const long = `${'é "\n'.repeat(400_000)} end`
    results.keep('c1', done(long), 1)
    expect(results.find('c1')).toEqual(done(long))
    results.keep('c2', done(`token ghp_${'a1B2'.repeat(9)}`), 1)
    expect(results.find('c2')).toEqual(done('token ***'))
  })

  it('keep each emoji, also one that stands where two rows meet', () => {
    const results = aStore()
    for (const before of ['', 'x']) {
      const whole = done(`${before}${'😀'.repeat(300_000)}`)
      results.keep(`c${before}`, whole, 1)
      // Compared as a yes or no: a failing test would print all of them.
      expect(JSON.stringify(results.find(`c${before}`)) === JSON.stringify(whole)).toBe(true)
    }
  })

  it('go with time, and the oldest first where there are many or they are large', () => {
    const results = aStore()
    results.keep('old', done('x'), 1)
    results.keep('new', done('x'), 24 * 60 * 60_000 + 2)
    expect([results.find('old'), results.find('new')]).toEqual([null, done('x')])
    for (let at = 0; at < 10; at++) results.keep(`large${at}`, done('x '.repeat(1_300_000)), 24 * 60 * 60_000 + 2)
    expect([results.find('new'), results.find('large0')]).toEqual([null, null])
    expect(results.find('large9')).not.toBeNull()
  })
})
