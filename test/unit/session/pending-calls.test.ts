import { expect, it } from 'vitest'
import type { Outcome } from '../../../src/core/outcome.ts'
import { History } from '../../../src/session/history.ts'
import { Stopwatch } from '../../../src/session/stopwatch.ts'
import { NodeSql } from '../../support/sql-node.ts'
import { openSessionTables } from '../../support/tables.ts'

const RECEIPT = new Stopwatch(() => 0).receipt()
const ID = 'f27b0cab-b312-487f-aea5-6ee21d10385c'
const pending = (text: string): Outcome => ({
  kind: 'pending',
  soFar: { text, data: {} },
  next: { tool: 'human_in_loop', args: {} },
  retryAfterMs: 0,
})

it('a person’s answer ends the calls that wait for it, and no others whose answers name it', () => {
  const sql = new NodeSql()
  openSessionTables(sql)
  const made = new History(sql, () => 0)
  const end = (callId: string, tool: string, args: object, outcome: Outcome) =>
    made.end({ callId, tool, args, now: 1 }, outcome, RECEIPT, 2, null)
  end('c1', 'human_in_loop', {}, pending(`no answer yet; human_task_id ${ID}`))
  end('c2', 'registered_call', { name: 'human_in_loop' }, pending(`no answer yet; human_task_id ${ID}`))
  end('c3', 'human_in_loop', {}, pending('no answer yet; human_task_id another'))
  end('c4', 'shell_command', {}, pending(`it printed ${ID}`))
  end('c5', 'human_in_loop', {}, { kind: 'done', result: { text: ID, data: {} } })
  made.endPendingOn('human_in_loop', ID, 'the person answered: yes')
  const states = made.page({ limit: 10 }).calls.map(({ callId, state, answer }) => [callId, state, answer])
  expect(states.reverse()).toEqual([
    ['c1', 'done', 'the person answered: yes'],
    ['c2', 'done', 'the person answered: yes'],
    ['c3', 'pending', 'no answer yet; human_task_id another'],
    ['c4', 'pending', `it printed ${ID}`],
    ['c5', 'done', ID],
  ])
})
