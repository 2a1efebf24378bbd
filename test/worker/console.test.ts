import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { MAX_SIGN_INS } from '../../src/core/limits/console.ts'
import { createServer, type Server } from '../../src/server.ts'
import { migrateAll } from '../support/all-databases.ts'
import { wrongKey } from '../support/wrong-key.ts'

const TOKEN = 'the-owner-s-own-secret-of-40-characters!'
const { OPEN_TENANT: _, ...closed } = env
const CLOSED = {
  ...closed,
  ENVIRONMENT: 'production',
  ADMIN_TOKEN: TOKEN,
  SECRETS_KEY: 'a plain key for secrets of tests',
}
const OPEN = { ...env, OPEN_TENANT: 'dev', ADMIN_TOKEN: TOKEN, SECRETS_KEY: 'a plain key for secrets of tests' }
const server = createServer(CLOSED)

beforeAll(() => migrateAll(env.DB))

interface Sent {
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: unknown
  readonly to?: Server
}

async function ask(path: string, { method = 'GET', headers = {}, body, to = server }: Sent = {}) {
  const behind: Promise<unknown>[] = []
  const answer = await to.fetch(
    new Request(`http://localhost${path}`, {
      method,
      headers: { Host: 'localhost', ...headers },
      redirect: 'manual',
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
    (work) => behind.push(work),
  )
  const text = await answer.text()
  await Promise.all(behind)
  const isJson = /[/+]json\b/.test(answer.headers.get('Content-Type') ?? '')
  return {
    status: answer.status,
    headers: answer.headers,
    text,
    body: (isJson ? JSON.parse(text) : {}) as Record<string, unknown>,
  }
}

const bearer = (key: string) => ({ Authorization: `Bearer ${key}` })
const OWN_PAGE = { 'Sec-Fetch-Site': 'same-origin' }

/** A tenant with a key. */
async function newKey(input: Record<string, unknown> = {}) {
  const tenant = String(
    (await ask('/admin/tenants', { method: 'POST', headers: bearer(TOKEN), body: { name: 'T' } })).body.id,
  )
  return { tenant, ...(await anotherKey(tenant, input)) }
}

async function anotherKey(tenant: string, input: Record<string, unknown> = {}) {
  const path = `/admin/tenants/${tenant}/keys`
  const body = { name: 'n', scopes: ['admin'], ...input }
  const made = (await ask(path, { method: 'POST', headers: bearer(TOKEN), body })).body
  return { id: String(made.id), key: String(made.key), path: `${path}/${made.id}` }
}

const login = (key: string | null, { headers = {}, to = server }: Sent = {}) =>
  ask('/console/login', { method: 'POST', headers: { ...OWN_PAGE, ...headers }, body: key === null ? {} : { key }, to })

let browsers = 1

/** A browser that signed in. */
async function signIn(key: string | null, to: Server = server) {
  // Sign-ins of one address are bounded.
  const headers = { 'User-Agent': 'Tests/1', 'CF-Connecting-IP': `198.51.100.${browsers++ % 250}` }
  const answer = await login(key, { to, headers })
  expect(answer.status, answer.text).toBe(200)
  const cookie = { Cookie: String(answer.headers.get('Set-Cookie')).split(';', 1)[0] ?? '', ...OWN_PAGE }
  return {
    id: String(answer.body.id),
    cookie,
    changing: { ...cookie, 'X-Toolyard-CSRF': String(answer.body.csrf) },
    answer,
  }
}

const statusOf = async (headers: Record<string, string>, path = '/v1/sessions', more: Sent = {}) =>
  (await ask(path, { headers, ...more })).status

/** Waits until the browser is signed out: an isolate trusts what it read for a second. */
const signedOut = (headers: Record<string, string>, path = '/v1/sessions') =>
  expect.poll(() => statusOf(headers, path), { interval: 100 }).toBe(401)

describe('signing in', () => {
  it('makes a cookie that no script and no other site has, for 8 hours, of a session that says what its key may', async () => {
    const { id, key, tenant } = await newKey({ scopes: ['read', 'execute'] })
    const before = Date.now()
    const { answer, cookie } = await signIn(key)
    expect(answer.headers.get('Set-Cookie')).toMatch(
      /^__Host-toolyard=tys_\w+; HttpOnly; Secure; SameSite=Strict; Path=\/; Max-Age=28800$/,
    )
    expect(answer.headers.get('Cache-Control')).toBe('no-store')
    expect(answer.body).toMatchObject({ tenant, key_id: id, csrf: expect.stringMatching(/^[\w-]{43}$/) })
    expect(answer.body.scopes).toEqual(['read', 'execute'])
    expect(Date.parse(String(answer.body.expires_at)) - before).toBeGreaterThanOrEqual(8 * 3_600_000 - 1_000)
    expect(answer.text).not.toContain(key)
    expect((await ask('/console/session', { headers: cookie })).body).toEqual(answer.body)
    expect((await ask('/v1/keys/current', { headers: cookie })).body).toMatchObject({ id, tenant })
  })

  it('refuses a wrong key, no key, and a body with anything else', async () => {
    const { key } = await newKey()
    expect((await login(wrongKey(key))).status).toBe(401)
    expect((await login(null)).status).toBe(401)
    const other = await ask('/console/login', { method: 'POST', headers: OWN_PAGE, body: { key, tenant: 'other' } })
    expect(other.status).toBe(400)
    expect(other.headers.has('Set-Cookie')).toBe(false)
  })

  it.each(['same-site', 'cross-site', 'none', ''])('refuses a page of another origin: %j', async (site) => {
    const { key } = await newKey()
    const answer = await login(key, { headers: { 'Sec-Fetch-Site': site } })
    expect(answer.status).toBe(403)
    expect(answer.headers.has('Set-Cookie')).toBe(false)
  })

  it('refuses an address after ten refused attempts, and no other one', async () => {
    const { key } = await newKey()
    const from = (address: string) => ({ headers: { 'CF-Connecting-IP': address } })
    for (let attempt = 0; attempt < 10; attempt++) expect((await login('guess', from('192.0.2.1'))).status).toBe(401)
    const answer = await login(key, from('192.0.2.1'))
    expect(answer.status).toBe(429)
    expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0)
    expect((await login(key, from('192.0.2.2'))).status).toBe(200)
  })
})

describe('too many sign-ins', () => {
  const from = (address: string) => ({ headers: { 'CF-Connecting-IP': address } })

  it('from one address are refused, good ones too, and many at once pass no further', async () => {
    const { key } = await newKey()
    const attempts = Array.from({ length: MAX_SIGN_INS + 5 }, () => login(key, from('192.0.2.3')))
    const statuses = (await Promise.all(attempts)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(MAX_SIGN_INS)
    expect(statuses.filter((status) => status === 429)).toHaveLength(5)
    expect((await login(key, from('192.0.2.4'))).status).toBe(200)
  })

  it('are not made by pages that are opened without a key', async () => {
    const { key } = await newKey()
    for (let opened = 0; opened < MAX_SIGN_INS + 5; opened++) {
      expect((await login(null, from('192.0.2.5'))).status).toBe(401)
    }
    expect((await login(key, from('192.0.2.5'))).status).toBe(200)
  })
})

describe('the cookie', () => {
  it('counts for pages of this origin alone, for reading too', async () => {
    const { cookie } = await signIn((await newKey()).key)
    const { 'Sec-Fetch-Site': __, ...bare } = cookie
    expect(await statusOf(cookie)).toBe(200)
    for (const site of ['same-site', 'cross-site', 'none']) {
      expect(await statusOf({ ...cookie, 'Sec-Fetch-Site': site }), site).toBe(401)
    }
    expect(await statusOf(bare)).toBe(401)
  })

  it('is not looked at where a key is sent, be it in a header or in the path', async () => {
    const mine = await newKey()
    const other = await newKey()
    const { cookie } = await signIn(mine.key)
    const both = await ask('/v1/keys/current', { headers: { ...cookie, ...bearer(other.key) } })
    expect(both.body).toMatchObject({ tenant: other.tenant })
    expect(await statusOf({ ...cookie, ...bearer('wrong') })).toBe(401)
    expect(await statusOf({ ...cookie, 'X-API-Key': 'wrong' })).toBe(401)
    expect(await statusOf(cookie, '/k/wrong/v1/sessions')).toBe(401)
    expect((await ask(`/k/${other.key}/v1/keys/current`, { headers: cookie })).body).toMatchObject({
      tenant: other.tenant,
    })
  })

  it('means nothing to the published APIs and to MCP', async () => {
    const { changing } = await signIn((await newKey()).key)
    expect(await statusOf(changing, '/api/tools')).toBe(401)
    expect(await statusOf(changing, '/mcp', { method: 'POST', body: {} })).toBe(401)
    expect(await statusOf(changing, '/internal/tools')).toBe(401)
  })

  it('opens no answer to other origins', async () => {
    const { key } = await newKey()
    const { cookie, changing } = await signIn(key)
    const Origin = 'http://localhost:3000'
    const cross = { ...cookie, Origin, 'Sec-Fetch-Site': 'same-site' }
    for (const headers of [cross, { ...cookie, Origin }, { ...changing, Origin }]) {
      for (const path of ['/v1/sessions', '/console/session', '/console/']) {
        const answer = await ask(path, { headers })
        expect(answer.headers.get('Access-Control-Allow-Origin'), path).toBeNull()
        expect(answer.headers.get('Access-Control-Allow-Credentials'), path).toBeNull()
      }
    }
    const preflight = { Origin, 'Access-Control-Request-Method': 'POST' }
    const before = await ask('/console/login', { method: 'OPTIONS', headers: preflight })
    expect(before.headers.get('Access-Control-Allow-Origin')).toBeNull()
    // A client with a key is answered as ever.
    const keyed = await ask('/v1/sessions', { headers: { ...bearer(key), Origin } })
    expect(keyed.headers.get('Access-Control-Allow-Origin')).toBe(Origin)
  })

  it('changes nothing without the token of its own session', async () => {
    const { key } = await newKey()
    const [mine, other] = [await signIn(key), await signIn(key)]
    const make = (headers: Record<string, string>) =>
      statusOf(headers, '/v1/sessions', { method: 'POST', body: { name: `s-${crypto.randomUUID()}` } })
    expect(await make(mine.cookie)).toBe(403)
    expect(await make({ ...mine.cookie, 'X-Toolyard-CSRF': 'wrong' })).toBe(403)
    expect(await make({ ...mine.cookie, 'X-Toolyard-CSRF': other.changing['X-Toolyard-CSRF'] })).toBe(403)
    expect(await statusOf(mine.cookie, '/v1/sessions/any', { method: 'DELETE' })).toBe(403)
    expect(await make(mine.changing)).toBe(201)
    expect((await ask('/v1/sessions', { headers: mine.cookie })).body.data).toHaveLength(1)
  })

  it('is refused when it is made up, cut, or of another session', async () => {
    const { cookie } = await signIn((await newKey()).key)
    expect(await statusOf({ ...cookie, Cookie: '__Host-toolyard=made-up' })).toBe(401)
    expect(await statusOf({ ...cookie, Cookie: cookie.Cookie.slice(0, -1) })).toBe(401)
    expect(await statusOf({ ...cookie, Cookie: `a=b; ${cookie.Cookie}; c=d` })).toBe(200)
    expect(await statusOf({ ...cookie, Cookie: `x${cookie.Cookie}` })).toBe(401)
  })
})

describe('a session of the console ends', () => {
  it('with its key, in each isolate', async () => {
    const { key, path } = await newKey()
    const { cookie } = await signIn(key)
    const other = createServer(CLOSED)
    expect(await statusOf(cookie, '/v1/sessions', { to: other })).toBe(200)
    expect(await statusOf(bearer(TOKEN), path, { method: 'DELETE' })).toBe(204)
    await signedOut(cookie)
    await expect.poll(() => statusOf(cookie, '/v1/sessions', { to: other })).toBe(401)
    // Requests by the key itself may be answered for half a minute.
    expect((await login(key)).status).toBe(401)
  })

  it('with a secret that was rotated away, and not before', async () => {
    const { key, path } = await newKey()
    const { cookie } = await signIn(key)
    const rotate = async (overlap_seconds: number) =>
      String(
        (await ask(`${path}/rotate`, { method: 'POST', headers: bearer(TOKEN), body: { overlap_seconds } })).body.key,
      )
    const next = await signIn(await rotate(3_600))
    expect((await ask('/console/session', { headers: cookie })).status).toBe(200)
    await rotate(0)
    await signedOut(cookie)
    await signedOut(next.cookie)
  })

  it('while its tenant is disabled, and for good with its deletion', async () => {
    const { key, tenant } = await newKey()
    const { cookie } = await signIn(key)
    const path = `/admin/tenants/${tenant}`
    const change = (disabled: boolean) => ask(path, { method: 'PATCH', headers: bearer(TOKEN), body: { disabled } })
    await change(true)
    await signedOut(cookie)
    expect((await login(key)).status).toBe(401)
    await ask(path, { method: 'DELETE', headers: bearer(TOKEN), body: { confirm: tenant } })
    await signedOut(cookie)
  })

  it('by signing out, at once, and its cookie is removed', async () => {
    const { key } = await newKey()
    const { cookie, changing } = await signIn(key)
    expect((await ask('/console/logout', { method: 'POST', headers: cookie })).status).toBe(403)
    expect(await statusOf(cookie)).toBe(200)
    const answer = await ask('/console/logout', { method: 'POST', headers: changing })
    expect(answer.status).toBe(204)
    expect(answer.headers.get('Set-Cookie')).toMatch(/^__Host-toolyard=; .*Max-Age=0$/)
    expect(await statusOf(cookie)).toBe(401)
    expect((await ask('/console/session', { headers: cookie })).status).toBe(401)
    // Whose session is over already loses the cookie all the same.
    expect((await ask('/console/logout', { method: 'POST', headers: changing })).status).toBe(204)
  })
})

describe('a child key', () => {
  const mint = async (key: string, body: object) =>
    (await ask('/v1/keys/current/children', { method: 'POST', headers: bearer(key), body })).body as {
      id: string
      key: string
    }

  it('signs in with its own restrictions and no more, until it or a key above it is revoked', async () => {
    const { key } = await newKey()
    const child = await mint(key, { scopes: ['read'], sessions: { names: ['mine'] } })
    const { cookie, changing, answer } = await signIn(child.key)
    expect(answer.body).toMatchObject({ key_id: child.id, scopes: ['read'] })
    for (const name of ['mine', 'other'])
      await ask('/v1/sessions', { method: 'POST', headers: bearer(key), body: { name } })
    expect(await statusOf(cookie, '/v1/sessions/mine')).toBe(200)
    expect(await statusOf(cookie, '/v1/sessions/other')).toBe(403)
    expect(await statusOf(changing, '/v1/sessions/mine', { method: 'DELETE' })).toBe(403)
    expect(await statusOf(bearer(key), `/v1/keys/${child.id}`, { method: 'DELETE' })).toBe(204)
    await signedOut(cookie, '/v1/sessions/mine')
  })

  it('lasts no longer than it does', async () => {
    const { key } = await newKey()
    const child = await mint(key, { expires_in_seconds: 600 })
    const { answer } = await signIn(child.key)
    expect(Date.parse(String(answer.body.expires_at))).toBeLessThanOrEqual(Date.now() + 600_000)
  })
})

describe('the list of who is signed in', () => {
  const listed = async (headers: Record<string, string>) =>
    (await ask('/v1/console-sessions', { headers })).body.data as Record<string, unknown>[]
  const idsOf = async (headers: Record<string, string>) => (await listed(headers)).map(({ id }) => id)

  it('shows an administrator all of the tenant, another key its own, and nobody those of another tenant', async () => {
    const admin = await newKey()
    const reader = await anotherKey(admin.tenant, { scopes: ['read'] })
    const stranger = await newKey()
    const [mine, theirs, foreign] = [await signIn(admin.key), await signIn(reader.key), await signIn(stranger.key)]
    expect(await idsOf(mine.cookie)).toEqual([mine.id, theirs.id])
    expect(await idsOf(theirs.cookie)).toEqual([theirs.id])
    expect(await idsOf(bearer(stranger.key))).toEqual([foreign.id])
    expect(await listed(theirs.cookie)).toMatchObject([
      { key_id: reader.id, scopes: ['read'], browser: 'Tests/1', current: true },
    ])
    expect(JSON.stringify(await listed(mine.cookie))).not.toContain(theirs.cookie.Cookie.slice(20))
  })

  it('ends what it shows, and nothing else', async () => {
    const admin = await newKey()
    const reader = await anotherKey(admin.tenant, { scopes: ['read'] })
    const stranger = await newKey()
    const [mine, theirs, foreign] = [await signIn(admin.key), await signIn(reader.key), await signIn(stranger.key)]
    const end = (headers: Record<string, string>, id: string) =>
      statusOf(headers, `/v1/console-sessions/${id}`, { method: 'DELETE' })
    expect(await end(theirs.changing, mine.id)).toBe(404)
    expect(await end(mine.changing, foreign.id)).toBe(404)
    expect(await end(mine.cookie, theirs.id)).toBe(403)
    expect(await end(mine.changing, theirs.id)).toBe(204)
    expect(await statusOf(theirs.cookie)).toBe(401)
    expect(await end(mine.changing, mine.id)).toBe(204)
    expect(await statusOf(mine.cookie)).toBe(401)
    expect(await statusOf(foreign.cookie)).toBe(200)
  })
})

describe('the owner of the server', () => {
  it('signs in with the admin token, and manages tenants by the cookie', async () => {
    const { tenant } = await newKey()
    const { cookie, changing, answer, id } = await signIn(TOKEN)
    expect(answer.body).toMatchObject({ tenant: null, key_id: null, scopes: ['operator'] })
    expect(answer.text).not.toContain(TOKEN)
    expect((await ask(`/admin/tenants/${tenant}`, { headers: cookie })).body).toMatchObject({ id: tenant })
    const body = { name: 'by the console' }
    expect(await statusOf(cookie, '/admin/tenants', { method: 'POST', body })).toBe(403)
    expect(await statusOf(changing, '/admin/tenants', { method: 'POST', body })).toBe(201)
    expect(await statusOf(cookie, '/v1/sessions')).toBe(401)
    const list = (await ask('/v1/console-sessions', { headers: cookie })).body.data as Record<string, unknown>[]
    expect(list).toContainEqual(expect.objectContaining({ id, scopes: ['operator'], current: true }))
    for (const site of ['same-site', 'none']) {
      expect(await statusOf({ ...cookie, 'Sec-Fetch-Site': site }, '/admin/tenants')).toBe(401)
    }
  })

  it('is signed out by another admin token', async () => {
    const { cookie } = await signIn(TOKEN)
    const changed = createServer({ ...CLOSED, ADMIN_TOKEN: 'another-secret-of-the-owner-40-characters' })
    expect(await statusOf(cookie, '/admin/tenants')).toBe(200)
    expect(await statusOf(cookie, '/admin/tenants', { to: changed })).toBe(401)
  })

  it('is nobody else: a key of a tenant reaches its own keys alone', async () => {
    const { key, tenant } = await newKey()
    const { cookie } = await signIn(key)
    expect(await statusOf(cookie, '/admin/tenants')).toBe(403)
    expect(await statusOf(cookie, `/admin/tenants/${tenant}/keys`)).toBe(200)
  })
})

describe('a server that needs no key', () => {
  it('signs the console in without one, from this machine', async () => {
    const open = createServer(OPEN)
    const { cookie, changing, answer } = await signIn(null, open)
    expect(answer.body).toMatchObject({ tenant: 'dev', key_id: null })
    expect(await statusOf(cookie, '/v1/keys/current', { to: open })).toBe(200)
    expect(await statusOf(cookie, '/v1/sessions', { to: open, method: 'POST', body: { name: 'x' } })).toBe(403)
    expect((await login(null, { to: open, headers: { Origin: 'https://evil.example' } })).status).toBe(403)
    // The same cookie is good for nothing where requests need a key.
    expect(await statusOf(cookie)).toBe(401)
    expect(await statusOf(changing, '/console/logout', { to: open, method: 'POST' })).toBe(204)
    expect(await statusOf(cookie, '/console/session', { to: open })).toBe(401)
  })
})
