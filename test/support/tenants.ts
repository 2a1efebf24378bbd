import type { Toolyard } from './toolyard.ts'

/** A new tenant, and a key of it. @param scopes of the key; those that keys have without a word when it is left out */
export async function newTenant(
  { url, adminToken }: Toolyard,
  scopes?: readonly string[],
): Promise<{ id: string; key: string }> {
  const post = async (path: string, body: object) => {
    const headers = { Authorization: `Bearer ${adminToken}`, 'Content-Type': 'application/json' }
    const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    if (answer.status !== 201) throw new Error(`${path} is answered ${answer.status}`)
    return (await answer.json()) as { id: string; key: string }
  }
  const { id } = await post('/admin/tenants', { name: 'Test' })
  const { key } = await post(`/admin/tenants/${id}/keys`, { name: 'test', scopes })
  return { id, key }
}

/** A new tenant, and a key that may all. */
export async function newOwner(toolyard: Toolyard): Promise<{ id: string; key: string }> {
  const { id } = await newTenant(toolyard)
  const answer = await fetch(`${toolyard.url}/admin/tenants/${id}/keys`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${toolyard.adminToken}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'owner', scopes: ['admin'] }),
  })
  const { key } = (await answer.json()) as { key: string }
  return { id, key }
}
