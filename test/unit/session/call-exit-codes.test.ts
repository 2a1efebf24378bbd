import { expect, it } from 'vitest'
import type { Outcome } from '../../../src/core/outcome.ts'
import { History } from '../../../src/session/history.ts'
import { Stopwatch } from '../../../src/session/stopwatch.ts'
import { NodeSql } from '../../support/sql-node.ts'
import { openSessionTables } from '../../support/tables.ts'

const RECEIPT = new Stopwatch(() => 0).receipt()
const ended = (exit_code: unknown): Outcome => ({ kind: 'done', result: { text: 'text', data: { exit_code } } })

function history() {
  const sql = new NodeSql()
  openSessionTables(sql)
  const made = new History(sql, () => 0)
  const call = (callId: string) => ({ callId, tool: 'execute_shell', args: {}, now: 1 })
  const codes = () => made.page({ limit: 10 }).calls.map(({ callId, exitCode }) => [callId, exitCode])
  return { sql, made, call, codes }
}

it('knows what commands ended with, but for those that went well', () => {
  const { made, call, codes } = history()
  for (const [at, code] of [1, 0, null, -1, '7'].entries()) made.end(call(`c${at}`), ended(code), RECEIPT, 2, null)
  expect(codes()).toEqual([
    ['c4', undefined],
    ['c3', -1],
    ['c2', undefined],
    ['c1', undefined],
    ['c0', 1],
  ])
  expect(made.call('c0')).toMatchObject({ state: 'done', exitCode: 1 })
})

it('knows it of work that went on after its call, too', () => {
  const { made, call, codes } = history()
  made.end(call('c0'), { kind: 'pending', soFar: { text: 'goes on', data: {} } } as Outcome, RECEIPT, 2, null)
  expect(codes()).toEqual([['c0', undefined]])
  made.settle('c0', ended(2), 3, {})
  expect(codes()).toEqual([['c0', 2]])
})

it('knows it of calls that ended while the disk was full, and which call made them', () => {
  const { sql, made, call, codes } = history()
  sql.isReadOnly = true
  made.end({ ...call('c0'), parent: 'p' }, ended(3), RECEIPT, 2, null)
  sql.isReadOnly = false
  made.writeHeld()
  expect(codes()).toEqual([['c0', 3]])
  expect(made.call('c0')).toMatchObject({ parent: 'p' })
})

it('finds the calls that did not go well among all', () => {
  const { made, call } = history()
  const bad = () => made.page({ limit: 10, state: 'unsuccessful' }).calls.map(({ callId }) => callId)
  const failure = { code: 'not_found', message: 'no such file' } as const
  made.end(call('well'), ended(0), RECEIPT, 2, null)
  made.end(call('failed'), { kind: 'failed', failure } as Outcome, RECEIPT, 2, null)
  expect(bad()).toEqual(['failed'])
  made.end(call('exit'), ended(4), RECEIPT, 2, null)
  made.end(call('refused'), { kind: 'refused', failure } as Outcome, RECEIPT, 2, null)
  made.begin(call('lost'))
  made.lose('lost')
  made.begin(call('running'))
  expect(bad()).toEqual(['lost', 'refused', 'exit', 'failed'])
  expect(made.page({ limit: 10, state: 'successful' }).calls.map(({ callId }) => callId)).toEqual(['well'])
  expect(made.page({ limit: 10, state: 'done' }).calls.map(({ callId }) => callId)).toEqual(['exit', 'well'])
})
