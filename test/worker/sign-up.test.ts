import { env } from 'cloudflare:workers'
import { beforeAll, expect, it } from 'vitest'
import { d1Database } from '../../src/adapters/database-d1.ts'
import { invitationsD1 } from '../../src/adapters/invitations-d1.ts'
import { newInvitationToken } from '../../src/auth/invitation.ts'
import { randomDigits } from '../../src/auth/key.ts'
import { v1 } from '../../src/http/dialects/v1/routes.ts'
import { createServer } from '../../src/server.ts'
import { migrateAll } from '../support/all-databases.ts'
import { NO_KEYS } from '../support/no-keys.ts'
import { ADMIN_ANSWERS, V1_ANSWERS } from '../support/openapi/answers.ts'

const TOKEN = 'the-owner-s-own-secret-of-40-characters!'
const server = createServer({ ...env, ADMIN_TOKEN: TOKEN })

beforeAll(() => migrateAll(env.DB))

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly json: Record<string, unknown>
}

async function ask(key: string | null, method: string, path: string, body?: unknown): Promise<Answer> {
  const answer = await server.fetch(
    new Request(`http://localhost${path}`, {
      method,
      headers: key === null ? {} : { Authorization: `Bearer ${key}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
  )
  await (path.startsWith('/admin/') ? ADMIN_ANSWERS : V1_ANSWERS).check(method, path, answer)
  const text = await answer.text()
  return { status: answer.status, headers: answer.headers, json: text === '' ? {} : JSON.parse(text) }
}
const own = (method: string, path: string, body?: unknown) => ask(TOKEN, method, path, body)
const newName = () => `s-${randomDigits(10, 'abcdef')}`
const invite = async (more: object = {}) => (await own('POST', '/admin/invitations', { name: 'i', ...more })).json
const signUp = (invitation: unknown, more: object = {}) =>
  ask(null, 'POST', '/v1/sign-up', { invitation, name: 'Acme', ...more })

/** An invitation as the list has it. */
async function listed(id: unknown, cursor = ''): Promise<Record<string, unknown> | undefined> {
  const { json } = await own('GET', `/admin/invitations?limit=20${cursor}`)
  const found = (json.data as Record<string, unknown>[]).find((one) => one.id === id)
  if (found || json.next_cursor === null) return found
  return listed(id, `&cursor=${json.next_cursor}`)
}

it('makes a tenant with a plan, its internet and a key that may do everything, for whoever has the token', async () => {
  const [plan, id] = [newName(), newName()]
  await own('PUT', `/admin/plans/${plan}`, { currency: 'EUR', month: '5' })
  const internet = { default: false, ceiling: false }
  const invitation = await invite({ plan, uses: 2, location_hint: 'weur', internet })
  expect(invitation).toMatchObject({
    plan,
    uses: 2,
    uses_left: 2,
    tenants: [],
    link: `/v1/sign-up#${invitation.token}`,
  })

  const { status, headers, json } = await signUp(invitation.token, { id })
  const tenant = `${id}.weur`
  expect(status).toBe(201)
  expect(headers.get('Cache-Control')).toBe('no-store')
  expect(json).toMatchObject({ tenant, plan, name: 'Acme', scopes: ['read', 'execute', 'admin'] })

  const key = String(json.key)
  expect((await ask(key, 'GET', headers.get('Location') ?? '')).json).toMatchObject({ tenant, id: json.key_id })
  expect((await own('GET', `/admin/tenants/${tenant}`)).json).toMatchObject({ name: 'Acme', internet })
  expect((await own('GET', `/admin/tenants/${tenant}/plan`)).json).toEqual({ tenant, plan })
  expect(await listed(invitation.id)).toMatchObject({ uses_left: 1, tenants: [tenant] })
  const audit = await ask(key, 'GET', '/v1/audit')
  expect(audit.json.data).toContainEqual(
    expect.objectContaining({
      ...{ action: 'key.create', key: null, subject: json.key_id },
      detail: expect.objectContaining({ invitation: invitation.id }),
    }),
  )
  expect(JSON.stringify([audit.json, await listed(invitation.id)])).not.toContain(String(invitation.token))
})

it('keeps the hash of a token, and the token nowhere', async () => {
  const { token, id } = await invite()
  const row = await env.DB.prepare('SELECT * FROM invitations WHERE id = ?').bind(id).first()
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(String(token)))
  expect(row?.hash).toBe(new Uint8Array(bytes).toHex())
  expect(JSON.stringify(row)).not.toContain(String(token))
})

it('gives the last use to one of several requests at once', async () => {
  const { token, id } = await invite({ uses: 2 })
  const answers = await Promise.all(Array.from({ length: 6 }, () => signUp(token)))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 404, 404, 404, 404])
  const made = answers.filter(({ status }) => status === 201).map(({ json }) => json.tenant)
  const { tenants, uses_left } = (await listed(id)) ?? {}
  expect({ tenants: new Set(tenants as string[]), uses_left }).toEqual({ tenants: new Set(made), uses_left: 0 })
})

it('uses nothing up for an id that is taken, here, at another place or by a deleted tenant, and gives no key of it', async () => {
  const { token, id } = await invite({ location_hint: 'weur' })
  const taken = [newName(), newName(), 'owner-of-the-server']
  await own('POST', '/admin/tenants', { id: taken[0], name: 'Other' })
  await env.DB.prepare('INSERT INTO tenants (id, name, created_at, deleted_at) VALUES (?, ?, 1, 1)')
    .bind(taken[1], 'Gone')
    .run()
  for (const one of taken) {
    const { status, json } = await signUp(token, { id: one })
    expect([status, json.detail]).toEqual([409, expect.stringContaining(`"${one}" is taken`)])
  }
  expect(await listed(id)).toMatchObject({ uses_left: 1, tenants: [] })
  expect((await own('GET', `/admin/tenants/${taken[0]}/keys`)).json.data).toEqual([])
  const free = newName()
  expect((await signUp(token, { id: free })).status).toBe(201)
  // By the tenant that it made itself, too.
  const again = await invite({ location_hint: 'weur' })
  expect((await signUp(again.token, { id: free })).status).toBe(409)
  expect((await own('GET', `/admin/tenants/${free}.weur/keys`)).json.data).toHaveLength(1)
})

it('makes nothing when the audit log of the tenant is out of reach, and the request can be sent again', async () => {
  const { app } = v1({
    ...NO_KEYS,
    invitations: invitationsD1(d1Database(env.DB)),
    auditOf: () => ({
      noteKey: async () => {
        throw new Error('the object of the tenant is out of reach')
      },
    }),
  } as unknown as Parameters<typeof v1>[0]) // neither papers nor market are asked for
  const plan = newName()
  await own('PUT', `/admin/plans/${plan}`, { currency: 'EUR', month: '5' })
  const [{ token, id }, tenant] = [await invite({ plan }), newName()]
  const body = JSON.stringify({ invitation: token, name: 'Acme', id: tenant })
  const scope = {
    requestId: 'r',
    caller: { failure: { code: 'unauthenticated', message: 'no key' } },
    report: () => {},
  }
  const answer = await app.fetch(new Request('http://localhost/v1/sign-up', { method: 'POST', body }), scope)
  expect(answer.status).toBe(500)
  expect(await listed(id)).toMatchObject({ uses_left: 1, tenants: [] })
  expect((await own('GET', `/admin/tenants/${tenant}`)).status).toBe(404)
  expect((await signUp(token, { id: tenant })).json).toMatchObject({ tenant, plan })
})

it('refuses unknown, mistyped, expired, revoked and used-up invitations in the same words', async () => {
  const [used, revoked, expired] = [await invite(), await invite(), await invite()]
  await signUp(used.token)
  expect((await own('DELETE', `/admin/invitations/${revoked.id}`)).status).toBe(204)
  await env.DB.prepare('UPDATE invitations SET expires_at = 1 WHERE id = ?').bind(expired.id).run()
  const tokens = [used.token, revoked.token, expired.token, newInvitationToken(), 'inv_x', `${used.token}x`]
  const answers = await Promise.all(tokens.map((token) => signUp(token)))
  expect(answers.map(({ status }) => status)).toEqual(tokens.map(() => 404))
  const details = new Set(answers.map(({ json }) => json.detail))
  expect([...details]).toEqual([expect.stringContaining('ask whoever invited you')])
  for (const { id } of [used, revoked, expired]) expect(await listed(id)).toMatchObject({ uses_left: 0 })
})

it('does not delete a plan that an invitation still gives', async () => {
  const plan = newName()
  await own('PUT', `/admin/plans/${plan}`, { currency: 'EUR', month: '5' })
  const { id } = await invite({ plan })
  expect((await own('DELETE', `/admin/plans/${plan}`)).status).toBe(409)
  await own('DELETE', `/admin/invitations/${id}`)
  expect((await own('DELETE', `/admin/plans/${plan}`)).status).toBe(204)
})

it.each([
  ['a plan that is not there', { plan: 'not-there' }],
  ['no use', { uses: 0 }],
  ['too many uses', { uses: 1_001 }],
  ['too long a life', { expires_in_seconds: 7_776_001 }],
  ['a misspelt field', { expires: 60 }],
])('makes no invitation with %s', async (_what, more) => {
  expect((await own('POST', '/admin/invitations', { name: 'i', ...more })).status).toBe(400)
})

it('lets nobody invite but the owner of the server, and a signed-up tenant neither', async () => {
  const { token, id } = await invite()
  const key = String((await signUp(token)).json.key)
  for (const [method, path] of [
    ['POST', '/admin/invitations'],
    ['GET', '/admin/invitations'],
    ['DELETE', `/admin/invitations/${id}`],
  ] as const) {
    expect((await ask(key, method, path)).status).toBe(403)
    expect((await ask(null, method, path)).status).toBe(401)
  }
  expect((await own('DELETE', '/admin/invitations/none')).status).toBe(404)
})
