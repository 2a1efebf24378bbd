import { expect, it } from 'vitest'
import { History } from '../../../src/session/history.ts'
import { NodeSql } from '../../support/sql-node.ts'
import { openSessionTables } from '../../support/tables.ts'

const RECEIPT = { executed_on: 'edge', queued_ms: 0, boot_ms: 0, sync_ms: 0, exec_ms: 0 } as const

it('keeps the cost of work that ended before the answer "pending" was noted', () => {
  const sql = new NodeSql()
  openSessionTables(sql)
  const history = new History(sql, () => 0)
  const call = { callId: 'c1', tool: 't', args: {}, now: 1 } as never
  const newest = () => history.page({ limit: 1 }).calls[0]
  history.begin(call)
  history.settle('c1', { kind: 'done', result: { text: 'x' } } as never, 3, { cost: 5 })
  expect(newest()).toMatchObject({ state: 'done', receipt: null })
  history.end(call, { kind: 'pending', soFar: { text: 'goes on', data: {} } } as never, RECEIPT, 4, null)
  expect(newest()).toMatchObject({ state: 'done', receipt: { ...RECEIPT, cost: 5 } })
})
