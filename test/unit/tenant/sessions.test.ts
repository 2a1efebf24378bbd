import { describe, expect, it } from 'vitest'
import { MAX_EXPIRED_SESSIONS, MAX_SESSIONS_PER_TENANT } from '../../../src/core/limits/tenants.ts'
import { USUAL_SETTINGS } from '../../../src/core/session-settings.ts'
import type { SessionQuery } from '../../../src/tenant/api.ts'
import { failureOf } from '../../support/failure-of.ts'
import { openTenant } from './open.ts'

/** The lease that a listed session has of the limits, of which there are none. */
const ADDED = { version: 0, rules: [], prices: [], isBusy: false }

const session = (name: string, createdAt = 1) => ({ name, nodeId: `node-${name}`, title: name, createdAt })

describe("a tenant's sessions", () => {
  it('are listed in order of creation, page by page', async () => {
    const { tenant } = openTenant()
    for (const [name, at] of [
      ['c', 1],
      ['x.y', 2],
      ['a', 2],
      ['z', 3],
      ['b', 10],
    ] as const) {
      expect(await tenant.sessions.add(session(name, at))).toEqual(ADDED)
    }
    const names: string[] = []
    let after: string | undefined
    do {
      const page = await tenant.sessions.list(after === undefined ? { limit: 2 } : { limit: 2, after })
      names.push(...page.sessions.map(({ name }) => name))
      after = page.next
    } while (after !== undefined)
    expect(names).toEqual(['c', 'a', 'x.y', 'z', 'b'])
    expect((await tenant.sessions.list({ limit: 1 })).sessions).toEqual([session('c')])
    expect(await tenant.sessions.list({ limit: 5 })).not.toHaveProperty('next')
  })

  it('gives nothing after a place that is none', async () => {
    const { tenant } = openTenant()
    await tenant.sessions.add(session('a'))
    for (const after of ['', 'x', "1' OR 1=1", '1.', '99999999999999999.a']) {
      expect(await tenant.sessions.list({ limit: 5, after })).toEqual({ sessions: [] })
    }
  })

  it('are found by node id, until they are removed', async () => {
    const { tenant } = openTenant()
    await tenant.sessions.add(session('a'))
    expect(await tenant.sessions.find('node-a')).toBe('a')
    expect(await tenant.sessions.find('node-b')).toBeNull()
    await tenant.sessions.remove('a')
    expect(await tenant.sessions.find('node-a')).toBeNull()
  })

  it('may be noted again and again, and are removed by name', async () => {
    const { tenant } = openTenant()
    for (let n = 0; n < 3; n++) expect(await tenant.sessions.add(session('a'))).toEqual(ADDED)
    await tenant.sessions.add({ ...session('a'), nodeId: 'a new one of this name' })
    expect((await tenant.sessions.list({ limit: 5 })).sessions).toEqual([
      { ...session('a'), nodeId: 'a new one of this name' },
    ])
    await tenant.sessions.remove('a')
    await tenant.sessions.remove('a')
    expect(await tenant.sessions.list({ limit: 5 })).toEqual({ sessions: [] })
  })

  it('are limited, but a session that is there already is always welcome', async () => {
    const { tenant, reopen, sql } = openTenant()
    sql.transaction(() => {
      for (let n = 1; n < MAX_SESSIONS_PER_TENANT; n++) {
        sql.all("INSERT INTO sessions (name, node_id, title, created_at) VALUES (?, 'node', '', 1)", `s${n}`)
      }
    })
    expect(await tenant.sessions.add(session('last'))).toEqual(ADDED)
    for (const who of [tenant, reopen()]) {
      expect(await failureOf(who.sessions.add(session('one-too-many')))).toEqual({
        code: 'limit_exceeded',
        message: expect.stringContaining('MAX_SESSIONS_PER_TENANT'),
      })
      expect(await who.sessions.add(session('last'))).toEqual(ADDED)
    }
    await tenant.sessions.remove('s7')
    expect(await tenant.sessions.add(session('one-too-many'))).toEqual(ADDED)
  })

  it('are shown newest first by label and state, page by page, each once', async () => {
    const { tenant } = openTenant()
    const labelled = (labels: Record<string, string>) => ({ settings: { ...USUAL_SETTINGS, labels } })
    await tenant.sessions.add(session('plain', 1))
    await tenant.sessions.add({ ...session('one', 2), ...labelled({ env: 'test', team: 'a' }) })
    await tenant.sessions.add({ ...session('two', 2), ...labelled({ env: 'test', team: 'b' }) })
    await tenant.sessions.add({ ...session('three', 3), ...labelled({ env: 'live', team: 'a' }) })
    const names = async (query: Partial<SessionQuery>) => {
      const found: string[] = []
      let before: SessionQuery['before']
      for (let more = true; more; ) {
        const page = await tenant.sessions.browse({ limit: 1, labels: [], ...query, ...(before && { before }) })
        found.push(...page.sessions.map(({ name }) => name))
        before = page.sessions.at(-1)
        more = page.more
      }
      return found
    }
    expect(await names({})).toEqual(['three', 'two', 'one', 'plain'])
    expect(await names({ labels: [['env', 'test']] })).toEqual(['two', 'one'])
    const both = [
      ['env', 'test'],
      ['team', 'a'],
    ] as const
    expect(await names({ labels: both })).toEqual(['one'])
    expect(await names({ labels: [['env', 'none']] })).toEqual([])

    await tenant.sessions.change(session('one'), { state: { state: 'running', at: 20 } })
    await tenant.sessions.change(session('plain'), { state: { state: 'running', at: 21 } })
    await tenant.sessions.change({ name: 'two', nodeId: 'an earlier one' }, { state: { state: 'paused', at: 22 } })
    expect(await names({ state: 'running' })).toEqual(['one', 'plain'])
    expect(await names({ state: 'running', labels: [['env', 'test']] })).toEqual(['one'])
    expect(await names({ state: 'ready' })).toEqual(['three', 'two'])
    expect(await names({ state: 'paused' })).toEqual([])

    await tenant.sessions.change(session('one'), labelled({ env: 'live' }))
    await tenant.sessions.remove('three')
    expect(await names({ labels: [['env', 'live']] })).toEqual(['one'])
    expect(await names({ labels: [['team', 'a']] })).toEqual([])
  })

  it('get the default lifetimes that they have none of their own for, over a restart too', async () => {
    const { tenant, reopen } = openTenant()
    await tenant.sessionDefaults.put({ lifetimeMs: null, idleLifetimeMs: 1_000 })
    const both = ['lifetimeMs', 'idleLifetimeMs'] as const
    for (const who of [tenant, reopen()]) {
      expect(await who.sessions.add({ ...session('both'), defaulted: both })).toEqual({
        ...ADDED,
        lifetimes: { idleLifetimeMs: 1_000 },
      })
    }
    const settings = { ...USUAL_SETTINGS, labels: { a: 'b' } }
    expect(await tenant.sessions.add({ ...session('other', 2), settings, defaulted: ['lifetimeMs'] })).toEqual(ADDED)
    expect(await tenant.sessions.add(session('none', 3))).toEqual(ADDED)
    expect((await tenant.sessions.browse({ limit: 5, labels: [] })).sessions.map((one) => one.settings)).toEqual([
      USUAL_SETTINGS,
      settings,
      { ...USUAL_SETTINGS, idleLifetimeMs: 1_000 },
    ])
  })

  it('are remembered when their lifetime was over, the last ones, until there is one of that name again', async () => {
    const { tenant } = openTenant()
    for (let n = 0; n <= MAX_EXPIRED_SESSIONS; n++)
      await tenant.sessions.remove(`s${n}`, { expired: { at: n, by: 'idle' } })
    expect(await tenant.sessions.expired('s0')).toBeNull()
    expect(await tenant.sessions.expired('s1')).toEqual({ at: 1, by: 'idle' })
    await tenant.sessions.add(session('s1'))
    expect(await tenant.sessions.expired('s1')).toBeNull()
    await tenant.sessions.remove('s1')
    expect(await tenant.sessions.expired('s1')).toBeNull()
  })

  it('are in the audit log when somebody makes, changes or deletes them, once each, with who did it', async () => {
    const { tenant } = openTenant()
    const [maker, other] = [
      { key: 'k1.c1', agent: null },
      { key: 'k2', agent: null },
    ]
    for (let n = 0; n < 2; n++) await tenant.sessions.add(session('a'), maker)
    await tenant.sessions.change(session('a'), { title: 'new', change: { by: other, fields: ['title'] } })
    await tenant.sessions.change(session('a'), { usedAt: 5 })
    for (let n = 0; n < 2; n++) await tenant.sessions.remove('a', { by: other })
    const { lines } = await tenant.audit.page({ after: 0, limit: 10 })
    const noted = (action: string, key: string, detail: object | null = null) =>
      expect.objectContaining({ action, key, session: 'a', subject: 'a', decision: 'done', ...(detail && { detail }) })
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      noted('session.create', 'k1.c1'),
      noted('session.update', 'k2', { fields: ['title'] }),
      noted('session.delete', 'k2'),
    ])
  })

  it('whose lifetime is over are in the audit log, once, and those that somebody deletes are not', async () => {
    const { tenant } = openTenant()
    for (const name of ['a', 'b']) await tenant.sessions.add(session(name))
    await tenant.sessions.remove('b')
    for (let n = 0; n < 2; n++) await tenant.sessions.remove('a', { expired: { at: 5, by: 'idle' } })
    const { lines } = await tenant.audit.page({ after: 0, limit: 10 })
    const expired = lines.map((line) => JSON.parse(line)).filter(({ action }) => action === 'session.expire')
    expect(expired).toEqual([
      expect.objectContaining({
        ...{ action: 'session.expire', key: null, session: 'a', subject: 'a', decision: 'done' },
        detail: { lifetime: 'idle', expired_at: new Date(5).toISOString() },
      }),
    ])
  })
})
