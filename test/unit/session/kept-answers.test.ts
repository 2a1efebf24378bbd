import { expect, it } from 'vitest'
import { MAX_HISTORY_CHARS, MAX_KEPT_ANSWER_CHARS, MAX_KEPT_ANSWERS } from '../../../src/core/limits/sessions.ts'
import type { Outcome } from '../../../src/core/outcome.ts'
import { History } from '../../../src/session/history.ts'
import { NodeSql } from '../../support/sql-node.ts'
import { openSessionTables } from '../../support/tables.ts'

const RECEIPT = { executed_on: 'edge', queued_ms: 0, boot_ms: 0, sync_ms: 0, exec_ms: 0 } as const

function aHistory() {
  const sql = new NodeSql()
  openSessionTables(sql)
  const history = new History(sql, () => 0)
  const add = (callId: string, text: string) => {
    const outcome: Outcome = { kind: 'done', result: { text, data: {} } }
    history.end({ callId, tool: 'execute_shell', args: {}, now: 1 }, outcome, RECEIPT, 2, null)
    history.keepAnswer(callId, outcome)
  }
  return { sql, history, add }
}

it('keeps no part of a credential at the end of a long answer', () => {
  const { history, add } = aHistory()
  add('c', `${'x'.repeat(MAX_KEPT_ANSWER_CHARS - 10)} ghp_${'a'.repeat(36)}`)
  expect(history.call('c')?.answer).toMatch(/x \*\*\*$/)
})

it('keeps the whole of long answers, of the newest ones, and shows the start of others', () => {
  const { history, add } = aHistory()
  const long = `${'x'.repeat(MAX_HISTORY_CHARS)} the end`
  for (let count = 0; count <= MAX_KEPT_ANSWERS; count++) add(`c${count}`, `${count} ${long}`)
  expect(history.call('c1')?.answer).toBe(`1 ${long}`)
  expect(history.call(`c${MAX_KEPT_ANSWERS}`)?.answer).toBe(`${MAX_KEPT_ANSWERS} ${long}`)
  expect(history.call('c0')?.answer).toBe(`0 ${long}`.slice(0, MAX_HISTORY_CHARS))
  expect(history.page({ limit: 1 }).calls[0]?.answer).toHaveLength(MAX_HISTORY_CHARS)
})

it('keeps no answer of any length, and no secret in one', () => {
  const { history, add } = aHistory()
  const token = `ghp_${'a1B2'.repeat(9)}`
  add('c1', `${'x'.repeat(MAX_HISTORY_CHARS)} ${token}`)
  expect(history.call('c1')?.answer).not.toContain(token)
  add('c2', 'x'.repeat(2 * MAX_KEPT_ANSWER_CHARS))
  expect(history.call('c2')?.answer).toHaveLength(MAX_KEPT_ANSWER_CHARS)
})

it('makes no table for a session whose answers are short', () => {
  const { sql, add } = aHistory()
  add('c1', 'short')
  expect(sql.all(`SELECT name FROM sqlite_master WHERE name = 'answers'`)).toEqual([])
})
