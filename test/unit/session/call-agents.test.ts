import { expect, it } from 'vitest'
import { History } from '../../../src/session/history.ts'
import { Stopwatch } from '../../../src/session/stopwatch.ts'
import { NodeSql } from '../../support/sql-node.ts'
import { openSessionTables } from '../../support/tables.ts'

const RECEIPT = new Stopwatch(() => 0).receipt()
const DONE = { kind: 'done', result: { text: 'fine', data: {} } } as const
const PENDING = {
  kind: 'pending',
  soFar: { text: 'goes on', data: {} },
  next: { tool: 'task_wait', args: {} },
  retryAfterMs: 0,
} as const

function newHistory() {
  const sql = new NodeSql()
  openSessionTables(sql)
  return new History(sql, () => 0)
}
const callOf = (callId: string, agent: string | null) => ({ callId, tool: 'file_read', args: {}, agent, now: 1_000 })

it('a call in the history has the agent that made it, noted when it began or not, and its receipt has not', () => {
  const history = newHistory()
  const noted = callOf('long', 'sofia')
  history.begin(noted)
  expect(history.call('long')).toMatchObject({ agent: 'sofia', state: 'running', receipt: null })
  history.end(noted, DONE, RECEIPT, 2_000, null)
  history.end(callOf('quick', 'console'), DONE, RECEIPT, 2_000, null)
  for (const [id, agent] of Object.entries({ long: 'sofia', quick: 'console' })) {
    expect(history.call(id)).toMatchObject({ agent, state: 'done' })
    expect(history.call(id)?.receipt).toEqual(RECEIPT)
  }
})

it('a call that goes on after its answer, and one that was lost, keep their agent', () => {
  const history = newHistory()
  const pending = callOf('pending', 'sofia')
  history.begin(pending)
  history.end(pending, PENDING, RECEIPT, 2_000, null)
  history.settle('pending', DONE, 3_000, { cost: 5 })
  expect(history.call('pending')).toMatchObject({ agent: 'sofia', state: 'done', receipt: { ...RECEIPT, cost: 5 } })
  history.begin(callOf('cut', 'sofia'))
  history.loseRunning([], [])
  expect(history.call('cut')).toMatchObject({ agent: 'sofia', state: 'lost', receipt: null })
})

it('a call of a caller without a name has none', () => {
  const history = newHistory()
  history.end(callOf('nobody', null), DONE, RECEIPT, 2_000, null)
  expect(history.call('nobody')).not.toHaveProperty('agent')
})
