import type { Toolyard } from './toolyard.ts'

/** Sends one request with this key, its body and its answer as JSON. */
export async function askWith(
  key: string,
  { url }: Pick<Toolyard, 'url'>,
  method: string,
  path: string,
  body?: object,
) {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  const answered = answer.status === 204 ? {} : await answer.json()
  return { status: answer.status, body: answered as Record<string, unknown> }
}

/** Makes a tenant, and a key of it. @param scopes of the key; a key's default ones when left out */
export async function newTenant(toolyard: Toolyard, scopes?: readonly string[]): Promise<{ id: string; key: string }> {
  const id = String((await made(toolyard, '/admin/tenants', { name: 'Test' })).id)
  return { id, key: await newKey(toolyard, id, scopes) }
}

/** A new tenant, and a key that may all. */
export const newOwner = (toolyard: Toolyard) => newTenant(toolyard, ['admin'])

/** Makes one more key of a tenant. @param scopes as of {@link newTenant} */
export const newKey = async (toolyard: Toolyard, tenant: string, scopes?: readonly string[]): Promise<string> =>
  String((await made(toolyard, `/admin/tenants/${tenant}/keys`, { name: 'test', scopes })).key)

async function made(toolyard: Toolyard, path: string, body: object) {
  const answer = await askWith(toolyard.adminToken, toolyard, 'POST', path, body)
  if (answer.status !== 201) throw new Error(`${path} is answered ${answer.status}`)
  return answer.body
}
