import { expect, it, onTestFinished, vi } from 'vitest'
import { ToolDefinition } from '../../../src/registry/definition.ts'
import { SessionRegistered } from '../../../src/session/registered.ts'
import type { EndedCall } from '../../../src/tenant/api.ts'
import { NodeSql } from '../../support/sql-node.ts'

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
