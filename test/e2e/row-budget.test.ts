import { expect, it } from 'vitest'
import { FLUSH_AFTER_MS } from '../../src/core/limits/workspace.ts'
import { runningToolyard } from '../support/running-toolyard.ts'
import { newOwner } from '../support/tenants.ts'

const server = runningToolyard(async () => ({}))

/** Calls of a series: a row more for each of them is more than what alarms write that come in between. */
const CALLS = 20

/**
 * Rows that one call of a series may write, which production bills: what it writes, rounded up, and as much again for alarms in
 * between. A call that writes more needs a reason, and a new number here and in docs/operating.md.
 */
const BUDGET = {
  'file_write, a new path': { rows: 6.7, call: (n: number) => file(`new-${n}`, `new ${n}`) },
  'file_write, an existing path': { rows: 6.7, call: (n: number) => file('same', `other ${n}`) },
  file_read: { rows: 1.7, call: () => ({ tool: 'file_read', arguments: { file_path: 'same' } }) },
  'execute_shell, no change': { rows: 6.7, call: () => shell('true') },
  'execute_shell, one file changed': { rows: 13.7, call: (n: number) => shell(`echo ${n} > made`) },
} as const

/** Statements of reports to the tenant. How many calls share one depends on time: they are bounded by other tests. */
const REPORTS = /^INSERT (OR REPLACE )?INTO (told_ends|usage|audit) /

/** Rows of one alarm. One comes in FLUSH_AFTER_MS at most: calls on a slow machine have more of them. */
const ROWS_OF_AN_ALARM = 6

const file = (file_path: string, content: string) => ({ tool: 'file_write', arguments: { file_path, content } })
const shell = (command: string) => ({ tool: 'execute_shell', arguments: { command } })

it('writes no more rows for a call than its budget', async () => {
  const { id: tenant, key } = await newOwner(server())
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const post = async (path: string, body: object) => {
    const response = await fetch(`${server().url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    expect(response.ok, await response.text()).toBe(true)
  }
  await post('/v1/sessions', { name: 's' })
  const call = (body: object) => post('/v1/sessions/s/calls', body)
  const object = (method: string) =>
    server().worker.ask('SessionObject', `${tenant}/s`, { operation: 'call', method, args: [] })

  const over: object[] = []
  for (const [what, { rows, call: made }] of Object.entries(BUDGET)) {
    // What the calls before left to the first one or to an alarm is done before, and what these ones leave is counted.
    await call(made(CALLS))
    await object('alarmNow')
    await object('countRows')
    const began = performance.now()
    for (let n = 0; n < CALLS; n++) await call(made(n))
    await object('alarmNow')
    const statements = Object.entries((await object('countedRows')) as Record<string, number>)
    const counted = statements.filter(([statement]) => !REPORTS.test(statement))
    const each = counted.reduce((sum, [, written]) => sum + written, 0) / CALLS
    const alarms = Math.floor((performance.now() - began) / FLUSH_AFTER_MS)
    const most = rows + (alarms * ROWS_OF_AN_ALARM) / CALLS
    // Without any row nothing was counted.
    if (each > most || each === 0) over.push({ what, each, most, ...Object.fromEntries(counted) })
  }
  expect(over).toEqual([])
}, 480_000)
