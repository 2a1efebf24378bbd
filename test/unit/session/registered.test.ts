import { expect, it, onTestFinished, vi } from 'vitest'
import { ToolDefinition } from '../../../src/registry/definition.ts'
import { SessionRegistered } from '../../../src/session/registered.ts'
import type { EndedCall } from '../../../src/tenant/api.ts'
import { NodeSql } from '../../support/sql-node.ts'
import { openTenant } from '../tenant/open.ts'

const own = ToolDefinition.parse({
  id: 'own',
  name: 'own',
  description: 'Of the session.',
  input_schema: {},
  executor: { kind: 'http', target: 'https://service.example/' },
})

it('a session that is removed a moment after a call tells of its end, and asks nothing of its storage afterwards', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const sql = new NodeSql()
  const told: EndedCall[] = []
  const registered = new SessionRegistered({
    sql,
    session: 'bench',
    node: 'node',
    tenant: {
      beginCall: async () => ({ tool: null, tight: false }),
      endCalls: async (_node, calls) => void told.push(...calls),
    },
    madeTool: () => own,
    now: () => Date.now(),
    logError: (thrown) => expect.unreachable(String(thrown)),
  })
  const call = await registered.port('call', { key: null, agent: null }, () => false).begin('own')
  call.end({ failure: null, bytesIn: 0, bytesOut: 0, sandboxMs: 0 })
  const soon = registered.tellSoon()

  registered.giveUp()
  await registered.tell()
  expect(told.map(({ callId }) => callId)).toEqual(['call.1'])
  for (const table of ['registered_running', 'registered_ended']) sql.all(`DROP TABLE ${table}`)

  await vi.runAllTimersAsync()
  await soon
})

it('ends are told until they were heard, over restarts too, each under a number of its own and none again', async () => {
  const sql = new NodeSql()
  const told: [number, string][] = []
  let isDown = true
  const open = () =>
    new SessionRegistered({
      sql,
      session: 'bench',
      node: 'node',
      tenant: {
        beginCall: async () => ({ tool: null, tight: false }),
        endCalls: async (_node, calls) => {
          if (isDown) throw new Error('down')
          told.push(...calls.map(({ number, callId }): [number, string] => [number, callId]))
        },
      },
      madeTool: () => own,
      now: () => Date.now(),
      logError: () => undefined,
    })
  const call = async (registered: SessionRegistered, id: string) => {
    const begun = await registered.port(id, { key: null, agent: null }, () => false).begin('own')
    begun.end({ failure: null, bytesIn: 0, bytesOut: 0, sandboxMs: 0 })
  }

  const first = open()
  expect(first.hasNews).toBe(false)
  for (const id of ['a', 'b', 'c']) await call(first, id)
  await first.tell()
  expect([told, first.hasNews]).toEqual([[], true])

  isDown = false
  const second = open()
  expect(second.hasNews).toBe(true)
  await second.tell()
  second.forgetHeard()
  const all = [
    [1, 'a.1'],
    [2, 'b.1'],
    [3, 'c.1'],
  ]
  expect([told, second.hasNews]).toEqual([all, false])

  const third = open()
  expect(third.hasNews).toBe(false)
  await call(third, 'd')
  expect(third.hasNews).toBe(true)
  await third.tell()
  third.forgetHeard()
  expect(told).toEqual([...all, [4, 'd.1']])
  expect(sql.all('SELECT count(*) AS rows FROM registered_ended')).toEqual([{ rows: 1 }])
})

it('the tenant’s audit log says which of its own tools a session called', async () => {
  const { tenant } = openTenant()
  const registered = new SessionRegistered({
    sql: new NodeSql(),
    session: 'bench',
    node: 'node',
    tenant,
    madeTool: () => own,
    now: () => Date.now(),
    logError: (thrown) => expect.unreachable(String(thrown)),
  })
  const call = await registered.port('call', { key: 'k', agent: 'sofia' }, () => false).begin('own')
  call.end({ failure: null, bytesIn: 0, bytesOut: 0, sandboxMs: 0 })
  await registered.tell()
  const { lines } = await tenant.readAudit({ after: 0, limit: 9 })
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { action: 'tool.call', agent: 'sofia', session: 'bench', subject: '@session', detail: { made: 'own', version: 0 } },
  ])
})
