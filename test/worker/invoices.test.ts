import { env } from 'cloudflare:workers'
import { beforeAll, expect, it } from 'vitest'
import { randomDigits } from '../../src/auth/key.ts'
import { createServer } from '../../src/server.ts'
import { migrateAll } from '../support/all-databases.ts'
import { ADMIN_ANSWERS } from '../support/openapi/answers.ts'
import { migratePapers, PAPERS } from '../support/papers-database.ts'

const TOKEN = 'the-owner-s-own-secret-of-40-characters!'
const server = createServer({ ...env, ADMIN_TOKEN: TOKEN })

beforeAll(async () => {
  await migrateAll(env.DB)
  // A deletion looks there, too.
  await migratePapers(PAPERS)
})

async function ask(key: string, method: string, path: string, body?: unknown) {
  const answer = await server.fetch(
    new Request(`http://localhost${path}`, {
      method,
      headers: { Authorization: `Bearer ${key}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
  )
  if (path.startsWith('/admin/')) await ADMIN_ANSWERS.check(method, path, answer)
  const text = await answer.text()
  const isJson = /[/+]json\b/.test(answer.headers.get('Content-Type') ?? '')
  const json = (isJson ? JSON.parse(text) : {}) as Record<string, unknown>
  return { status: answer.status, headers: answer.headers, text, json }
}
const own = (method: string, path: string, body?: unknown) => ask(TOKEN, method, path, body)
const newName = () => `p-${randomDigits(8, 'abcdef')}`
const TERMS = { currency: 'EUR', month: '49.00', meters: [{ meter: 'calls', included: 1, price: '0.25' }] }

/** A tenant that made so many calls. */
async function tenantWith(calls: number): Promise<string> {
  const id = newName()
  await own('POST', '/admin/tenants', { id, name: '=Acme, Ltd' })
  const { json } = await own('POST', `/admin/tenants/${id}/keys`, { name: 'k' })
  const key = String(json.key)
  await ask(key, 'POST', '/v1/sessions', { name: 's' })
  for (let call = 0; call < calls; call++) {
    await ask(key, 'POST', '/v1/sessions/s/calls', { tool: 'file_write', arguments: { file_path: 'a', content: 'b' } })
  }
  return id
}

/** Month of the tests: another one may begin while they run. */
const month = new Date().toISOString().slice(0, 7)

/** Invoice of a tenant, out of the page that it begins. */
async function invoiceOf(tenant: string) {
  // The id before it in the order of ids.
  const cursor = `${tenant.slice(0, -1)}${String.fromCharCode(tenant.charCodeAt(tenant.length - 1) - 1)}z`
  const { json } = await own('GET', `/admin/invoices?limit=1&month=${month}&cursor=${cursor}`)
  return (json.data as Record<string, unknown>[])[0]
}

it('bills a tenant by its plan and its use, as JSON and as CSV', async () => {
  const [tenant, plan] = [await tenantWith(3), newName()]
  expect(await invoiceOf(tenant)).toEqual({
    ...{ tenant, name: '=Acme, Ltd', plan: null, currency: null, lines: [], total: '0.00' },
  })
  expect((await own('PUT', `/admin/plans/${plan}`, TERMS)).status).toBe(200)
  expect((await own('PUT', `/admin/tenants/${tenant}/plan`, { plan })).json).toEqual({ tenant, plan })
  expect((await own('GET', `/admin/tenants/${tenant}/plan`)).json).toEqual({ tenant, plan })
  // Use is reported behind the answers of calls.
  await expect.poll(async () => (await invoiceOf(tenant))?.total).toBe('49.50')
  expect(await invoiceOf(tenant)).toMatchObject({
    plan,
    currency: 'EUR',
    lines: [
      { item: 'month', amount: '49.00' },
      { item: 'calls', used: '3', included: '1', billed: '2', price: '0.25', per: 1, amount: '0.50' },
    ],
  })
  const { text, headers } = await own('GET', `/admin/invoices?format=csv&limit=25&cursor=p-&month=${month}`)
  expect(headers.get('Content-Type')).toBe('text/csv; charset=utf-8')
  // A name that a spreadsheet would compute is shown as it is.
  expect(text.split('\r\n')).toContain(`${month},false,${tenant},"'=Acme, Ltd",${plan},EUR,calls,3,1,2,0.25,1,0.50`)
})

it('changes what a plan costs, and deletes it when no tenant has it', async () => {
  const [tenant, plan] = [await tenantWith(0), newName()]
  await own('PUT', `/admin/plans/${plan}`, TERMS)
  await own('PUT', `/admin/tenants/${tenant}/plan`, { plan })
  await own('PUT', `/admin/plans/${plan}`, { currency: 'USD', month: '5' })
  expect(await invoiceOf(tenant)).toMatchObject({ currency: 'USD', total: '5.00' })
  const { json } = await own('GET', '/admin/plans')
  expect(json.data).toContainEqual({ name: plan, currency: 'USD', month: '5', meters: [] })
  expect((await own('DELETE', `/admin/plans/${plan}`)).status).toBe(409)
  expect((await own('PUT', `/admin/tenants/${tenant}/plan`, { plan: null })).json).toEqual({ tenant, plan: null })
  expect((await own('DELETE', `/admin/plans/${plan}`)).status).toBe(204)
  expect((await own('DELETE', `/admin/plans/${plan}`)).status).toBe(404)
  expect((await own('PUT', `/admin/tenants/${tenant}/plan`, { plan })).status).toBe(400)
})

it('forgets the plan of a tenant that is deleted, and gives it none', async () => {
  const [tenant, plan] = [await tenantWith(0), newName()]
  await own('PUT', `/admin/plans/${plan}`, TERMS)
  await own('PUT', `/admin/tenants/${tenant}/plan`, { plan })
  await own('DELETE', `/admin/tenants/${tenant}`)
  expect((await own('PUT', `/admin/tenants/${tenant}/plan`, { plan })).status).toBe(409)
  await expect.poll(async () => (await own('DELETE', `/admin/plans/${plan}`)).status).toBe(204)
})

it.each([
  ['a price that is a number', { ...TERMS, month: 49 }],
  ['fractions of a cent for a month', { ...TERMS, month: '49.001' }],
  ['a price below nothing', { ...TERMS, meters: [{ meter: 'calls', price: '-1' }] }],
  ['a price in powers of ten', { ...TERMS, meters: [{ meter: 'calls', price: '1e-6' }] }],
  ['an amount that is not metered', { ...TERMS, meters: [{ meter: 'smiles', price: '1' }] }],
  ['an amount twice', { ...TERMS, meters: ['1', '2'].map((price) => ({ meter: 'calls', price })) }],
  ['no currency', { month: '1' }],
])('takes no plan with %s', async (_what, terms) => {
  expect((await own('PUT', `/admin/plans/${newName()}`, terms)).status).toBe(400)
})

it('shows plans and invoices to nobody but the owner of the server', async () => {
  const tenant = await tenantWith(0)
  const { json } = await own('POST', `/admin/tenants/${tenant}/keys`, { name: 'k', scopes: ['admin'] })
  for (const path of ['/admin/plans', '/admin/invoices', `/admin/tenants/${tenant}/plan`]) {
    expect((await ask(String(json.key), 'GET', path)).status).toBe(403)
    expect((await ask('wrong', 'GET', path)).status).toBe(401)
  }
})
