import { expect, it, onTestFinished, vi } from 'vitest'
import { ToolDefinition } from '../../../src/registry/definition.ts'
import { CallOutbox } from '../../../src/session/call-outbox.ts'
import { CountedCalls } from '../../../src/session/toolbox/counted-calls.ts'
import type { CallsApi, EndedCall } from '../../../src/tenant/calls-api.ts'
import { NO_LIMITS } from '../../support/no-tools.ts'
import { NodeSql } from '../../support/sql-node.ts'
import { openSessionTables } from '../../support/tables.ts'
import { openTenant } from '../tenant/open.ts'

const own = ToolDefinition.parse({
  id: 'own',
  name: 'own',
  description: 'Of the session.',
  input_schema: {},
  executor: { kind: 'http', target: 'https://service.example/' },
})

interface Given {
  readonly sql: NodeSql
  readonly tenant: Pick<CallsApi, 'beginCall' | 'endCalls'>
  readonly logError: (thrown: unknown) => void
  readonly isRemoved?: () => boolean
}

function open({ sql, tenant, logError, isRemoved = () => false }: Given) {
  openSessionTables(sql)
  const tell = async (calls: readonly EndedCall[]) => void (await tenant.endCalls('node', calls))
  const outbox = new CallOutbox({ sql, session: 'bench', tell, logError }, [])
  const admission = { isLimited: () => false }
  const counted = new CountedCalls({ session: 'bench', tenant, outbox, admission, isRemoved, now: () => Date.now() })
  const begin = (callId: string, by = { key: null as string | null, agent: null as string | null }) =>
    counted.of({ callId, by, wasNoted: () => false, account: { countedElsewhere: () => undefined } })({
      reference: 'own',
      own,
      isNew: false,
    })
  return { outbox, begin }
}

it('a session that is removed a moment after a call tells of its end, and asks nothing of its storage afterwards', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const sql = new NodeSql()
  const told: EndedCall[] = []
  const { outbox, begin } = open({
    sql,
    tenant: {
      beginCall: async () => ({ tool: null, tight: false }),
      endCalls: async (_node, calls) => {
        told.push(...calls)
        return NO_LIMITS
      },
    },
    logError: (thrown) => expect.unreachable(String(thrown)),
  })
  const call = await begin('call')
  call.end({ failure: null, bytesIn: 0, bytesOut: 0, sandboxMs: 0 })
  const soon = outbox.tellSoon(Date.now())

  outbox.giveUp()
  await outbox.tell()
  expect(told.map(({ callId }) => callId)).toEqual(['call.1'])
  for (const table of ['registered_running', 'registered_ended']) sql.all(`DROP TABLE ${table}`)

  await vi.runAllTimersAsync()
  await soon
})

it('ends are told until they were heard, over restarts too, each under a number of its own and none again', async () => {
  const sql = new NodeSql()
  const told: [number, string][] = []
  let isDown = true
  const reopen = () =>
    open({
      sql,
      tenant: {
        beginCall: async () => ({ tool: null, tight: false }),
        endCalls: async (_node, calls) => {
          if (isDown) throw new Error('down')
          told.push(...calls.map(({ number, callId }): [number, string] => [number, callId]))
          return NO_LIMITS
        },
      },
      logError: () => undefined,
    })
  const call = async ({ begin }: Pick<ReturnType<typeof open>, 'begin'>, id: string) => {
    const begun = await begin(id)
    begun.end({ failure: null, bytesIn: 0, bytesOut: 0, sandboxMs: 0 })
  }

  const first = reopen()
  expect(first.outbox.hasNews).toBe(false)
  for (const id of ['a', 'b', 'c']) await call(first, id)
  await first.outbox.tell()
  expect([told, first.outbox.hasNews]).toEqual([[], true])

  isDown = false
  const second = reopen()
  expect(second.outbox.hasNews).toBe(true)
  await second.outbox.tell()
  second.outbox.forgetHeard()
  const all = [
    [1, 'a.1'],
    [2, 'b.1'],
    [3, 'c.1'],
  ]
  expect([told, second.outbox.hasNews]).toEqual([all, false])

  const third = reopen()
  expect(third.outbox.hasNews).toBe(false)
  await call(third, 'd')
  expect(third.outbox.hasNews).toBe(true)
  await third.outbox.tell()
  third.outbox.forgetHeard()
  expect(told).toEqual([...all, [4, 'd.1']])
  expect(sql.all('SELECT count(*) AS rows FROM registered_ended')).toEqual([{ rows: 1 }])
})

it('the tenant’s audit log says which of its own tools a session called', async () => {
  const { tenant } = openTenant()
  const { outbox, begin } = open({
    sql: new NodeSql(),
    tenant,
    logError: (thrown) => expect.unreachable(String(thrown)),
  })
  const call = await begin('call', { key: 'k', agent: 'sofia' })
  call.end({ failure: null, bytesIn: 0, bytesOut: 0, sandboxMs: 0 })
  await outbox.tell()
  const { lines } = await tenant.readAudit({ after: 0, limit: 9 })
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { action: 'tool.call', agent: 'sofia', session: 'bench', subject: '@session', detail: { made: 'own', version: 0 } },
  ])
})

it('a call that the removal of its session ends is counted as lost, however soon it ends', async () => {
  const told: EndedCall[] = []
  const removal = { isUnderWay: false }
  const { outbox, begin } = open({
    sql: new NodeSql(),
    tenant: {
      beginCall: async () => ({ tool: null, tight: false }),
      endCalls: async (_node, calls) => {
        told.push(...calls)
        return NO_LIMITS
      },
    },
    logError: (thrown) => expect.unreachable(String(thrown)),
    isRemoved: () => removal.isUnderWay,
  })
  const call = await begin('call')
  removal.isUnderWay = true
  call.end({ failure: 'not_found', bytesIn: 0, bytesOut: 0, sandboxMs: 0 })
  outbox.giveUp()
  await outbox.tell()
  expect(told).toMatchObject([{ callId: 'call.1', failure: 'lost' }])
})
