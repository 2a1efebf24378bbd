import { expect, it, onTestFinished, vi } from 'vitest'
import type { Actor } from '../../../../src/core/actor.ts'
import { MAX_KNOWN_TOOLS } from '../../../../src/core/limits/registry.ts'
import { ToolDefinition } from '../../../../src/registry/definition.ts'
import { CallOutbox } from '../../../../src/session/call-outbox.ts'
import { CountedCalls } from '../../../../src/session/toolbox/counted-calls.ts'
import type { CallsApi, EndedCall } from '../../../../src/tenant/calls-api.ts'
import { NO_LIMITS } from '../../../support/no-tools.ts'
import { NodeSql } from '../../../support/sql-node.ts'
import { openSessionTables } from '../../../support/tables.ts'
import { openTenant } from '../../tenant/open.ts'
import { OWNER, register } from '../../tenant/registry-tools.ts'

const own = ToolDefinition.parse({
  id: 'own',
  name: 'own',
  description: 'Of the session.',
  input_schema: {},
  executor: { kind: 'http', target: 'https://service.example/' },
})

interface Given {
  readonly sql: NodeSql
  readonly tenant: { readonly calls: Pick<CallsApi, 'begin' | 'end'> }
  readonly logError: (thrown: unknown) => void
  readonly isRemoved?: () => boolean
}

function open({ sql, tenant, logError, isRemoved = () => false }: Given) {
  openSessionTables(sql)
  const tell = async (calls: readonly EndedCall[]) => void (await tenant.calls.end('node', calls))
  const outbox = new CallOutbox({ sql, session: 'bench', tell, logError }, [])
  const admission = { isLimited: () => false, beginsUnasked: () => null, priceOf: () => null, wanted: () => null }
  const counted = new CountedCalls({ session: 'bench', tenant, outbox, admission, isRemoved, now: () => Date.now() })
  const beginOf = (reference: string, callId: string, by: Actor = { key: null, agent: null }) =>
    counted.of({ callId, by, wasNoted: () => false, account: { countedElsewhere: () => undefined } })({
      reference,
      own: reference === 'own' ? own : null,
      isNew: false,
    })
  const begin = (callId: string, by: Actor = { key: null, agent: null }) => beginOf('own', callId, by)
  return { outbox, begin, beginOf }
}

it('a session that is removed a moment after a call tells of its end, and asks nothing of its storage afterwards', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const sql = new NodeSql()
  const reported: EndedCall[] = []
  const { outbox, begin } = open({
    sql,
    tenant: {
      calls: {
        begin: async () => ({ tool: null, tight: false }),
        end: async (_node, calls) => {
          reported.push(...calls)
          return NO_LIMITS
        },
      },
    },
    logError: (thrown) => expect.unreachable(String(thrown)),
  })
  const call = await begin('call')
  call.end({ failure: null, bytesIn: 0, bytesOut: 0, sandboxMs: 0 })
  const soon = outbox.tellSoon(Date.now())

  outbox.discard()
  await outbox.tell()
  expect(reported.map(({ callId }) => callId)).toEqual(['call.1'])
  for (const table of ['registered_running', 'registered_ended']) sql.all(`DROP TABLE IF EXISTS ${table}`)

  await vi.runAllTimersAsync()
  await soon
})

it('ends are told until they were heard, over restarts too, each under a number of its own and none again', async () => {
  const sql = new NodeSql()
  const reported: [number, string][] = []
  let isDown = true
  const reopen = () =>
    open({
      sql,
      tenant: {
        calls: {
          begin: async () => ({ tool: null, tight: false }),
          end: async (_node, calls) => {
            if (isDown) throw new Error('down')
            reported.push(...calls.map(({ number, callId }): [number, string] => [number, callId]))
            return NO_LIMITS
          },
        },
      },
      logError: () => undefined,
    })
  const call = async ({ begin }: Pick<ReturnType<typeof open>, 'begin'>, id: string) => {
    const begun = await begin(id)
    begun.end({ failure: null, bytesIn: 0, bytesOut: 0, sandboxMs: 0 })
  }

  const first = reopen()
  expect(first.outbox.hasUnacknowledged).toBe(false)
  for (const id of ['a', 'b', 'c']) await call(first, id)
  await first.outbox.tell()
  expect([reported, first.outbox.hasUnacknowledged]).toEqual([[], true])

  isDown = false
  const second = reopen()
  expect(second.outbox.hasUnacknowledged).toBe(true)
  await second.outbox.tell()
  second.outbox.forgetHeard()
  const all = [
    [1, 'a.1'],
    [2, 'b.1'],
    [3, 'c.1'],
  ]
  expect([reported, second.outbox.hasUnacknowledged]).toEqual([all, false])

  const third = reopen()
  expect(third.outbox.hasUnacknowledged).toBe(false)
  await call(third, 'd')
  expect(third.outbox.hasUnacknowledged).toBe(true)
  await third.outbox.tell()
  third.outbox.forgetHeard()
  expect(reported).toEqual([...all, [4, 'd.1']])
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
  const { lines } = await tenant.audit.page({ after: 0, limit: 9 })
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { action: 'tool.call', agent: 'sofia', session: 'bench', subject: '@session', detail: { made: 'own', version: 0 } },
  ])
})

it('a call that the removal of its session ends is counted as lost, however soon it ends', async () => {
  const reported: EndedCall[] = []
  const removal = { isUnderWay: false }
  const { outbox, begin } = open({
    sql: new NodeSql(),
    tenant: {
      calls: {
        begin: async () => ({ tool: null, tight: false }),
        end: async (_node, calls) => {
          reported.push(...calls)
          return NO_LIMITS
        },
      },
    },
    logError: (thrown) => expect.unreachable(String(thrown)),
    isRemoved: () => removal.isUnderWay,
  })
  const call = await begin('call')
  removal.isUnderWay = true
  call.end({ failure: 'not_found', bytesIn: 0, bytesOut: 0, sandboxMs: 0 })
  outbox.discard()
  await outbox.tell()
  expect(reported).toMatchObject([{ callId: 'call.1', failure: 'lost' }])
})

/** A session that calls tools of a tenant, and what it got of them: which were sent, and as what calls began. */
function calling() {
  const { tenant, reopen } = openTenant()
  const reach = { tenant }
  const sent: boolean[] = []
  const { beginOf } = open({
    sql: new NodeSql(),
    tenant: {
      calls: {
        // As it comes out of a request: what the tenant has itself is never shared.
        begin: async (call) => {
          const answer = structuredClone(await reach.tenant.calls.begin(structuredClone(call)))
          sent.push(answer.tool !== null)
          return answer
        },
        end: (...given) => reach.tenant.calls.end(...given),
      },
    },
    logError: (thrown) => expect.unreachable(String(thrown)),
  })
  const begun = async (reference: string) => {
    const { registered } = await beginOf(reference, crypto.randomUUID())
    return `${registered?.definition.id}@${registered?.version} ${registered?.definition.timeout} s`
  }
  const put = (timeout: number) =>
    reach.tenant.tools.change([{ op: 'put', definition: { ...own, id: 't', timeout } }], OWNER)
  const restart = () => void Object.assign(reach, { tenant: reopen() })
  return { reach, sent, begun, put, restart }
}

it('a tool is sent to a session once, and again when it is another one', async () => {
  const { reach, sent, begun, put } = calling()
  await put(1)
  expect([await begun('t'), await begun('t'), await begun('t@latest'), await begun('t@latest')]).toEqual(
    Array(4).fill('t@1 1 s'),
  )
  expect(sent.splice(0)).toEqual([true, false, true, false])
  await put(2)
  expect([await begun('t'), await begun('t@latest'), await begun('t')]).toEqual(['t@2 2 s', 't@2 2 s', 't@2 2 s'])
  expect(sent.splice(0)).toEqual([true, true, false])
  await reach.tenant.tools.change([{ op: 'delete', id: 't' }], OWNER)
  await expect(begun('t')).rejects.toMatchObject({ failure: { code: 'not_found' } })
  await put(3)
  expect(await begun('t')).toMatch(/ 3 s$/)
})

it('a tool that a session has is refused to it as soon as it may not call it', async () => {
  const { reach, begun, put } = calling()
  await put(1)
  await begun('t')
  const policy = (enabled: boolean, allowed_agents: string[] | null) =>
    reach.tenant.tools.change([{ op: 'policy', id: 't', policy: { enabled, allowed_agents } }], OWNER)
  for (const [enabled, allowed] of [
    [false, null],
    [true, ['sofia']],
  ] as const) {
    await policy(enabled, allowed && [...allowed])
    await expect(begun('t')).rejects.toMatchObject({ failure: { code: 'forbidden' } })
  }
  await policy(true, null)
  expect(await begun('t')).toBe('t@1 1 s')
})

it('a tool is sent again once the tenant’s object was made anew', async () => {
  const { sent, begun, put, restart } = calling()
  await put(1)
  await begun('t')
  restart()
  expect([await begun('t'), await begun('t')]).toEqual(['t@1 1 s', 't@1 1 s'])
  expect(sent).toEqual([true, true, false])
})

it('a session keeps so many tools and no more, and calls all of them', async () => {
  const { reach, sent, begun } = calling()
  const ids = Array.from({ length: MAX_KNOWN_TOOLS + 1 }, (_, at) => `t${at}`)
  await register(reach.tenant, ids)
  for (const id of [...ids, ids[0] ?? '', ids[MAX_KNOWN_TOOLS] ?? '']) expect(await begun(id)).toContain(`${id}@1`)
  expect(sent.slice(-2)).toEqual([true, false])
})
