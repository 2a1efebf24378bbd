import { expect, it } from 'vitest'
import { isTenantClosed, TENANT_CLOSED } from '../../../src/core/closed-tenant.ts'
import { FailureError } from '../../../src/core/failure.ts'
import { ENDED_SESSIONS_PER_SLICE, LATE_LOOK_MS } from '../../../src/core/limits/deletion.ts'
import { TOOLS_LEASE_MS, TOOLS_LEASE_SLACK_MS } from '../../../src/core/limits/usage.ts'
import { SandboxEnd } from '../../../src/tenant/owner/sandbox-end.ts'
import { TenantDeletion } from '../../../src/tenant/owner/tenant-deletion.ts'
import { ToolRevisions } from '../../../src/tenant/tool-revisions.ts'
import { fakeClock } from '../../support/fake-clock.ts'
import { NodeSql } from '../../support/sql-node.ts'
import { openTenantTables } from '../../support/tables.ts'

/** Thrown in the place of a crash. */
class Crash extends Error {}

/** A tenant with sessions and stored contents in memory, whose deletion a test can cut off at any request to the outside. */
function aTenant({ sessions = 3, objects = 1_100 } = {}) {
  const sql = new NodeSql()
  openTenantTables(sql)
  const clock = fakeClock()
  for (let at = 0; at < sessions; at++) {
    sql.all(
      'INSERT INTO sessions (name, node_id, title, created_at) VALUES (?, ?, ?, ?)',
      ...[`s${at}`, `n${at}`, '', at],
    )
  }
  const stored = new Map(Array.from({ length: objects }, (_, at) => [`t/acme/blobs/${at}`, at]))
  const alive = new Set(Array.from({ length: sessions }, (_, at) => `s${at}`))
  const papers = { left: 3 }
  const connections = { left: 10 }
  const entry = { closedAt: 0, purgedAt: 0 }
  const alarm = { at: null as number | null }
  const errors: unknown[] = []
  /** What sessions do that hear of other tools; replace it. */
  const hearing = { toolsChanged: async (_name: string, _revision: number): Promise<void> => undefined }
  const outside = { requests: 0, cutAt: Number.POSITIVE_INFINITY, failing: new Set<string>() }
  /** Does a request, and crashes before or behind it. */
  const request = async <T>(work: () => T): Promise<T> => {
    const at = outside.requests++
    if (at === outside.cutAt) throw new Crash()
    const answer = work()
    if (at + 0.5 === outside.cutAt) throw new Crash()
    return answer
  }
  const open = () =>
    new TenantDeletion({
      sql,
      clock,
      logError: (thrown) => errors.push(thrown),
      entry: {
        count: () => request(() => 7),
        close: (at) =>
          request(() => {
            entry.closedAt ||= at
          }),
        remove: (at) =>
          request(() => {
            entry.purgedAt ||= at
          }),
      },
      objects: {
        page: () => request(() => [...stored].slice(0, 1_000).map(([key, bytes]) => ({ key, bytes }))),
        delete: (keys) =>
          request(() => {
            for (const key of keys) stored.delete(key)
          }),
      },
      papers: {
        count: () => request(() => papers.left),
        removeSome: () =>
          request(() => {
            papers.left = Math.max(0, papers.left - 1)
            return papers.left > 0
          }),
      },
      packages: { count: () => request(() => 0), removeSome: () => request(() => false) },
      removeSession: (name) =>
        request(() => {
          if (outside.failing.has(name)) throw new FailureError({ code: 'upstream', message: `${name} stays` })
          alive.delete(name)
        }),
      endConnections: () =>
        request(() => {
          connections.left = Math.max(0, connections.left - 6)
          return connections.left > 0
        }),
      removeVectors: () => request(() => undefined),
      toolsChanged: (name, revision) => hearing.toolsChanged(name, revision),
      wakeAt: async (at) => {
        alarm.at = at
      },
    })
  /** Rings the alarm as often as it is due within that time. @returns the deletion */
  const ring = async (deletion: TenantDeletion, withinMs: number) => {
    for (let rounds = 0; alarm.at !== null && alarm.at <= clock.now() + withinMs; rounds++) {
      if (rounds > 100) throw new Error('the alarm never rests')
      alarm.at = null
      await deletion.work()
    }
    return deletion
  }
  const tables = () =>
    sql
      .all<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB 'sqlite_*'")
      .map(({ name }) => name)
      .sort()
  return { sql, clock, stored, alive, papers, entry, alarm, errors, outside, hearing, open, ring, tables }
}

const RECEIPT = {
  step: 'deleted',
  sessions: { total: 3, removed: 3 },
  objects: { removed: 1_100, bytes: (1_099 * 1_100) / 2 },
  rows: { keys: 7, tools: 0, papers: 3, packages: 0 },
  problem: null,
}
const LEFT = ['migrations', 'owner_work', 'tenant']

it('a deletion ends with nothing but a receipt', async () => {
  const { open, ring, stored, alive, tables, entry, clock } = aTenant()
  const deletion = open()
  expect(deletion.isBegun).toBe(false)
  expect(await deletion.begin()).toMatchObject({ step: 'keys', sessions: { total: 3, removed: 0 }, endedAt: null })
  await ring(deletion, 0)
  expect(deletion.read()).toMatchObject({ ...RECEIPT, requestedAt: clock.now(), endedAt: clock.now() })
  expect([stored.size, alive.size, tables()]).toEqual([0, 0, LEFT])
  expect(entry).toEqual({ closedAt: clock.now(), purgedAt: clock.now() })
})

it('the sessions of a closed tenant drop what they have of its tools and secrets, those with a lease alone', async () => {
  const { sql, clock, hearing, open, ring } = aTenant()
  const reported = (node: string, at: number) =>
    sql.all('INSERT INTO told_ends (node_id, number, at) VALUES (?, 1, ?)', node, at)
  reported('n0', clock.now())
  reported('n1', clock.now() - TOOLS_LEASE_MS - TOOLS_LEASE_SLACK_MS)
  const held = new ToolRevisions(sql)
  held.noteSecret()
  const informed: string[] = []
  hearing.toolsChanged = async (name, revision) => {
    expect(revision).toBeGreaterThan(held.newest())
    informed.push(name)
  }
  const deletion = await begun(open())
  await deletion.informHolders()
  expect(informed).toEqual(['s0'])
  // The first request may have been cut off.
  await open().informHolders()
  expect(informed).toEqual(['s0', 's0'])
  await ring(deletion, 0)
  await deletion.informHolders()
  expect(informed).toHaveLength(2)
})

it('a deletion whose alarm was lost goes on when it is asked for again', async () => {
  const { open, ring, alarm } = aTenant()
  await open().begin()
  alarm.at = null
  const again = open()
  await again.begin()
  expect((await ring(again, 0)).read()).toMatchObject(RECEIPT)
})

it('a deletion that is cut off before or behind any request goes on, and its receipt is the same', async () => {
  const whole = aTenant()
  await whole.ring(await begun(whole.open()), 0)
  for (let cutAt = 0; cutAt < whole.outside.requests; cutAt += 0.5) {
    const cut = aTenant()
    cut.outside.cutAt = cutAt
    await cut.ring(await begun(cut.open()), 0)
    cut.outside.cutAt = Number.POSITIVE_INFINITY
    // Another object goes on with what is stored.
    cut.clock.advance(60_000)
    const { read } = await cut.ring(cut.open(), 0).then((deletion) => ({ read: deletion.read() }))
    expect(read, `cut off at ${cutAt}`).toMatchObject(RECEIPT)
    expect([cut.stored.size, cut.alive.size, cut.tables()]).toEqual([0, 0, LEFT])
  }
})

it('a session that cannot be removed holds up none of the others, and the receipt waits for it', async () => {
  const sessions = ENDED_SESSIONS_PER_SLICE + 10
  const { open, ring, alive, outside, clock, errors } = aTenant({ sessions, objects: 1 })
  outside.failing = new Set(['s0', 's1'])
  const deletion = await ring(await begun(open()), 0)
  expect([...alive]).toEqual(['s0', 's1'])
  expect(deletion.read()).toMatchObject({
    step: 'sessions',
    sessions: { total: sessions, removed: sessions - 2 },
    problem: expect.stringMatching(/^s[01] stays$/),
  })
  expect(errors).toHaveLength(1)
  outside.failing.clear()
  clock.advance(60_000)
  await ring(deletion, 0)
  expect(deletion.read()).toMatchObject({ step: 'deleted', sessions: { removed: sessions }, problem: null })
})

it('what an upload stored behind the deletion is removed an hour later, and counted', async () => {
  const { open, ring, stored, clock, alarm } = aTenant({ objects: 1 })
  const deletion = await ring(await begun(open()), 0)
  stored.set('t/acme/blobs/late', 5)
  clock.advance(LATE_LOOK_MS)
  await ring(deletion, 0)
  expect(stored.size).toBe(0)
  expect(deletion.read()).toMatchObject({ step: 'deleted', objects: { removed: 2, bytes: 5 } })
  clock.advance(LATE_LOOK_MS)
  await ring(deletion, 0)
  expect(alarm.at).toBeNull()
})

it('what a restored database has of a deleted tenant is removed when the owner deletes it once more', async () => {
  const { open, ring, papers, entry, clock, alarm } = aTenant({ objects: 1 })
  const deletion = await ring(await begun(open()), 0)
  const { endedAt } = deletion.read() ?? {}
  clock.advance(LATE_LOOK_MS)
  await ring(deletion, 0)
  Object.assign(papers, { left: 2 })
  Object.assign(entry, { purgedAt: 0 })
  clock.advance(LATE_LOOK_MS)
  await ring(await begun(open()), 0)
  expect(papers.left).toBe(0)
  expect(entry.purgedAt).toBe(endedAt)
  clock.advance(LATE_LOOK_MS)
  await ring(open(), 0)
  expect(alarm.at).toBeNull()
})

it('a tenant that is closed has no secrets and no webhooks any more, before anything else of it is removed', async () => {
  const { open, sql } = aTenant()
  sql.all("INSERT INTO secrets (name, closed, changed_at) VALUES ('TOKEN', x'00', 1)")
  await open().begin()
  for (const table of ['secrets', 'webhooks', 'webhook_deliveries'])
    expect(sql.all(`SELECT * FROM ${table}`), table).toEqual([])
})

it('a deletion begins once', async () => {
  const { open, ring, clock } = aTenant()
  const deletion = open()
  const first = await deletion.begin()
  clock.advance(1_000)
  expect(await deletion.begin()).toEqual(first)
  await ring(deletion, 0)
  const receipt = deletion.read()
  expect(await open().begin()).toEqual(receipt)
})

it('a closed tenant is recognised by its failure alone', () => {
  expect(isTenantClosed(new FailureError({ ...TENANT_CLOSED }))).toBe(true)
  expect(isTenantClosed(new FailureError({ code: 'unauthenticated', message: 'another key' }))).toBe(false)
})

it('sandboxes of a disabled tenant are ended twice, running and paused ones, until none fails; and not when it is enabled again', async () => {
  const { sql, clock } = aTenant()
  sql.all("UPDATE sessions SET state = 'paused' WHERE name = 's1'")
  const ended: string[] = []
  const alarm = { at: null as number | null }
  let fails = true
  const sandboxes = new SandboxEnd({
    sql,
    clock,
    logError: () => undefined,
    running: async () => ['s2'],
    endSandbox: async (name) => {
      if (fails && name === 's2') throw new Error('no provider')
      ended.push(name)
    },
    wakeAt: async (at) => {
      alarm.at = at
    },
  })
  const ring = async () => {
    if (alarm.at === null) return 'rests'
    clock.advance(Math.max(0, alarm.at - clock.now()))
    alarm.at = null
    await sandboxes.work()
    return ended.splice(0)
  }
  await sandboxes.begin()
  expect(await ring()).toEqual(['s1'])
  fails = false
  expect(await ring()).toEqual(['s1', 's2'])
  expect(await ring()).toEqual(['s1', 's2'])
  expect(await ring()).toBe('rests')
  await sandboxes.begin()
  sandboxes.stop()
  expect(await ring()).toEqual([])
  expect(await ring()).toBe('rests')
})

it('sandboxes beyond a new ceiling are ended, as all are of a disabled tenant, whichever of the two comes first', async () => {
  const { sql, clock } = aTenant()
  const ended: string[] = []
  let during: (() => Promise<void>) | null = null
  const sandboxes = new SandboxEnd({
    sql,
    clock,
    logError: () => undefined,
    running: async () => ['s1'],
    endSandbox: async (name, which) => {
      ended.push(`${name} ${which}`)
      await during?.()
      during = null
    },
    wakeAt: async (at) => clock.advance(Math.max(0, at - clock.now())),
  })
  const look = async () => {
    await sandboxes.work()
    return ended.splice(0)
  }
  await sandboxes.begin('exceeding')
  // Another ceiling while the first look is under way: it is looked at twice for that one.
  during = () => sandboxes.begin('exceeding')
  expect([await look(), await look(), await look(), await look()]).toEqual([
    ['s1 exceeding'],
    ['s1 exceeding'],
    ['s1 exceeding'],
    [],
  ])
  await sandboxes.begin('exceeding')
  await sandboxes.begin()
  await sandboxes.begin('exceeding')
  expect([await look(), await look(), await look()]).toEqual([['s1 any'], ['s1 any'], []])
})

async function begun(deletion: TenantDeletion): Promise<TenantDeletion> {
  await deletion.begin()
  return deletion
}
