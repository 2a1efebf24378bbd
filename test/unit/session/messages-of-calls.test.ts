import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Actor } from '../../../src/core/actor.ts'
import type { Outcome } from '../../../src/core/outcome.ts'
import { outermost } from '../../../src/registry/chain/budget.ts'
import { ToolDefinition } from '../../../src/registry/definition.ts'
import { LimitSettings } from '../../../src/registry/limit-settings.ts'
import { Accounting } from '../../../src/session/accounting.ts'
import { SessionCircuits } from '../../../src/session/circuits.ts'
import { KeptSecrets } from '../../../src/session/kept-secrets.ts'
import { Stopwatch } from '../../../src/session/stopwatch.ts'
import { CountedCalls } from '../../../src/session/toolbox/counted-calls.ts'
import { catalog } from '../../../src/tools/catalog.ts'
import { execute } from '../../../src/tools/registered/execute.ts'
import { NodeSql } from '../../support/sql-node.ts'
import { openSessionTables } from '../../support/tables.ts'
import { openTenant } from '../tenant/open.ts'
import { OWNER } from '../tenant/registry-tools.ts'

/** Sessions of the tenant, and the calls of each in a second: together the rate that a tenant has without a rule. */
const SESSIONS = 32
const EVERY_MS = 32

const SOFIA: Actor = { key: 'k1', agent: 'sofia' }
const DONE: Outcome = { kind: 'done', result: { text: 'fine', data: {} } }

const HTTP = ToolDefinition.parse({
  ...{ id: 'web', name: 'web', description: 'Asks a service.', input_schema: {}, timeout: 5 },
  executor: {
    kind: 'http',
    target: 'https://tools.example/run',
    request: { method: 'GET', auth: [{ type: 'bearer', secret: 'SERVICE_KEY' }] },
  },
})
const PYTHON = ToolDefinition.parse({
  ...{ id: 'py', name: 'py', description: 'Runs a function.', input_schema: {}, timeout: 5 },
  executor: { kind: 'python', target: 'one:run', source: 'def run(context): return 1', secrets: ['SERVICE_KEY'] },
})

beforeEach(() => void vi.useFakeTimers({ now: 1_700_000_000_000, toFake: ['Date', 'setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

const changesOf = (sql: NodeSql) => Number(sql.all<{ rows: number }>('SELECT total_changes() AS rows')[0]?.rows)

async function opened(rules: readonly object[] = []) {
  const { tenant, sql: tenantSql, time, sessions } = openTenant()
  const messagesOf: Record<string, number> = {}
  const open = new Map<string, Accounting>()
  sessions.limitsChanged = async (name, version) => open.get(name)?.limitsChanged(version) ?? []
  sessions.toolsChanged = async (name, revision) => open.get(name)?.admission.dropTools(revision)
  const count = <Given extends unknown[], T>(what: string, ask: (...given: Given) => Promise<T>) => {
    return (...given: Given) => {
      messagesOf[what] = (messagesOf[what] ?? 0) + 1
      return ask(...given)
    }
  }
  await tenant.tools.change(
    [
      { op: 'put', definition: HTTP },
      { op: 'put', definition: PYTHON },
    ],
    OWNER,
  )
  await tenant.secrets.put('SERVICE_KEY', 'opensesame')
  await tenant.limits.put(LimitSettings.parse({ rules }), OWNER)
  const now = () => Date.now()
  const session = async (name: string) => {
    const sql = new NodeSql()
    openSessionTables(sql)
    const calls = {
      admit: count('admit', (...given: Parameters<typeof tenant.calls.admit>) => tenant.calls.admit(...given)),
      begin: count('begin', (...given: Parameters<typeof tenant.calls.begin>) => tenant.calls.begin(...given)),
      end: count('end', (...given: Parameters<typeof tenant.calls.end>) => tenant.calls.end(...given)),
    }
    const accounting = new Accounting(
      {
        sql,
        session: name,
        node: `node-${name}`,
        registry: catalog,
        tenant: { calls },
        now,
        logError: (thrown) => expect.unreachable(String(thrown)),
      },
      [],
    )
    open.set(name, accounting)
    await tenant.sessions.add({ name, nodeId: `node-${name}`, title: name, createdAt: 1 })
    const counted = new CountedCalls({
      ...{ session: name, tenant: { calls }, outbox: accounting.outbox, admission: accounting.admission },
      ...{ isRemoved: () => false, now },
    })
    const secrets = count('open', (secret: string) => tenant.secrets.open(secret))
    const kept = new KeptSecrets({ secrets, admission: accounting.admission, now })
    const seen: string[] = []
    const ports = {
      circuits: new SessionCircuits(now),
      clock: { now },
      secrets: kept.open,
      http: {
        fetch: async ({ headers }: { headers: Record<string, string> }) => {
          seen.push(headers.Authorization ?? '')
          return { status: 200, url: '', headers: new Headers(), body: new TextEncoder().encode('{}'), isCut: false }
        },
      },
      python: {
        call: async ({ ask }: { ask: { context: { secrets: { SERVICE_KEY: string } } } }) => {
          seen.push(ask.context.secrets.SERVICE_KEY)
          const none = { text: '', bytes: 0 }
          return { how: 'returned', value: 1, stdout: none, stderr: none, notices: { notes: [], conflicts: [] } }
        },
      },
    }
    let made = 0
    const report = () => void (accounting.outbox.hasUnacknowledged && accounting.outbox.tellSoon(Date.now()))
    const registered = async ({ id }: ToolDefinition) => {
      const outer = { callId: `${name}-${++made}`, by: SOFIA, wasNoted: () => false }
      const begun = await counted.of({ ...outer, account: { countedElsewhere: () => undefined } })({
        reference: id,
        own: null,
        isNew: false,
      })
      const definition = begun.registered?.definition
      if (!definition) return expect.unreachable()
      const call = { definition, args: {}, context: {}, used: () => undefined, nesting: outermost() }
      await execute(call, ports as never, new AbortController().signal)
      begun.end({ failure: null, bytesIn: 1, bytesOut: 1, sandboxMs: 0 })
      report()
    }
    const builtIn = async () => {
      const startedAt = now()
      const call = { tool: 'file_read', args: { file_path: 'a' } }
      const account = accounting.open({
        callId: `${name}-${++made}`,
        call,
        by: SOFIA,
        startedAt,
        stopwatch: new Stopwatch(now),
      })
      await account.admit()
      account.end(DONE)
      report()
    }
    return { sql, seen, kinds: { builtIn, registered: () => registered(made % 2 === 0 ? HTTP : PYTHON) } }
  }
  const all = await Promise.all(Array.from({ length: SESSIONS }, (_, n) => session(`s${n}`)))
  const work = async (kind: keyof (typeof all)[number]['kinds'], ms: number, everyMs = EVERY_MS) => {
    for (let at = 0; at < ms; at += everyMs) {
      for (const one of all) await one.kinds[kind]()
      time.now += everyMs
      await vi.advanceTimersByTimeAsync(everyMs)
    }
  }
  const measured = async (kind: Parameters<typeof work>[0], ms: number, everyMs = EVERY_MS, warmUpMs = 3_400) => {
    await work(kind, warmUpMs, everyMs)
    for (const what of Object.keys(messagesOf)) delete messagesOf[what]
    const rows = () => [changesOf(tenantSql), all.reduce((sum, { sql }) => sum + changesOf(sql), 0)] as const
    const before = rows()
    await work(kind, ms, everyMs)
    const after = rows()
    const calls = SESSIONS * Math.ceil(ms / everyMs)
    const each = Object.fromEntries(Object.entries(messagesOf).map(([what, times]) => [what, times / calls]))
    const messages = Object.values(each).reduce((sum, one) => sum + one, 0)
    return {
      messages,
      each,
      rowsOfTenant: (after[0] - before[0]) / calls,
      rowsOfSessions: (after[1] - before[1]) / calls,
    }
  }
  return { all, measured }
}

it('a call of a built-in tool asks the tenant nothing, and its end is reported and written with those of some seconds', async () => {
  const { measured } = await opened()
  const found = await measured('builtIn', 20_000)
  expect(Object.keys(found.each)).toEqual(['end'])
  expect(found.messages).toBeLessThan(1 / 50)
  expect(found.rowsOfTenant).toBeLessThan(1 / 20)
  expect(found.rowsOfSessions).toBeLessThan(2.1)
})

it('a call of a registered tool with a credential asks the tenant less than every hundredth time', async () => {
  const { measured, all } = await opened()
  const found = await measured('registered', 4_000)
  expect(found.messages).toBeLessThan(1 / 100)
  // One is the entry of the audit log.
  expect(found.rowsOfTenant).toBeLessThan(1.05)
  expect(found.rowsOfSessions).toBeLessThan(2.1)
  expect(new Set(all.flatMap(({ seen }) => seen))).toEqual(new Set(['Bearer opensesame', 'opensesame']))
})

/**
 * Messages for a call with 32 sessions that make nine tenths of what a rule allows, of one built-in tool, or by turns of two registered
 * ones.
 */
it.each([
  { limit: 60, builtIn: 1, registered: 1, end: 1 },
  { limit: 600, builtIn: 1, registered: 1, end: 1 },
  { limit: 6_000, builtIn: 1 / 11, registered: 2 / 11, end: 1 / 5 },
  { limit: 60_000, builtIn: 1 / 100, registered: 1 / 50, end: 1 / 50 },
])(
  'under $limit calls a minute a session asks for four seconds of a tool at once, or for a call that comes alone',
  async (row) => {
    const everyMs = Math.ceil((SESSIONS * 60_000) / (row.limit * 0.9))
    const ms = Math.max(8_000, 12 * everyMs)
    const asking = { builtIn: 'admit', registered: 'begin' } as const
    for (const scope of ['tenant', 'agent']) {
      for (const kind of ['builtIn', 'registered'] as const) {
        const { measured } = await opened([{ scope, name: '*', per_minute: row.limit }])
        const { each } = await measured(kind, ms, everyMs, ms)
        expect.soft(each[asking[kind]], `${scope}, ${kind}`).toBeLessThanOrEqual(row[kind])
        expect.soft(each.end, `${scope}, ${kind}`).toBeLessThanOrEqual(row.end)
      }
    }
  },
)
