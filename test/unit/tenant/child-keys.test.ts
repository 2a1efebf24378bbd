import { describe, expect, it } from 'vitest'
import { MAX_CHILD_KEYS_PER_KEY, MAX_CHILD_KEYS_PER_MINUTE } from '../../../src/core/limits/child-keys.ts'
import { LimitSettings } from '../../../src/registry/limit-settings.ts'
import { OWN_TOOLS } from '../../../src/tenant/calls-api.ts'
import type { ChildKeyMay } from '../../../src/tenant/child-keys-api.ts'
import { failureOf } from '../../support/failure-of.ts'
import { openTenant } from './open.ts'

const DAY_MS = 86_400_000
const OWNER = { key: 'root', agent: null }
const NODE = 'n1'

function open() {
  const opened = openTenant()
  const { tenant, time } = opened
  let number = 0
  const mint = (id: string, may: ChildKeyMay = {}, expiresAt = time.now + DAY_MS) =>
    tenant.childKeys.mint({ id, name: 'n', may, createdAt: time.now, expiresAt }, OWNER)
  /** Asks for one call of a built-in tool, and ends it unless it goes on. @returns the failure, or null */
  const call = async (key: string, goesOn = false) => {
    number += 1
    const callId = `c${number}`
    const { failure } = await tenant.calls.admit({
      ...{ callId, key, agent: null, tool: 'file_read', session: 's', node: NODE, lastsMs: 60_000, wantsMore: false },
      holds: { version: null, unused: [] },
    })
    if (failure) return failure
    if (!goesOn) await end(key, callId)
    return null
  }
  const end = (key: string, callId: string) =>
    tenant.calls.end(NODE, [
      {
        ...{ callId, key, agent: null, number: Number(callId.slice(1)), session: 's', tool: 'file_read' },
        ...{ startedAt: time.now, ms: 1, failure: null, bytesIn: 0, bytesOut: 0, sandboxMs: 0 },
      },
    ])
  const audit = async () =>
    (await tenant.audit.page({ after: 0, limit: 1_000 })).lines.map((line) => JSON.parse(line) as { action: string })
  return { ...opened, mint, call, end, audit }
}

describe('a budget', () => {
  it('is spent by calls, those of all keys below it too, and no waiting fills it again', async () => {
    const { mint, call, tenant, time } = open()
    await mint('root.a', { budget: { calls: 3 } })
    await mint('root.a.b')
    expect(await call('root.a')).toBeNull()
    expect(await call('root.a.b')).toBeNull()
    expect(await call('root.a.b')).toBeNull()
    expect(await call('root.a.b')).toEqual({
      code: 'forbidden',
      message: 'the key root.a has used its budget of 3 calls; ask whoever minted it for a key with another one',
    })
    time.now += DAY_MS / 2
    expect(await call('root.a')).toMatchObject({ code: 'forbidden' })
    expect(await tenant.childKeys.find('root.a')).toMatchObject({ used: { calls: 3, cost: 0 } })
    expect(await tenant.childKeys.find('root.a.b')).toMatchObject({ used: { calls: 2, cost: 0 } })
  })

  it('counts calls that still run', async () => {
    const { mint, call } = open()
    await mint('root.a', { budget: { calls: 1 } })
    expect(await call('root.a', true)).toBeNull()
    expect(await call('root.a')).toMatchObject({ code: 'forbidden' })
  })

  it('is a grandchild’s own beside that of the child', async () => {
    const { mint, call } = open()
    await mint('root.a', { budget: { calls: 10 } })
    await mint('root.a.b', { budget: { calls: 1 } })
    expect(await call('root.a.b')).toBeNull()
    expect(await call('root.a.b')).toMatchObject({ message: expect.stringContaining('the key root.a.b has used') })
    expect(await call('root.a')).toBeNull()
  })

  it('can be of cost, by the tenant’s prices', async () => {
    const { mint, call, tenant } = open()
    await tenant.limits.put(LimitSettings.parse({ prices: [{ per_call: 40 }] }), OWNER)
    await mint('root.a', { budget: { cost: 100 } })
    expect(await call('root.a')).toBeNull()
    expect(await call('root.a')).toBeNull()
    expect(await call('root.a')).toMatchObject({ message: expect.stringContaining('budget of 100 millionths') })
  })

  it('stays spent over a restart of the server, and over new limits of the tenant', async () => {
    const { mint, call, tenant, reopen } = open()
    await mint('root.a', { budget: { calls: 2 } })
    await call('root.a')
    await tenant.limits.put(LimitSettings.parse({}), OWNER)
    expect(await call('root.a')).toBeNull()
    expect(await call('root.a')).toMatchObject({ code: 'forbidden' })
    expect(await reopen().childKeys.find('root.a')).toMatchObject({ used: { calls: 2 } })
  })

  it('does not lose room to a running call that new limits count again', async () => {
    const { mint, call, end, tenant } = open()
    await mint('root.a', { budget: { calls: 2 } })
    await call('root.a', true)
    await tenant.limits.put(LimitSettings.parse({}), OWNER)
    await end('root.a', 'c1')
    expect(await call('root.a')).toBeNull()
    expect(await call('root.a')).toMatchObject({ code: 'forbidden' })
  })

  it('bounds the calls granted in advance', async () => {
    const { mint, tenant } = open()
    await mint('root.a', { budget: { calls: 20 } })
    await mint('root.b', { budget: { calls: 100 } })
    const granted = async (key: string) => {
      const { batch } = await tenant.calls.admit({
        ...{ callId: key, key, agent: null, tool: 'file_read', session: 's', node: NODE, lastsMs: 60_000 },
        ...{ wants: 1_000, holds: { version: null, unused: [] } },
      })
      return batch?.calls
    }
    expect([await granted('root.a'), await granted('root.b')]).toEqual([undefined, 9])
  })
})

describe('a rate', () => {
  it('is the child’s with those below it, and fills again', async () => {
    const { mint, call, time } = open()
    await mint('root.a', { calls_per_minute: 2 })
    await mint('root.a.b')
    await call('root.a')
    expect(await call('root.a.b')).toBeNull()
    expect(await call('root.a.b')).toMatchObject({
      code: 'rate_limited',
      message: expect.stringContaining('key root.a'),
    })
    time.now += 60_000
    expect(await call('root.a')).toBeNull()
  })

  it('of the tenant for a key counts the calls of its child keys: minting multiplies no limit', async () => {
    const { mint, call, tenant } = open()
    await tenant.limits.put(LimitSettings.parse({ rules: [{ scope: 'key', per_minute: 2, per_day: 100 }] }), OWNER)
    await mint('root.a')
    await mint('root.b')
    expect(await call('root.a')).toBeNull()
    expect(await call('root.b')).toBeNull()
    expect(await call('root')).toMatchObject({ code: 'rate_limited' })
  })

  it('of a day for a key counts what its child keys used before the server was started', async () => {
    const { mint, call, tenant, reopen } = open()
    await mint('root.a')
    await call('root.a')
    await call('root.a')
    await tenant.limits.put(LimitSettings.parse({ rules: [{ scope: 'key', name: 'root', per_day: 2 }] }), OWNER)
    const again = reopen()
    const { failure } = await again.calls.admit({
      ...{ callId: 'd', key: 'root', agent: null, tool: 'file_read', session: 's', node: NODE, lastsMs: 1_000 },
      ...{ holds: { version: null, unused: [] } },
    })
    expect(failure).toMatchObject({ code: 'rate_limited' })
  })

  it('holds for tools that the session made, as for all others', async () => {
    const { mint, tenant } = open()
    await mint('root.a', { budget: { calls: 1 } })
    const begin = (callId: string) =>
      tenant.calls.begin({
        ...{ callId, key: 'root.a', agent: null, reference: 'own', session: 's' },
        own: { timeout: 5, isNew: false },
      })
    await begin('c1')
    expect(await failureOf(begin('c2'))).toMatchObject({ code: 'forbidden' })
    expect(OWN_TOOLS).toBe('@session')
  })
})

describe('revoking', () => {
  it('refuses the next counted call of the key and of those below it, which are dropped', async () => {
    const { mint, call, tenant } = open()
    await mint('root.a', { calls_per_minute: 10 })
    await mint('root.a.b')
    await mint('root.ab')
    await call('root.a.b')
    await tenant.childKeys.revoke('root.a', OWNER)
    expect(await call('root.a')).toMatchObject({ code: 'forbidden' })
    expect(await call('root.a.b')).toMatchObject({ code: 'forbidden' })
    expect(await call('root.ab')).toBeNull()
    expect(await tenant.childKeys.find('root.a.b')).toBeNull()
    expect(await tenant.childKeys.find('root.ab')).toMatchObject({ revokedAt: null })
  })

  it('is noted once, and ends minting below', async () => {
    const { mint, tenant, audit } = open()
    await mint('root.a', { tools: ['file_read'] })
    const first = await tenant.childKeys.revoke('root.a', OWNER)
    expect(await tenant.childKeys.revoke('root.a', OWNER)).toEqual(first)
    expect(await audit()).toMatchObject([
      { action: 'key.child', subject: 'root.a', key: 'root', detail: { parent: 'root', tools: ['file_read'] } },
      { action: 'key.revoke', subject: 'root.a', key: 'root' },
    ])
    expect(await failureOf(mint('root.a.b'))).toMatchObject({ code: 'forbidden' })
  })

  it('frees what a child key filled with its own children, so that nobody is kept from minting', async () => {
    const { mint, tenant } = open()
    await mint('root.a')
    for (let n = 1; n < MAX_CHILD_KEYS_PER_KEY; n++) await mint(`root.a.n${n}`)
    expect(await failureOf(mint('root.b'))).toMatchObject({ code: 'limit_exceeded' })
    // Revoked ones are remembered until they expire.
    await tenant.childKeys.revoke('root.a.n1', OWNER)
    expect(await failureOf(mint('root.b'))).toMatchObject({ code: 'limit_exceeded' })
    await mint('other.b')
    await tenant.childKeys.revoke('root.a', OWNER)
    await mint('root.b')
  })
})

describe('minting and revoking without end', () => {
  it('is slowed, so that it does not drive what came before out of the audit log', async () => {
    const { mint, tenant, time } = open()
    let minted = 0
    const rounds = async () => {
      for (let round = 0; round < 20; round++) {
        const above = `root.r${round}`
        await mint(above)
        for (let n = 0; n < 500; n++, minted++) await mint(`${above}.n${n}`)
        // This frees the places of all below it.
        await tenant.childKeys.revoke(above, OWNER)
      }
    }
    expect(await failureOf(rounds())).toMatchObject({ code: 'rate_limited', data: { kind: 'per-minute' } })
    expect(minted).toBeLessThanOrEqual(MAX_CHILD_KEYS_PER_MINUTE)
    await mint('other.a')
    time.now += 60_000
    await mint('root.b')
  })
})

describe('expired child keys', () => {
  it('are in no list, and go from the table when another is minted, or with the tenant’s upkeep', async () => {
    const { mint, tenant, time, sql } = open()
    await mint('root.a', {}, time.now + 1_000)
    await mint('root.b')
    time.now += 1_000
    const ids = async () => (await tenant.childKeys.list({ below: 'root', limit: 10 })).map(({ id }) => id)
    expect(await ids()).toEqual(['root.b'])
    await mint('root.c')
    expect(sql.all('SELECT chain FROM child_keys ORDER BY chain')).toMatchObject([
      { chain: 'root.b' },
      { chain: 'root.c' },
    ])
    time.now += 2 * DAY_MS
    await tenant.wake()
    expect(sql.all('SELECT chain FROM child_keys')).toEqual([])
  })
})

describe('the list', () => {
  it('has those below a key at all depths, and of no other key that begins alike, page by page', async () => {
    const { mint, tenant } = open()
    for (const id of ['root.a', 'root.a.b', 'root.b', 'rootx.a', 'root0.a', 'roo.a']) await mint(id)
    const page = await tenant.childKeys.list({ below: 'root', limit: 2 })
    expect(page.map(({ id }) => id)).toEqual(['root.a', 'root.a.b'])
    const rest = await tenant.childKeys.list({ below: 'root', limit: 9, after: 'root.a.b' })
    expect(rest.map(({ id }) => id)).toEqual(['root.b'])
    expect((await tenant.childKeys.list({ below: 'root.a', limit: 9 })).map(({ id }) => id)).toEqual(['root.a.b'])
  })
})

it('usage names the chain, and is summed by it', async () => {
  const { mint, call, tenant, time } = open()
  await mint('root.a')
  await call('root.a')
  await call('root')
  const hour = Math.floor(time.now / 3_600_000)
  const { groups } = await tenant.usage.read({ from: hour, to: hour + 1, groupBy: 'key', where: {}, limit: 10 })
  expect(groups.map(({ name, calls }) => [name, calls])).toEqual([
    ['root', 1],
    ['root.a', 1],
  ])
})
