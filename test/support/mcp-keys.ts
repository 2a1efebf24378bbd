import { d1KeyStore } from '../../src/adapters/keys-d1.ts'
import { hashKey, newKey, randomDigits } from '../../src/auth/key.ts'
import { type TenantId, tenantId } from '../../src/core/ids.ts'
import type { Scope } from '../../src/ports/keys.ts'

/** A tenant of its own. */
export async function newTenant(db: D1Database): Promise<TenantId> {
  const id = tenantId(randomDigits(12, 'abcdefghijklmnopqrstuvwxyz'))
  await d1KeyStore(db).addTenant({ id, name: 'T', createdAt: 0 })
  return id
}

/** Header with a new key of a tenant. */
export async function newKeyOf(db: D1Database, tenant: TenantId, scopes: Scope[] = ['read', 'execute']) {
  const key = newKey()
  const row = { id: key.id, tenant, name: 'n', scopes, createdAt: 0, expiresAt: null, hash: await hashKey(key) }
  await d1KeyStore(db).addKey(row, 1_000)
  return { Authorization: `Bearer ${key.text}` }
}
