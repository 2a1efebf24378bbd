import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { SECRET_KEPT_MS } from '../../../src/core/limits/tenants.ts'
import { TOOLS_LEASE_MS, TOOLS_LEASE_SLACK_MS } from '../../../src/core/limits/usage.ts'
import { Admission } from '../../../src/session/admission.ts'
import { KeptSecrets } from '../../../src/session/kept-secrets.ts'
import { NodeSql } from '../../support/sql-node.ts'
import { openSessionTables } from '../../support/tables.ts'
import { isWaiting, openTenant } from '../tenant/open.ts'

/** A tenant with a secret `KEY`, and sessions that open it. */
async function opened() {
  const { tenant, time, sessions, reopen, ...rest } = openTenant()
  const reach = { tenant, session: async () => undefined as unknown, answer: async () => undefined as unknown }
  const open = new Map<string, { readonly admission: Admission; readonly kept: KeptSecrets }>()
  sessions.toolsChanged = async (name, revision) => {
    await reach.session()
    open.get(name)?.admission.dropTools(revision)
    open.get(name)?.kept.drop()
  }
  await tenant.secrets.put('KEY', 'first')
  const session = async (name: string, { isListed = true, isEarlier = false } = {}) => {
    const sql = new NodeSql()
    openSessionTables(sql)
    const node = `node-${name}`
    const now = () => time.now
    const calls = { admit: () => Promise.reject(new Error('no call is made')) }
    const logError = (thrown: unknown) => expect.unreachable(String(thrown))
    const granted = () => undefined
    const admission = new Admission({ sql, session: name, node, tenant: { calls }, now, granted, logError })
    const asks = { count: 0 }
    const secrets = async (secret: string) => {
      asks.count += 1
      const value = await reach.tenant.secrets.open(secret)
      await reach.answer()
      return value
    }
    const kept = new KeptSecrets({ secrets, admission, now })
    open.set(name, { admission, kept })
    if (isListed) await tenant.sessions.add({ name, nodeId: node, title: name, createdAt: 1 })
    /** Reports, as each session with calls does every few seconds, and gets a lease. */
    const report = async () => {
      const sent = admission.holds()
      const { secrets: covered, ...lease } = await reach.tenant.calls.end(node, [], sent)
      admission.renew({ ...lease, ...(covered && !isEarlier && { secrets: covered }) }, sent, time.now)
    }
    await report()
    return { open: (secret = 'KEY') => kept.open(secret), asks, report, sql }
  }
  return { ...rest, tenant, reach, reopen, time, session }
}

describe('a secret that a session has opened', () => {
  it('is opened again without asking, while the session reports', async () => {
    const { session, time } = await opened()
    const one = await session('one')
    expect([await one.open(), await one.open(), one.asks.count]).toEqual(['first', 'first', 1])
    time.now += TOOLS_LEASE_MS - 1
    await one.report()
    time.now += TOOLS_LEASE_MS - 1
    expect([await one.open(), one.asks.count]).toEqual(['first', 1])
    time.now += 1
    expect([await one.open(), one.asks.count]).toEqual(['first', 2])
  })

  it('is kept no longer than SECRET_KEPT_MS, whatever it reports', async () => {
    const { session, time } = await opened()
    const one = await session('one')
    await one.open()
    time.now += SECRET_KEPT_MS - 1
    await one.report()
    expect([await one.open(), one.asks.count]).toEqual(['first', 1])
    time.now += 1
    await one.report()
    expect([await one.open(), one.asks.count]).toEqual(['first', 2])
  })

  it('is neither written down in the session, nor kept where there is none', async () => {
    const { session, tenant } = await opened()
    const one = await session('one')
    expect([await one.open(), await one.open('OTHER')]).toEqual(['first', null])
    const tables = one.sql.all<{ name: string }>(`SELECT name FROM sqlite_schema WHERE type = 'table'`)
    const rows = tables.flatMap(({ name }) => one.sql.all(`SELECT * FROM "${name}"`))
    expect(JSON.stringify(rows)).not.toContain('first')
    await tenant.secrets.put('OTHER', 'now')
    expect(await one.open('OTHER')).toBe('now')
  })

  it.each([
    [
      'replaced',
      (tenant: Awaited<ReturnType<typeof opened>>['tenant']) => tenant.secrets.put('KEY', 'second'),
      'second',
    ],
    ['removed', (tenant: Awaited<ReturnType<typeof opened>>['tenant']) => tenant.secrets.remove('KEY'), null],
  ])('is not used in any session once the answer says that it is %s', async (_, change, then) => {
    const { session, tenant, reopen, reach } = await opened()
    const all = [await session('one'), await session('two')]
    for (const one of all) await one.open()
    // The sessions are known to a tenant's object that was made anew, too.
    reach.tenant = reopen()
    await change(reach.tenant)
    for (const one of all) {
      expect(await one.open()).toBe(then)
      await one.report()
      expect([await one.open(), await tenant.secrets.open('KEY')]).toEqual([then, then])
    }
  })

  it('is not used after a change that came while it was on its way', async () => {
    const { session, tenant, reach } = await opened()
    const one = await session('one')
    const arrival = Promise.withResolvers<void>()
    const read = Promise.withResolvers<void>()
    reach.answer = () => {
      read.resolve()
      return arrival.promise
    }
    const early = one.open()
    await read.promise
    await tenant.secrets.put('KEY', 'second')
    await one.report()
    arrival.resolve()
    reach.answer = async () => undefined
    expect([await early, await one.open()]).toEqual(['first', 'second'])
  })

  it.each([
    ['cannot be reached', () => Promise.reject(new Error('out of reach')), 1],
    ['does not answer', () => new Promise(() => undefined), 0],
  ])('ends in a session that %s with its lease, before the change is answered', async (_, answer, logged) => {
    const { session, tenant, reach, time, errors } = await opened()
    const one = await session('one')
    await one.open()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    reach.session = answer
    const removing = tenant.secrets.remove('KEY')
    expect(await isWaiting(removing)).toBe(true)
    vi.advanceTimersByTime(TOOLS_LEASE_MS + TOOLS_LEASE_SLACK_MS - 1)
    expect(await isWaiting(removing)).toBe(true)
    time.now += TOOLS_LEASE_MS
    expect(await one.open()).toBe(null)
    await vi.advanceTimersByTimeAsync(1)
    expect([await removing, errors.length]).toEqual([true, logged])
  })

  it('is asked for each time without a lease: by a session that is not listed, and of a tenant that would inform nobody', async () => {
    const { session } = await opened()
    for (const one of [await session('one', { isListed: false }), await session('two', { isEarlier: true })])
      expect([await one.open(), await one.open(), one.asks.count]).toEqual(['first', 'first', 2])
  })
})

it('a changed secret changes no list of tools', async () => {
  const { tenant } = await opened()
  const { revision } = await tenant.tools.since(0)
  await tenant.secrets.put('KEY', 'second')
  expect(await tenant.tools.since(revision)).toMatchObject({ anew: false, tools: [], gone: [], more: false })
})
