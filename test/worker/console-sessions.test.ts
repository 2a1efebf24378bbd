import { env } from 'cloudflare:workers'
import { beforeAll, expect, it } from 'vitest'
import { consoleSessionsD1 } from '../../src/adapters/console-sessions-d1.ts'
import { d1Database } from '../../src/adapters/database-d1.ts'
import { d1KeyStore } from '../../src/adapters/keys-d1.ts'
import { createAuthenticate } from '../../src/auth/authenticate.ts'
import { ConsoleSessions, type SignInNote } from '../../src/auth/console/console-sessions.ts'
import { hashKey, newKey } from '../../src/auth/key.ts'
import type { Actor } from '../../src/core/actor.ts'
import { tenantId } from '../../src/core/ids.ts'
import { CONSOLE_SESSION_MS, MAX_CONSOLE_SESSIONS } from '../../src/core/limits/console.ts'
import type { Database } from '../../src/ports/database.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { migrateKeys } from '../support/keys-database.ts'

const NOWHERE = { address: null, browser: 'Tests/1' }
const keys = d1KeyStore(env.DB)
const HOUR_MS = 3_600_000

beforeAll(() => migrateKeys(env.DB))

/** The sessions over the database, whose statements are counted, and a key of a tenant of its own. */
async function open(more: { readonly addresses?: readonly string[]; readonly expiresAt?: number } = {}) {
  const clock = fakeClock()
  const real = d1Database(env.DB)
  const requested = { count: 0 }
  const database: Database = {
    rows: (statement) => {
      requested.count++
      return real.rows(statement)
    },
    batch: (statements) => real.batch(statements),
  }
  const store = consoleSessionsD1(database)
  const noted: { tenant: string; action: string; id: string; key: string | null }[] = []
  const audit = async (tenant: string, { action, id }: SignInNote, { key }: Actor) => {
    noted.push({ tenant, action, id, key })
  }
  const authenticate = createAuthenticate({ keys, clock, openTenant: null })
  const parts = { store, keys, authenticate, clock, closed: null, openTenant: null, adminToken: null, audit }
  const sessions = new ConsoleSessions(parts)
  const tenant = tenantId(`t-${crypto.randomUUID().slice(0, 8)}`)
  const key = newKey()
  await keys.addTenant({ id: tenant, name: 'T', createdAt: clock.now() })
  const row = {
    id: key.id,
    tenant,
    name: 'k',
    hash: await hashKey(key),
    scopes: ['admin'] as const,
    createdAt: clock.now(),
  }
  await keys.addKey({ ...row, expiresAt: more.expiresAt ?? null, addresses: more.addresses ?? [] }, 10)
  const signIn = async (address: string | null = null) => {
    const made = await sessions.signIn(key.text, { ...NOWHERE, address })
    if ('failure' in made) throw new Error(made.failure.message)
    return made
  }
  const isIn = async (token: string, address: string | null = null) =>
    'principal' in (await sessions.judge(token, address)).authentication
  return { clock, store, sessions, tenant, key, signIn, isIn, requested, noted }
}

it('ends after 8 hours, used or not', async () => {
  const { clock, signIn, isIn } = await open()
  const { token } = await signIn()
  clock.advance(CONSOLE_SESSION_MS - 1)
  expect(await isIn(token)).toBe(true)
  clock.advance(1)
  expect(await isIn(token)).toBe(false)
})

it('ends with a key that expires earlier', async () => {
  const now = fakeClock().now()
  const { clock, signIn, isIn } = await open({ expiresAt: now + HOUR_MS })
  const { token, signedIn } = await signIn()
  expect(signedIn.session.expiresAt).toBe(now + HOUR_MS)
  clock.advance(HOUR_MS)
  expect(await isIn(token)).toBe(false)
})

it('is good from the addresses of its key alone', async () => {
  const { signIn, isIn, sessions, key } = await open({ addresses: ['192.0.2.0/24'] })
  const { token } = await signIn('192.0.2.7')
  expect(await isIn(token, '192.0.2.8')).toBe(true)
  expect(await isIn(token, '198.51.100.1')).toBe(false)
  expect(await isIn(token)).toBe(false)
  expect(await sessions.signIn(key.text, { ...NOWHERE, address: '198.51.100.1' })).toMatchObject({
    failure: { code: 'forbidden' },
  })
})

it('asks the store once for what a page asks at once, and knows within a second that the session is over', async () => {
  const { clock, signIn, isIn, requested, store, tenant } = await open()
  const { token, signedIn } = await signIn()
  const before = requested.count
  expect(await Promise.all(Array.from({ length: 8 }, () => isIn(token)))).toEqual(Array(8).fill(true))
  clock.advance(900)
  expect(await isIn(token)).toBe(true)
  expect(requested.count - before).toBe(1)
  await store.end(signedIn.session.id, { tenant, below: null }, clock.now())
  clock.advance(100)
  expect(await isIn(token)).toBe(false)
})

it('asks the store nothing for a token that was made up', async () => {
  const { isIn, requested } = await open()
  for (const token of ['', 'x', `tys_${'a'.repeat(12)}_${'b'.repeat(43)}000000`, 'é'.repeat(10_000)]) {
    expect(await isIn(token)).toBe(false)
  }
  expect(requested.count).toBe(0)
})

it('is nowhere in the store as the cookie has it', async () => {
  const { signIn } = await open()
  const { token, signedIn } = await signIn()
  const { results } = await env.DB.prepare('SELECT * FROM console_sessions').all()
  const stored = JSON.stringify(results)
  expect(stored).toContain(signedIn.session.id)
  expect(stored).not.toContain(token)
  expect(stored).not.toContain(token.split('_')[2] ?? '')
  expect(stored).not.toContain(signedIn.csrf)
})

it('gives way when a key has too many, the oldest first', async () => {
  const { clock, signIn, isIn, store, tenant } = await open()
  const { token: oldest } = await signIn()
  clock.advance(1)
  const { token: second } = await signIn()
  for (let more = 0; more < MAX_CONSOLE_SESSIONS - 2; more++) await signIn()
  expect([await isIn(oldest), await isIn(second)]).toEqual([true, true])
  const { token: last } = await signIn()
  clock.advance(2_000)
  expect([await isIn(oldest), await isIn(second), await isIn(last)]).toEqual([false, true, true])
  expect(await store.list({ tenant, below: null }, { now: clock.now(), limit: 100 })).toHaveLength(MAX_CONSOLE_SESSIONS)
})

it('of one key ends no more than one of other keys of its chain', async () => {
  const { clock, store, tenant, key, signIn } = await open()
  await signIn()
  const [first] = await store.list({ tenant, below: null }, { now: clock.now(), limit: 1 })
  if (!first) throw new Error('nobody is signed in')
  const add = async (child: string, count: number) => {
    for (let made = 0; made < count; made++) {
      clock.advance(1)
      const id = crypto.randomUUID()
      await store.add(
        { ...first, id, hash: crypto.getRandomValues(new Uint8Array(32)).toHex(), key: child, createdAt: clock.now() },
        MAX_CONSOLE_SESSIONS,
      )
    }
  }
  await add(`${key.id}.one`, MAX_CONSOLE_SESSIONS)
  await add(`${key.id}.other`, 5)
  const left = await store.list({ tenant, below: null }, { now: clock.now(), limit: 100 })
  const of = (child: string) => left.filter(({ key: its }) => its === `${key.id}.${child}`).length
  expect([of('one'), of('other')]).toEqual([MAX_CONSOLE_SESSIONS - 1, 1])
})

it('lists the last use to within a minute, and nothing that has expired', async () => {
  const { clock, signIn, sessions, store, tenant } = await open()
  const { token } = await signIn()
  const list = () => store.list({ tenant, below: null }, { now: clock.now(), limit: 10 })
  clock.advance(59_999)
  const { signedIn } = await sessions.judge(token, null)
  expect(signedIn && sessions.noteUse(signedIn.session)).toBeNull()
  clock.advance(60_001)
  const again = (await sessions.judge(token, null)).signedIn
  await (again && sessions.noteUse(again.session))
  expect(await list()).toMatchObject([{ usedAt: clock.now() }])
  clock.advance(CONSOLE_SESSION_MS)
  expect(await list()).toEqual([])
})

it('is in the audit log of its tenant with its key, and so is who ends it', async () => {
  const { signIn, sessions, tenant, key, noted } = await open()
  const { signedIn } = await signIn()
  const { id } = signedIn.session
  expect(noted).toEqual([{ tenant, action: 'console.sign_in', id, key: key.id }])
  expect(await sessions.end('C_OTHER', { tenant, below: null }, 'administrator')).toBe(false)
  expect(await sessions.end(id, { tenant, below: null }, 'administrator')).toBe(true)
  expect(await sessions.end(id, { tenant, below: null }, 'administrator')).toBe(false)
  expect(noted.slice(1)).toEqual([{ tenant, action: 'console.sign_out', id, key: 'administrator' }])
})
