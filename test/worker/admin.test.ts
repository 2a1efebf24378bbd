import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { assetBytes } from '../../src/adapters/asset.ts'
import { d1Database } from '../../src/adapters/database-d1.ts'
import { invitationsD1 } from '../../src/adapters/invitations-d1.ts'
import { d1KeyStore } from '../../src/adapters/keys-d1.ts'
import { plansD1 } from '../../src/adapters/plans-d1.ts'
import { warmPoolsD1 } from '../../src/adapters/warm-pools-d1.ts'
import { createAuthenticate } from '../../src/auth/authenticate.ts'
import { randomDigits } from '../../src/auth/key.ts'
import { tenantId } from '../../src/core/ids.ts'
import { MAX_BODY_BYTES } from '../../src/core/limits/requests.ts'
import { MAX_KEYS_PER_TENANT } from '../../src/core/limits/tenants.ts'
import { MAX_REPORTED_USAGE_ROWS } from '../../src/core/limits/usage.ts'
import { RequestScheduler } from '../../src/http/admission/scheduler.ts'
import { createApp } from '../../src/http/app.ts'
import { type Dialect, dialectApp, type Services, servicesFor } from '../../src/http/dialect.ts'
import { admin } from '../../src/http/dialects/admin/routes.ts'
import { ownedSessionClient, tenantClient, tenantOwnerClient } from '../../src/objects.ts'
import type { WarmPool } from '../../src/ports/sandbox-spares.ts'
import { reportWarmTime } from '../../src/tenant/warm-usage.ts'
import { fakeClock } from '../support/fake-clock.ts'
import { migrateKeys } from '../support/keys-database.ts'
import { ADMIN_ANSWERS } from '../support/openapi/answers.ts'

const TOKEN = 'the-owner-s-own-secret-of-40-characters!'
const DAY_MS = 86_400_000

const keys = d1KeyStore(env.DB)
const log = vi.spyOn(console, 'error').mockReturnValue()

beforeAll(() => migrateKeys(env.DB))
beforeEach(() => {
  log.mockClear()
})
afterEach(() => {
  expect(log).not.toHaveBeenCalled()
})

/** Says whose tenant the caller is: what a key is good for. */
function whoami(): Dialect {
  const app = dialectApp((c, failure) => c.json({ error: failure.code }, 401))
  app.get('/whoami', (c) => {
    servicesFor(c, 'execute')
    const { caller } = c.env
    return c.json({ tenant: 'principal' in caller ? caller.principal.tenant : null })
  })
  return { name: 'whoami', owns: (path) => path === '/whoami', app }
}

function newServer({
  adminToken = TOKEN as string | null,
  openTenant = null as string | null,
  now = undefined as number | undefined,
  canDenyInternet = true,
} = {}) {
  const clock = fakeClock(now)
  /** What the audit logs of tenants have: whose, by whom, what, of whom. */
  const noted: (string | null)[][] = []
  const audit = { isDown: false }
  /** Warm pools as their keeper reads them, each time it is told to. */
  const warmed: Promise<readonly WarmPool[]>[] = []
  const app = createApp({
    scheduler: new RequestScheduler({ clock: { now: Date.now }, slots: 2 }),
    dialects: [
      admin({
        keys,
        plans: plansD1(d1Database(env.DB)),
        invitations: invitationsD1(d1Database(env.DB)),
        clock,
        adminToken,
        readAsset: (name) => assetBytes(env.ASSETS, name),
        closed: { close: () => undefined },
        spares: { poolsChanged: async () => void warmed.push(warmPoolsD1(env.DB)()) },
        staying: ['dev'],
        ownedTenant: (tenant) => tenantOwnerClient(() => env.TENANTS.getByName(tenant)),
        listsOf: (tenant) => tenantClient(() => env.TENANTS.getByName(tenant)),
        ownedSession: (tenant, name) => ownedSessionClient(() => env.SESSIONS.getByName(`${tenant}/${name}`)),
        usageOf: (tenant) => tenantClient(() => env.TENANTS.getByName(tenant)).usage,
        openTenant: null,
        canDenyInternet,
        movePapers: null,
        checkJurisdiction: () => undefined,
        auditOf: (tenant) => ({
          noteKey: async ({ action, id }, { key }) => {
            if (audit.isDown) throw new Error('the object of the tenant is out of reach')
            noted.push([tenant, key, action, id])
          },
        }),
      }),
      whoami(),
    ],
    isLocal: true,
    authenticate: createAuthenticate({ keys, clock, openTenant: openTenant === null ? null : tenantId(openTenant) }),
    services: ({ tenant, keyId }) => {
      const noteDenied: Services['tenant']['audit']['noteDenied'] = async ({ key }, what) => {
        noted.push([tenant, key, what])
      }
      return { key: keyId, tenant: { audit: { noteDenied } } } as unknown as Services
    },
  })
  const fetch = async (path: string, init?: RequestInit) => {
    const response = await app.fetch(new Request(`https://localhost${path}`, init))
    await ADMIN_ANSWERS.check(init?.method ?? 'GET', path, response)
    return response
  }

  /** One request as the owner, or as the one whose key is given; none for `null`. */
  async function call(method: string, path: string, body?: unknown, key: string | null = TOKEN) {
    const response = await fetch(path, {
      method,
      headers: key === null ? {} : { Authorization: `Bearer ${key}` },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, json: text === '' ? null : JSON.parse(text) }
  }

  async function newTenant() {
    const { json } = await call('POST', '/admin/tenants', { name: 'Some tenant' })
    return json.id as string
  }
  async function newKeyOf(tenant: string, input: Record<string, unknown> = {}) {
    const { json } = await call('POST', `/admin/tenants/${tenant}/keys`, { name: 'k', ...input })
    return json as { key: string; id: string }
  }
  const whoIs = async (key: string) => (await call('GET', '/whoami', undefined, key)).json
  return { audit, call, clock, fetch, newTenant, newKeyOf, whoIs, noted, warmed }
}

const REFUSED = { error: 'unauthenticated' }

describe('/admin/tenants', () => {
  it('makes a tenant with the id that was asked for, or with a random one', async () => {
    const { call } = newServer()
    const id = `acme-${randomDigits(8, 'abcdef')}`
    const made = await call('POST', '/admin/tenants', { id, name: ' Acme ' })
    expect(made.status).toBe(201)
    expect(made.json).toEqual({
      id,
      name: 'Acme',
      jurisdiction: null,
      location_hint: null,
      created_at: '2026-11-20T00:00:00.000Z',
      disabled: false,
      deleted_at: null,
      purged_at: null,
      internet: { default: true, ceiling: true },
      warm_sandboxes: 0,
    })
    expect((await call('POST', '/admin/tenants', { name: 'x' })).json.id).toMatch(/^t[a-z0-9]{15}$/)
    expect((await call('GET', `/admin/tenants/${id}`)).json).toEqual(made.json)
  })

  it('says that an id is taken, and leaves that tenant as it is', async () => {
    const { call, newTenant } = newServer()
    const id = await newTenant()
    const again = await call('POST', '/admin/tenants', { id, name: 'Thief' })
    expect(again).toMatchObject({ status: 409, json: { code: 'conflict' } })
    expect((await call('GET', `/admin/tenants/${id}`)).json.name).toBe('Some tenant')
  })

  it('lists all tenants in pages, each once', async () => {
    const { call, newTenant } = newServer()
    const made = await Promise.all(Array.from({ length: 7 }, newTenant))
    const listed: string[] = []
    let cursor: string | null = null
    do {
      const after: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`
      const { json } = await call('GET', `/admin/tenants?limit=3${after}`)
      expect(json.data.length).toBeLessThanOrEqual(3)
      listed.push(...json.data.map(({ id }: { id: string }) => id))
      cursor = json.next_cursor
    } while (cursor !== null)
    expect(new Set(listed).size).toBe(listed.length)
    expect(listed).toEqual(expect.arrayContaining(made))
  })

  it('renames, disables and enables; the keys of a disabled tenant are refused within 30 s and come back', async () => {
    const { call, clock, newTenant, newKeyOf, whoIs } = newServer()
    const tenant = await newTenant()
    const { key } = await newKeyOf(tenant)
    expect(await whoIs(key)).toEqual({ tenant })

    const disabled = await call('PATCH', `/admin/tenants/${tenant}`, { disabled: true, name: 'Late payer' })
    expect(disabled.json).toMatchObject({ id: tenant, disabled: true, name: 'Late payer' })
    clock.advance(30_000)
    expect(await whoIs(key)).toEqual(REFUSED)

    expect((await call('PATCH', `/admin/tenants/${tenant}`, { disabled: false })).json).toMatchObject({
      disabled: false,
      name: 'Late payer',
    })
    clock.advance(30_000)
    expect(await whoIs(key)).toEqual({ tenant })
  })

  it.each([
    ['no name', {}],
    ['an empty name', { name: ' ' }],
    ['a name of 201 characters', { name: 'x'.repeat(201) }],
    ['an id with a slash', { id: 'a/b', name: 'x' }],
    ['an id with capitals', { id: 'Acme', name: 'x' }],
    ['an id that is too long', { id: 'x'.repeat(65), name: 'x' }],
    ['a misspelt field', { name: 'x', disable: true }],
    ['a list', [1]],
    ['no JSON', '{bad'],
    ['nothing', ''],
    ['too deep JSON', '['.repeat(100_000)],
  ])('refuses %s', async (_, body) => {
    expect(await newServer().call('POST', '/admin/tenants', body)).toMatchObject({
      status: 400,
      json: { code: 'invalid_input', retryable: false },
    })
  })

  it('keeps what sessions of a tenant reach, the ceiling for the default where that is left out, and replaces both at once', async () => {
    const { call } = newServer()
    const hosts = ['*.Example.org', 'PyPI.org', 'pypi.org']
    const made = await call('POST', '/admin/tenants', {
      name: 'T',
      internet: { ceiling: hosts, default: ['pypi.org'] },
    })
    const internet = { ceiling: ['*.example.org', 'pypi.org'], default: ['pypi.org'] }
    expect(made).toMatchObject({ status: 201, json: { internet } })
    const path = `/admin/tenants/${made.json.id}`
    const seen = async () => (await call('GET', path)).json.internet
    expect(await seen()).toEqual(internet)
    await call('PATCH', path, { name: 'U' })
    expect(await seen()).toEqual(internet)
    const { json } = await call('PATCH', path, { internet: { ceiling: false } })
    expect(json).toMatchObject({ name: 'U', disabled: false, internet: { default: false, ceiling: false } })
    await call('PATCH', path, { internet: { default: false } })
    expect(await seen()).toEqual({ default: false, ceiling: true })
    const { data } = (await call('GET', '/admin/tenants?limit=200')).json
    expect(data).toContainEqual(expect.objectContaining({ id: made.json.id, internet: await seen() }))
  })

  it.each([
    [{ default: true, ceiling: false }, '"default" allows more than "ceiling"'],
    [{ default: ['example.org'], ceiling: ['*.example.org'] }, '"default" allows more than "ceiling"'],
    [{ ceiling: ['10.0.0.0/8'] }, 'is no host name'],
    [{ ceiling: [] }, 'internet'],
    [{ ceiling: true, deny: ['pypi.org'] }, 'deny'],
    [true, 'internet'],
  ])('refuses the internet %j, and makes and changes nothing', async (internet, detail) => {
    const { call, newTenant } = newServer()
    const tenant = await newTenant()
    const id = `t-${randomDigits(8, 'abcdef')}`
    for (const [method, path, body] of [
      ['POST', '/admin/tenants', { id, name: 'T', internet }],
      ['PATCH', `/admin/tenants/${tenant}`, { name: 'changed', internet }],
    ] as const) {
      const { status, json } = await call(method, path, body)
      expect([status, json.detail]).toEqual([400, expect.stringContaining(detail)])
    }
    expect((await call('GET', `/admin/tenants/${id}`)).status).toBe(404)
    expect((await call('GET', `/admin/tenants/${tenant}`)).json.name).toBe('Some tenant')
  })

  it('sets no ceiling that the sandboxes of this server could not keep', async () => {
    const { call } = newServer({ canDenyInternet: false })
    const make = (ceiling: boolean) => call('POST', '/admin/tenants', { name: 'T', internet: { ceiling } })
    expect((await make(false)).json.detail).toContain('cannot keep commands from the network')
    expect((await make(true)).status).toBe(201)
  })

  it('refuses a change of nothing, and of a tenant that is not there', async () => {
    const { call } = newServer()
    expect((await call('PATCH', '/admin/tenants/nobody', {})).status).toBe(400)
    expect((await call('PATCH', '/admin/tenants/nobody', { name: 'x' })).status).toBe(404)
    expect((await call('GET', '/admin/tenants/nobody')).status).toBe(404)
  })

  it.each(['limit=0', 'limit=201', 'limit=x', `cursor=${'x'.repeat(81)}`])('refuses the page %s', async (query) => {
    expect((await newServer().call('GET', `/admin/tenants?${query}`)).status).toBe(400)
  })
})

describe('/admin/tenants/{id}/encryption', () => {
  it('counts nothing for a tenant without secrets, and encrypts nothing on a server without a key', async () => {
    const { call, newTenant } = newServer()
    const tenant = await newTenant()
    const path = `/admin/tenants/${tenant}/encryption`
    expect(await call('GET', path)).toMatchObject({
      status: 200,
      json: { tenant, key: null, records: [], remaining: 0 },
    })
    expect(await call('POST', `${path}/renew`)).toMatchObject({ status: 409, json: { code: 'conflict' } })
  })

  it('is for the owner of the server, and for tenants that are there', async () => {
    const { call, newTenant, newKeyOf } = newServer()
    const tenant = await newTenant()
    const { key } = await newKeyOf(tenant, { scopes: ['admin'] })
    for (const [method, path] of [
      ['GET', 'encryption'],
      ['POST', 'encryption/renew'],
    ] as const) {
      expect((await call(method, `/admin/tenants/${tenant}/${path}`, undefined, key)).status, path).toBe(403)
      expect((await call(method, `/admin/tenants/nobody/${path}`)).status, path).toBe(404)
    }
  })
})

describe('the warm pool of a tenant', () => {
  const poolOf = (pools: readonly WarmPool[] | undefined, id: string) => pools?.find(({ tenant }) => tenant === id)

  it('is what the owner sets, and its keeper reads it at once: also a policy, a disabled and a deleted tenant', async () => {
    const { call, newTenant, warmed } = newServer()
    const id = await newTenant()
    const path = `/admin/tenants/${id}`
    expect((await call('GET', path)).json.warm_sandboxes).toBe(0)
    const changed = async (change: object) => {
      const { json } = await call('PATCH', path, change)
      return { set: json.warm_sandboxes, pool: poolOf(await warmed.at(-1), id), looks: warmed.length }
    }
    const internet = { ceiling: ['pypi.org'], default: ['pypi.org'] }
    expect(await changed({ warm_sandboxes: 3 })).toEqual({
      set: 3,
      pool: { tenant: id, count: 3, internet: true },
      looks: 1,
    })
    expect(await changed({ name: 'U' })).toMatchObject({ set: 3, looks: 1 })
    expect((await changed({ internet })).pool).toEqual({ tenant: id, count: 3, internet: ['pypi.org'] })
    expect(await changed({ disabled: true })).toMatchObject({ set: 3, pool: undefined, looks: 3 })
    expect((await changed({ disabled: false })).pool).toMatchObject({ count: 3 })
    expect((await changed({ warm_sandboxes: 0 })).pool).toBeUndefined()
    expect((await changed({ warm_sandboxes: 1 })).pool).toMatchObject({ count: 1 })
    await keys.closeTenant(tenantId(id), 1)
    expect(poolOf(await warmPoolsD1(env.DB)(), id)).toBeUndefined()
  })

  it.each([-1, 0.5, 21, '2', null])('of %j is refused, and nothing changes', async (count) => {
    const { call, newTenant } = newServer()
    const path = `/admin/tenants/${await newTenant()}`
    expect(await call('PATCH', path, { name: 'changed', warm_sandboxes: count })).toMatchObject({
      status: 400,
      json: { detail: expect.stringContaining('warm_sandboxes') },
    })
    expect((await call('GET', path)).json).toMatchObject({ name: 'Some tenant', warm_sandboxes: 0 })
  })

  it('runs at the tenant’s expense: its usage has the seconds once, however often they are reported', async () => {
    const { newTenant } = newServer()
    const id = await newTenant()
    const tenant = tenantClient(() => env.TENANTS.getByName(id))
    const startedAt = Date.now() - 60_000
    const hour = Math.floor(startedAt / 3_600_000)
    const times = [1, 2].map((number) => ({ number, startedAt, runningMs: 30_000 }))
    await reportWarmTime(tenant.calls, times)
    await reportWarmTime(tenant.calls, [...times, { number: 3, startedAt, runningMs: 5_000 }])
    const { groups } = await tenant.usage.read({ from: hour, to: hour + 2, groupBy: 'tool', where: {}, limit: 10 })
    expect(groups).toMatchObject([{ name: '@warm', calls: 0, sandboxRunningMs: 65_000, sandboxPausedMs: 0 }])
  })
})

describe('/admin/usage', () => {
  const used = async (tenant: string, startedAt: number, ms: number) => {
    const by = { key: 'k1', agent: null, session: 's', tool: 'execute_shell' }
    const amounts = { ms, bytesIn: 10, bytesOut: 20, sandboxMs: 1_500 }
    const end = { ...by, ...amounts, callId: 'c', number: 1, startedAt, failure: null, admittedAs: null }
    const none = { ms: 0, bytesIn: 0, bytesOut: 0, sandboxMs: 0 }
    const sandboxTime = { runningMs: 90_000, pausedMs: 1_000 }
    const sandbox = { ...end, ...none, callId: '', tool: '@sandbox', number: 2, sandboxTime }
    await tenantClient(() => env.TENANTS.getByName(tenant)).calls.end(crypto.randomUUID(), [end, sandbox])
  }

  it('has what each tenant used in a month, in pages, for the owner alone', async () => {
    // Objects of tenants have the real clock, and drop what is old by it.
    const { call, clock, newTenant, newKeyOf } = newServer({ now: Date.now() })
    const month = new Date(clock.now()).toISOString().slice(0, 7)
    const made = [await newTenant(), await newTenant(), await newTenant()].sort()
    const [busy = '', idle = '', earlier = ''] = made
    for (let time = 0; time < 2; time++) await used(busy, clock.now(), 100)
    await used(earlier, Date.parse(`${month}-01`) - DAY_MS, 100)

    const listed = new Map<string, unknown>()
    let cursor: string | null = ''
    while (cursor !== null) {
      const { json } = await call('GET', `/admin/usage?month=${month}&limit=5${cursor && `&cursor=${cursor}`}`)
      expect(json.month).toBe(month)
      for (const { tenant, use } of json.data) listed.set(tenant, use)
      cursor = json.next_cursor
    }
    const amounts = { calls: 2, failed: 0, refused: 0, bytes_in: 20, bytes_out: 40, sandbox_seconds: 3, cost: 0 }
    expect(listed.get(busy)).toEqual({ ...amounts, sandbox_running_seconds: 180, sandbox_paused_seconds: 2 })
    for (const tenant of [idle, earlier]) expect(listed.get(tenant)).toMatchObject({ calls: 0, sandbox_seconds: 0 })

    const byDay = await call('GET', `/admin/usage?month=${month}&tenant=${busy}&by=day`)
    const use = { ...amounts, sandbox_running_seconds: 180, sandbox_paused_seconds: 2 }
    const day = new Date(clock.now()).toISOString().slice(0, 10)
    expect(byDay.json.data).toEqual([{ tenant: busy, name: 'Some tenant', use, days: [{ day, use }] }])
    expect((await call('GET', '/admin/usage?tenant=absent')).status).toBe(404)

    const keyOfAdmin = (await newKeyOf(busy, { scopes: ['admin'] })).key
    expect((await call('GET', '/admin/usage', undefined, keyOfAdmin)).status).toBe(403)
    expect((await call('GET', '/admin/usage', undefined, null)).status).toBe(401)
  })

  it('adds up the days of a month that one answer of a tenant is too large for', async () => {
    const { call, clock, newTenant } = newServer({ now: Date.now() })
    const tenant = await newTenant()
    await used(tenant, clock.now(), 100)
    // Over two days: an answer has room for the rows of one.
    const rows = `INSERT INTO usage SELECT ?1 + n / 2500, 'one', '', '', n, 1, 0, 0, 5, 1, 1, 2, 3, '{}', '{}', 4000, 5000 FROM
      (WITH RECURSIVE c(n) AS (VALUES (0) UNION ALL SELECT n + 1 FROM c WHERE n < ?2 - 1) SELECT n FROM c)`
    const first = Date.parse(`${new Date(clock.now()).toISOString().slice(0, 7)}-01`) / 3_600_000
    await runInDurableObject(
      env.TENANTS.getByName(tenant),
      (_, { storage }) => void storage.sql.exec(rows, first, MAX_REPORTED_USAGE_ROWS),
    )
    const cursor = `${tenant.slice(0, -1)}${String.fromCharCode(tenant.charCodeAt(tenant.length - 1) - 1)}`
    const { json } = await call('GET', `/admin/usage?limit=1&cursor=${cursor}`)
    const calls = MAX_REPORTED_USAGE_ROWS + 1
    expect(json.data).toEqual([{ tenant, name: 'Some tenant', use: expect.objectContaining({ calls }) }])
    const byDay = await call('GET', `/admin/usage?tenant=${tenant}&by=day`)
    const [{ use, days }] = byDay.json.data
    expect(use.calls).toBe(calls)
    expect(days.reduce((sum: number, { use }: { use: { calls: number } }) => sum + use.calls, 0)).toBe(calls)
  })

  it.each(['month=2026-13', 'month=2026-12', 'month=2026-07', 'month=now', 'limit=26'])('refuses %s', async (query) => {
    expect((await newServer().call('GET', `/admin/usage?${query}`)).status).toBe(400)
  })
})

describe('/admin/tenants/{id}/keys', () => {
  it('shows the whole key once, and it works at once', async () => {
    const { call, newTenant, whoIs } = newServer()
    const tenant = await newTenant()
    const made = await call('POST', `/admin/tenants/${tenant}/keys`, { name: 'laptop' })
    expect(made.status).toBe(201)
    expect(made.headers.get('Cache-Control')).toBe('no-store')
    expect(made.json).toEqual({
      key: expect.stringMatching(/^ty_/),
      id: made.json.key.slice(3, 15),
      tenant,
      name: 'laptop',
      scopes: ['read', 'execute'],
      created_at: '2026-11-20T00:00:00.000Z',
      expires_at: null,
      revoked_at: null,
      rotated_at: null,
      old_secret_until: null,
      last_used_at: null,
      allowed_addresses: [],
    })
    expect(await whoIs(made.json.key)).toEqual({ tenant })

    const listed = await call('GET', `/admin/tenants/${tenant}/keys`)
    const { key, ...rest } = made.json
    expect(listed.json).toEqual({ data: [rest], next_cursor: null })
    expect(listed.text).not.toContain(key.slice(16))
  })

  it('makes keys with the scopes that were asked for, each once', async () => {
    const { newTenant, newKeyOf, whoIs } = newServer()
    const tenant = await newTenant()
    const made = await newKeyOf(tenant, { scopes: ['read', 'read'] })
    expect(made).toMatchObject({ scopes: ['read'] })
    expect(await whoIs(made.key)).toEqual({ error: 'forbidden' })
  })

  it('makes keys that end after some days, or at a time', async () => {
    const { clock, newTenant, newKeyOf, whoIs } = newServer()
    const tenant = await newTenant()
    const byDays = await newKeyOf(tenant, { expires_in_days: '2' })
    const byTime = await newKeyOf(tenant, { expires_at: '2026-11-21T01:00:00+01:00' })
    expect(byDays).toMatchObject({ expires_at: '2026-11-22T00:00:00.000Z' })
    expect(byTime).toMatchObject({ expires_at: '2026-11-21T00:00:00.000Z' })
    clock.advance(DAY_MS - 1)
    expect(await whoIs(byTime.key)).toEqual({ tenant })
    clock.advance(1)
    expect(await whoIs(byTime.key)).toEqual(REFUSED)
    clock.advance(DAY_MS - 1)
    expect(await whoIs(byDays.key)).toEqual({ tenant })
    clock.advance(1)
    expect(await whoIs(byDays.key)).toEqual(REFUSED)
  })

  it('revokes a key: it is refused within 30 s, stays listed, and stays revoked', async () => {
    const { call, clock, newTenant, newKeyOf, whoIs } = newServer()
    const tenant = await newTenant()
    const [first, second] = [await newKeyOf(tenant), await newKeyOf(tenant)]
    expect(await whoIs(first.key)).toEqual({ tenant })
    const revoked = await call('DELETE', `/admin/tenants/${tenant}/keys/${first.id}`)
    expect(revoked.status).toBe(204)

    clock.advance(30_000)
    expect(await whoIs(first.key)).toEqual(REFUSED)
    expect(await whoIs(second.key)).toEqual({ tenant })
    expect((await call('DELETE', `/admin/tenants/${tenant}/keys/${first.id}`)).status).toBe(204)
    const { json } = await call('GET', `/admin/tenants/${tenant}/keys`)
    expect(json.data.map(({ revoked_at }: { revoked_at: string | null }) => revoked_at !== null).sort()).toEqual([
      false,
      true,
    ])
  })

  it('gives a key another secret: both are good until the overlap is over, and then the new one alone', async () => {
    const { call, clock, newTenant, newKeyOf, whoIs } = newServer()
    const tenant = await newTenant()
    const old = await newKeyOf(tenant)
    expect(await whoIs(old.key)).toEqual({ tenant })
    const path = `/admin/tenants/${tenant}/keys`
    const rotated = await call('POST', `${path}/${old.id}/rotate`, { overlap_seconds: 3_600 })
    expect(rotated).toMatchObject({
      status: 200,
      json: {
        id: old.id,
        rotated_at: '2026-11-20T00:00:00.000Z',
        old_secret_until: '2026-11-20T01:00:00.000Z',
        key: expect.stringMatching(`^ty_${old.id}_`),
      },
    })
    expect(rotated.headers.get('Cache-Control')).toBe('no-store')
    const { key, ...facts } = rotated.json
    expect(key).not.toBe(old.key)
    expect((await call('GET', path)).json.data).toEqual([facts])

    clock.advance(3_599_999)
    for (const secret of [old.key, key]) expect(await whoIs(secret)).toEqual({ tenant })
    clock.advance(1)
    expect(await whoIs(old.key)).toEqual(REFUSED)
    expect(await whoIs(key)).toEqual({ tenant })
    expect((await call('GET', path)).json.data).toMatchObject([{ old_secret_until: null }])
  })

  it('lets the old secret live for a day unless a request says, ends it at once for an overlap of 0, and keeps two at most', async () => {
    const { call, clock, newTenant, newKeyOf, whoIs } = newServer()
    const tenant = await newTenant()
    const first = await newKeyOf(tenant)
    const rotate = async (body?: unknown) =>
      (await call('POST', `/admin/tenants/${tenant}/keys/${first.id}/rotate`, body)).json
    const second = await rotate()
    expect(second).toMatchObject({ old_secret_until: '2026-11-21T00:00:00.000Z' })
    const third = await rotate({ overlap_seconds: 60 })
    clock.advance(30_000)
    expect(await whoIs(first.key)).toEqual(REFUSED)
    for (const { key } of [second, third]) expect(await whoIs(key)).toEqual({ tenant })
    const fourth = await rotate({ overlap_seconds: 0 })
    expect(fourth).toMatchObject({ old_secret_until: null })
    clock.advance(30_000)
    for (const { key } of [first, second, third]) expect(await whoIs(key)).toEqual(REFUSED)
    expect(await whoIs(fourth.key)).toEqual({ tenant })
  })

  it('leaves a key as it is whose rotation cannot be noted, since nobody would have its new secret', async () => {
    const { audit, call, clock, newTenant, newKeyOf, whoIs } = newServer()
    const tenant = await newTenant()
    const { id, key } = await newKeyOf(tenant)
    const rotate = () => call('POST', `/admin/tenants/${tenant}/keys/${id}/rotate`, { overlap_seconds: 0 })
    audit.isDown = true
    expect((await rotate()).status).toBe(500)
    expect(log).toHaveBeenCalledOnce()
    log.mockClear()
    clock.advance(30_000)
    expect(await whoIs(key)).toEqual({ tenant })
    audit.isDown = false
    clock.advance(30_000)
    const { status, json } = await rotate()
    expect([status, await whoIs(json.key)]).toEqual([200, { tenant }])
  })

  it('rotates no key that is revoked, expired or not there, and no child key; and bounds the overlap', async () => {
    const { call, clock, newTenant, newKeyOf } = newServer()
    const [tenant, other] = [await newTenant(), await newTenant()]
    const [revoked, expired, good] = [
      await newKeyOf(tenant),
      await newKeyOf(tenant, { expires_in_days: 1 }),
      await newKeyOf(tenant),
    ]
    await call('DELETE', `/admin/tenants/${tenant}/keys/${revoked.id}`)
    clock.advance(DAY_MS)
    const rotate = (id: string, body?: unknown, of = tenant) =>
      call('POST', `/admin/tenants/${of}/keys/${id}/rotate`, body)
    for (const { id } of [revoked, expired]) {
      expect(await rotate(id)).toMatchObject({ status: 409, json: { code: 'conflict' } })
    }
    expect(await rotate(`${good.id}.abc`)).toMatchObject({ status: 409 })
    expect(await rotate(good.id, {}, other)).toMatchObject({ status: 404 })
    for (const overlap_seconds of [-1, 2_592_001, 'x', 0.5]) {
      expect(await rotate(good.id, { overlap_seconds })).toMatchObject({ status: 400 })
    }
    expect((await call('GET', `/admin/tenants/${tenant}/keys`)).json.data).toMatchObject(
      Array(3).fill({ rotated_at: null }),
    )
  })

  it('keeps the addresses of a key in one form, changes them with its name, and refuses what is none', async () => {
    const { call, newTenant, newKeyOf } = newServer()
    const tenant = await newTenant()
    const allowed_addresses = ['10.0.0.0/8', '2001:DB8:0::/32', '::ffff:192.0.2.7', '192.0.2.7/32']
    const made = await newKeyOf(tenant, { allowed_addresses })
    expect(made).toMatchObject({ allowed_addresses: ['10.0.0.0/8', '2001:db8::/32', '192.0.2.7'] })
    const path = `/admin/tenants/${tenant}/keys/${made.id}`
    const changed = await call('PATCH', path, { name: 'office', allowed_addresses: [] })
    expect(changed).toMatchObject({ status: 200, json: { name: 'office', allowed_addresses: [] } })
    expect((await call('PATCH', path, { allowed_addresses: ['::1'] })).json).toMatchObject({
      name: 'office',
      allowed_addresses: ['::1'],
    })
    const wrong = ['10.0.0.5/8', '10.0.0.0/33', 'example.com', '10.0.0', '::1/129', '1::2::3', '', '10.0.0.0/8/8', '/8']
    for (const address of wrong) {
      const refused = await call('PATCH', path, { allowed_addresses: [address] })
      expect(refused, address).toMatchObject({ status: 400, json: { code: 'invalid_input' } })
    }
    const many = Array.from({ length: 51 }, (_, at) => `10.0.0.${at}`)
    expect((await call('PATCH', path, { allowed_addresses: many })).status).toBe(400)
    expect((await call('PATCH', path, {})).status).toBe(400)
    expect((await call('PATCH', `/admin/tenants/${tenant}/keys/x`, { name: 'x' })).status).toBe(404)
  })

  it('lists keys in the order they were made, in pages, each once', async () => {
    const { call, clock, newTenant, newKeyOf } = newServer()
    const tenant = await newTenant()
    const made: string[] = []
    for (let count = 0; count < 7; count++) {
      made.push((await newKeyOf(tenant)).id)
      // Some in one millisecond, some not.
      if (count % 3 === 0) clock.advance(1)
    }
    const listed: { id: string; created_at: string }[] = []
    let query = '?limit=2'
    for (;;) {
      const { json } = await call('GET', `/admin/tenants/${tenant}/keys${query}`)
      listed.push(...json.data)
      if (json.next_cursor === null) break
      query = `?limit=2&cursor=${json.next_cursor}`
    }
    expect(listed.map(({ id }) => id).toSorted()).toEqual(made.toSorted())
    const times = listed.map(({ created_at }) => created_at)
    expect(times).toEqual(times.toSorted())
  })

  it.each([
    ['no name', { name: undefined }],
    ['no scope', { scopes: [] }],
    ['an unknown scope', { scopes: ['root'] }],
    ['a misspelt expiry', { expire_at: '2027-01-01T00:00:00Z' }],
    ['two expiries', { expires_at: '2027-01-01T00:00:00Z', expires_in_days: 1 }],
    ['an expiry that is over', { expires_at: '2026-11-20T00:00:00Z' }],
    ['an expiry without a zone', { expires_at: '2027-01-01T00:00:00' }],
    ['an expiry that is no date', { expires_at: 'tomorrow' }],
    ['an expiry in the far future', { expires_at: '2999-01-01T00:00:00Z' }],
    ['zero days', { expires_in_days: 0 }],
    ['half a day', { expires_in_days: 0.5 }],
  ])('refuses %s', async (_, input) => {
    const { call, newTenant } = newServer()
    const refused = await call('POST', `/admin/tenants/${await newTenant()}/keys`, { name: 'k', ...input })
    expect(refused).toMatchObject({ status: 400, json: { code: 'invalid_input' } })
  })

  it('says that there is no such tenant or key', async () => {
    const { call, newTenant, newKeyOf } = newServer()
    const [tenant, other] = [await newTenant(), await newTenant()]
    const { id } = await newKeyOf(other)
    for (const [method, path] of [
      ['POST', '/admin/tenants/nobody/keys'],
      ['GET', '/admin/tenants/nobody/keys'],
      ['DELETE', '/admin/tenants/nobody/keys/x'],
      ['DELETE', `/admin/tenants/${tenant}/keys/${id}`],
      ['DELETE', `/admin/tenants/${tenant}/keys/x`],
    ] as const) {
      const body = method === 'POST' ? { name: 'k' } : undefined
      expect(await call(method, path, body), path).toMatchObject({ status: 404, json: { code: 'not_found' } })
    }
    expect((await call('GET', `/admin/tenants/${other}/keys`)).json.data[0].revoked_at).toBeNull()
  })

  it(`stops at ${MAX_KEYS_PER_TENANT} keys that are good, and names the limit; a revoked one makes room`, async () => {
    const { call, clock, newTenant, newKeyOf } = newServer()
    const tenant = await newTenant()
    const { id } = await newKeyOf(tenant)
    await newKeyOf(tenant, { expires_in_days: 1 })
    await env.DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
       INSERT INTO keys (id, tenant, name, hash, scopes, created_at) SELECT ?2 || i, ?2, 'k', hex(randomblob(32)), 'read', 0 FROM n`,
    )
      .bind(MAX_KEYS_PER_TENANT - 2, tenant)
      .run()

    const full = await call('POST', `/admin/tenants/${tenant}/keys`, { name: 'k' })
    expect(full).toMatchObject({ status: 429, json: { code: 'limit_exceeded' } })
    expect(full.json.detail).toContain('MAX_KEYS_PER_TENANT')

    await call('DELETE', `/admin/tenants/${tenant}/keys/${id}`)
    const two = await Promise.all([1, 2].map(() => call('POST', `/admin/tenants/${tenant}/keys`, { name: 'k' })))
    expect(two.map(({ status }) => status).sort()).toEqual([201, 429])
    clock.advance(DAY_MS)
    expect((await call('POST', `/admin/tenants/${tenant}/keys`, { name: 'k' })).status).toBe(201)
  })
})

describe('the guard of the admin API', () => {
  const everything = (tenant: string, key: string) =>
    [
      ['POST', '/admin/tenants', { name: 'x' }],
      ['GET', '/admin/tenants', undefined],
      ['GET', `/admin/tenants/${tenant}`, undefined],
      ['PATCH', `/admin/tenants/${tenant}`, { disabled: true }],
      ['DELETE', `/admin/tenants/${tenant}`, undefined],
      ['POST', `/admin/tenants/${tenant}/keys`, { name: 'x' }],
      ['GET', `/admin/tenants/${tenant}/keys`, undefined],
      ['DELETE', `/admin/tenants/${tenant}/keys/${key}`, undefined],
    ] as const

  it.each([
    ['no token', null],
    ['an empty token', ''],
    ['another token', `${TOKEN.slice(0, -1)}?`],
    ['the start of the token', TOKEN.slice(0, -1)],
    ['more than the token', `${TOKEN}x`],
  ])('refuses %s everywhere, whoever the open tenant is', async (_, token) => {
    for (const openTenant of [null, 'dev']) {
      const { call, newTenant, newKeyOf } = newServer({ openTenant })
      const tenant = await newTenant()
      const { id } = await newKeyOf(tenant)
      for (const [method, path, body] of everything(tenant, id)) {
        const refused = await call(method, path, body, token)
        expect(refused, `${method} ${path}`).toMatchObject({ status: 401, json: { code: 'unauthenticated' } })
        expect(refused.headers.get('WWW-Authenticate')).toContain('Bearer')
        expect(refused.text).not.toContain(TOKEN)
      }
      expect((await call('GET', `/admin/tenants/${tenant}/keys`)).json.data).toHaveLength(1)
    }
  })

  it('compares the token in constant time', async () => {
    const compare = vi.spyOn(crypto.subtle, 'timingSafeEqual')
    await newServer().call('GET', '/admin/tenants', undefined, 'wrong')
    expect(compare).toHaveBeenCalledTimes(1)
    compare.mockRestore()
  })

  it('takes the token nowhere but in Authorization: Bearer', async () => {
    const { fetch } = newServer()
    for (const [path, headers] of [
      ['/admin/tenants', { 'X-API-Key': TOKEN }],
      ['/admin/tenants', { Authorization: `Basic ${TOKEN}` }],
      ['/admin/tenants', { Authorization: TOKEN }],
      [`/k/${TOKEN}/admin/tenants`, {}],
      [`/admin/tenants?token=${TOKEN}`, {}],
    ] as const) {
      const response = await fetch(path, { headers })
      expect(response.status).toBe(401)
      expect(await response.text()).not.toContain(TOKEN)
    }
  })

  it('answers 404 for everything when there is no token to know, and says how to set one', async () => {
    const { newTenant, newKeyOf } = newServer()
    const tenant = await newTenant()
    const { key, id } = await newKeyOf(tenant, { scopes: ['admin'] })
    const { call } = newServer({ adminToken: null })
    for (const token of [TOKEN, '', 'null', key, null]) {
      for (const [method, path, body] of everything(tenant, id)) {
        expect(await call(method, path, body, token)).toMatchObject({
          status: 404,
          json: { detail: 'admin API is off; set ADMIN_TOKEN', hint: expect.stringContaining('ADMIN_TOKEN') },
        })
      }
    }
  })

  it('lets a key with the scope admin manage the keys of its own tenant', async () => {
    const { call, fetch, newTenant, newKeyOf, whoIs } = newServer()
    const tenant = await newTenant()
    const { key } = await newKeyOf(tenant, { scopes: ['admin'] })
    const made = await call('POST', `/admin/tenants/${tenant}/keys`, { name: 'second' }, key)
    expect(made.status).toBe(201)
    expect(await whoIs(made.json.key)).toEqual({ tenant })
    expect((await call('GET', `/admin/tenants/${tenant}/keys`, undefined, key)).json.data).toHaveLength(2)
    expect((await fetch(`/k/${key}/admin/tenants/${tenant}/keys`)).status).toBe(200)
    expect((await fetch(`/admin/tenants/${tenant}/keys`, { headers: { 'X-API-Key': key } })).status).toBe(200)
    expect((await call('DELETE', `/admin/tenants/${tenant}/keys/${made.json.id}`, undefined, key)).status).toBe(204)
  })

  it("lets it do nothing else, and tells it the same of another's tenant and of one that is not there", async () => {
    const { call, newTenant, newKeyOf } = newServer()
    const [tenant, other] = [await newTenant(), await newTenant()]
    const mine = await newKeyOf(tenant, { scopes: ['admin'] })
    const theirs = await newKeyOf(other)
    for (const [method, path, body] of everything(other, theirs.id)) {
      const refused = await call(method, path, body, mine.key)
      expect(refused, `${method} ${path}`).toMatchObject({ status: 403, json: { code: 'forbidden' } })
      const nobody = await call(method, path.replace(other, 'nobody'), body, mine.key)
      expect(nobody.json.detail).toBe(refused.json.detail)
    }
    for (const [method, path, body] of everything(tenant, theirs.id).slice(0, 5)) {
      expect(await call(method, path, body, mine.key), `${method} ${path}`).toMatchObject({ status: 403 })
    }
    expect(await call('DELETE', `/admin/tenants/${tenant}/keys/${theirs.id}`, undefined, mine.key)).toMatchObject({
      status: 404,
    })
    expect((await call('GET', `/admin/tenants/${other}/keys`)).json.data).toMatchObject([{ revoked_at: null }])
  })

  it('tells the audit log of the tenant who made and revoked its keys, and which of its keys were refused', async () => {
    const { call, clock, newTenant, newKeyOf, noted } = newServer()
    const [tenant, other] = [await newTenant(), await newTenant()]
    const admin = await newKeyOf(tenant, { scopes: ['admin'] })
    const { json: second } = await call('POST', `/admin/tenants/${tenant}/keys`, { name: 'second' }, admin.key)
    for (let time = 0; time < 2; time++) {
      await call('DELETE', `/admin/tenants/${tenant}/keys/${second.id}`, undefined, admin.key)
      clock.advance(1_000)
    }
    const agents = await newKeyOf(tenant, { scopes: ['execute'] })
    await call('POST', `/admin/tenants/${tenant}/keys`, { name: 'third' }, agents.key)
    await call('GET', `/admin/tenants/${other}/keys`, undefined, admin.key)
    await call('GET', '/admin/tenants', undefined, admin.key)
    expect(noted).toEqual([
      [tenant, null, 'key.create', admin.id],
      [tenant, admin.id, 'key.create', second.id],
      [tenant, admin.id, 'key.revoke', second.id],
      [tenant, null, 'key.create', agents.id],
      [tenant, agents.id, 'POST /admin/tenants'],
      [tenant, admin.id, 'GET /admin/tenants'],
      [tenant, admin.id, 'GET /admin/tenants'],
    ])
  })

  it.each([['read'], ['execute']])('refuses a key that has only the scope %s', async (scope) => {
    const { call, newTenant, newKeyOf } = newServer()
    const tenant = await newTenant()
    const { key, id } = await newKeyOf(tenant, { scopes: [scope] })
    for (const [method, path, body] of everything(tenant, id)) {
      expect(await call(method, path, body, key)).toMatchObject({ status: 403, json: { code: 'forbidden' } })
    }
  })
})

describe('every answer that is not a success', () => {
  it('is a problem as RFC 9457 has it, with code, retryable, hint and request_id', async () => {
    const { call, fetch } = newServer()
    const big = {
      method: 'POST',
      headers: { Authorization: `Bearer ${TOKEN}` },
      body: new Uint8Array(MAX_BODY_BYTES + 1),
    }
    const answers = [
      await fetch('/admin/tenants'),
      await fetch('/admin'),
      await fetch('/admin/nothing/here', { method: 'PUT' }),
      await fetch('/admin/tenants', big),
      await fetch('/admin/tenants', { ...big, body: Uint8Array.of(0xff) }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([401, 404, 404, 413, 400])
    for (const answer of answers) {
      expect(answer.headers.get('Content-Type')).toBe('application/problem+json')
      expect(await answer.json()).toEqual({
        type: 'about:blank',
        status: answer.status,
        title: expect.any(String),
        detail: expect.any(String),
        code: expect.any(String),
        retryable: false,
        hint: expect.any(String),
        request_id: answer.headers.get('X-Request-Id'),
      })
    }
    expect((await call('GET', '/admin/tenants/%00')).status).toBe(400)
  })
})
