import * as z from 'zod'
import { fail } from '../core/failure.ts'
import { tenantId } from '../core/ids.ts'
import { ownId } from '../core/placement.ts'
import { UNRESTRICTED } from '../core/tenant-internet.ts'
import type { KeyInfo, KeyStore, StoredKey, Tenant } from '../ports/keys.ts'

/** Tenants and keys in D1, tables of `migrations/`: `0001_keys.sql`, `0004_child_keys.sql`, `0005_deleted_tenants.sql` to `0007_tenant_internet.sql`, and `0011_warm_sandboxes.sql`. */
export function d1KeyStore(db: D1Database): KeyStore {
  const send = async (query: string, ...params: (string | number | null)[]): Promise<unknown[]> => {
    const { results } = await db
      .prepare(query)
      .bind(...params)
      .all()
    return results
  }

  /** All rows of one statement. */
  async function rows(query: string, ...params: (string | number | null)[]): Promise<unknown[]> {
    try {
      return await send(query, ...params)
    } catch (cause) {
      fail('upstream', 'API keys cannot be looked up at the moment; try again in a few seconds', { cause })
    }
  }

  const tenant: KeyStore['tenant'] = async (id) => {
    const [row] = await rows('SELECT * FROM tenants WHERE id = ?', id)
    return row === undefined ? null : decodeTenant(row)
  }

  return {
    tenant,

    async find(keyId) {
      const [row] = await rows(
        `SELECT keys.*, tenants.disabled_at AS tenant_disabled_at, ${REVOKED_BELOW('keys.id')} AS revoked_children
         FROM keys JOIN tenants ON tenants.id = keys.tenant WHERE keys.id = ?`,
        keyId,
      )
      return row === undefined ? null : decodeStoredKey(row)
    },

    async internet(id) {
      try {
        const [row] = await send('SELECT internet FROM tenants WHERE id = ?', id)
        return row === undefined ? UNRESTRICTED : (InternetRow.parse(row).internet ?? UNRESTRICTED)
      } catch (cause) {
        // A database without the column has no policy, nor has one without any tenant.
        if (cause instanceof Error && /no such (?:table|column)/.test(cause.message)) return UNRESTRICTED
        fail('upstream', 'what this session may reach cannot be looked up at the moment; try again in a few seconds', {
          cause,
        })
      }
    },

    async addTenant({ id, name, createdAt, internet }) {
      // One statement, so that of two requests at once one finds the other's tenant.
      const added = await rows(
        `INSERT INTO tenants (id, name, created_at, internet) SELECT ?2, ?3, ?4, ?5 WHERE NOT EXISTS (${NAMESAKES('?1')}) RETURNING id`,
        ownId(id),
        id,
        name,
        createdAt,
        internet ? JSON.stringify(internet) : null,
      )
      return added.length > 0
    },

    async namesake(id) {
      const [row] = await rows(`${NAMESAKES('?1')} LIMIT 1`, ownId(id))
      return row === undefined ? null : decodeTenant(row)
    },

    async listTenants({ limit, after = '' }) {
      const found = await rows(
        'SELECT * FROM tenants WHERE id > ? AND purged_at IS NULL ORDER BY id LIMIT ?',
        after,
        limit,
      )
      return found.map(decodeTenant)
    },

    async changeTenant(id, { name, disabledAt, internet, warmSandboxes }) {
      // Without a change of it no statement names the column: a database may lack it until it is migrated.
      const warm = warmSandboxes === undefined ? [] : [warmSandboxes]
      const [row] = await rows(
        `UPDATE tenants SET name = coalesce(?, name), disabled_at = CASE WHEN ? THEN ? ELSE disabled_at END,
           internet = coalesce(?, internet)${warm.map(() => ', warm_sandboxes = ?').join('')}
         WHERE id = ? AND deleted_at IS NULL RETURNING *`,
        name ?? null,
        disabledAt === undefined ? 0 : 1,
        disabledAt ?? null,
        internet ? JSON.stringify(internet) : null,
        ...warm,
        id,
      )
      return row === undefined ? null : decodeTenant(row)
    },

    async closeTenant(id, at) {
      await rows(CLOSE_TENANT, at, id)
    },

    async addKey(key, maxLive) {
      // One statement, so that two requests at once cannot both take the last place.
      const added = await rows(
        `INSERT INTO keys (id, tenant, name, hash, scopes, created_at, expires_at, addresses)
         SELECT ?1, id, ?3, ?4, ?5, ?6, ?7, ?9 FROM tenants WHERE id = ?2 AND deleted_at IS NULL AND ?8 > (
           SELECT count(*) FROM keys
           WHERE tenant = ?2 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?6)
         ) RETURNING id`,
        key.id,
        key.tenant,
        key.name,
        encodeHash(key.hash),
        key.scopes.join(' '),
        key.createdAt,
        key.expiresAt,
        maxLive,
        (key.addresses ?? []).join(' '),
      )
      if (added.length > 0) return null
      return (await tenant(key.tenant))?.deletedAt === null ? 'too many keys' : 'no such tenant'
    },

    async key(id, keyId) {
      const [row] = await rows('SELECT * FROM keys WHERE tenant = ? AND id = ?', id, keyId)
      return row === undefined ? null : decodeKeyInfo(row)
    },

    async listKeys(id, { limit, after }) {
      const found = await rows(
        'SELECT * FROM keys WHERE tenant = ? AND (created_at, id) > (?, ?) ORDER BY created_at, id LIMIT ?',
        id,
        after?.createdAt ?? -1,
        after?.id ?? '',
        limit,
      )
      return found.map(decodeKeyInfo)
    },

    async revokeKey(id, keyId, at) {
      const [row] = await rows(
        'UPDATE keys SET revoked_at = coalesce(revoked_at, ?) WHERE tenant = ? AND id = ? RETURNING *',
        at,
        id,
        keyId,
      )
      return row === undefined ? null : decodeKeyInfo(row)
    },

    async rotateKey(id, keyId, { hash, at, oldUntil }) {
      const [row] = await rows(
        `UPDATE keys SET rotated_at = ?4, first_hash = coalesce(first_hash, hash), hash = ?3,
           old_hash = CASE WHEN ?5 > ?4 THEN hash END, old_until = CASE WHEN ?5 > ?4 THEN ?5 END
         WHERE tenant = ?1 AND id = ?2 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?4) RETURNING *`,
        id,
        keyId,
        encodeHash(hash),
        at,
        oldUntil,
      )
      return row === undefined ? null : decodeKeyInfo(row)
    },

    async changeKey(id, keyId, { name, addresses }) {
      const [row] = await rows(
        'UPDATE keys SET name = coalesce(?, name), addresses = coalesce(?, addresses) WHERE tenant = ? AND id = ? RETURNING *',
        name ?? null,
        addresses?.join(' ') ?? null,
        id,
        keyId,
      )
      return row === undefined ? null : decodeKeyInfo(row)
    },

    async noteUse(keyId, at, since) {
      await rows('UPDATE keys SET used_at = ?2 WHERE id = ?1 AND (used_at IS NULL OR used_at <= ?3)', keyId, at, since)
    },

    async revokedChildren(root) {
      const [row] = await rows(`SELECT ${REVOKED_BELOW('?1')} AS revoked_children`, root)
      return RevokedRow.parse(row).revoked_children
    },

    async revokeChild(chain, expiresAt, at) {
      await rows(
        'INSERT INTO revoked_children (chain, expires_at) VALUES (?, ?) ON CONFLICT (chain) DO NOTHING',
        chain,
        expiresAt,
      )
      // What stands below is revoked with it, so its own entries say nothing more.
      await rows(
        `DELETE FROM revoked_children WHERE chain > ?1 || '.' AND chain < ?1 || '/' OR expires_at <= ?2`,
        chain,
        at,
      )
    },
  }
}

/** Closes tenant ?2 at time ?1: no key of it is found to be good, and no other tenant gets its id. */
export const CLOSE_TENANT = `UPDATE tenants SET deleted_at = coalesce(deleted_at, ?1), disabled_at = coalesce(disabled_at, ?1) WHERE id = ?2`

/** Tenants whose ids are `own`, a parameter, but for their placement. `/` is the character after the dot. */
export const NAMESAKES = (own: string) =>
  `SELECT * FROM tenants WHERE id = ${own} OR (id > ${own} || '.' AND id < ${own} || '/')`

/** JSON of the revoked chains below a root. `/` is the character after the dot. */
const REVOKED_BELOW = (root: string) =>
  `(SELECT json_group_array(chain) FROM revoked_children WHERE chain > ${root} || '.' AND chain < ${root} || '/')`

const RevokedRow = z.object({
  revoked_children: z
    .string()
    .transform((json) => JSON.parse(json) as unknown)
    .pipe(z.array(z.string())),
})

const Policy = z.union([z.boolean(), z.array(z.string())])

/** Internet policies, kept as JSON. */
export const KeptInternet = z
  .string()
  .transform((json) => JSON.parse(json) as unknown)
  .pipe(z.object({ default: Policy, ceiling: Policy }))

// Rows of a database without `0007_tenant_internet.sql` lack it.
const InternetRow = z.object({ internet: KeptInternet.nullish() })

const TenantRow = InternetRow.extend({
  id: z.string().transform(tenantId),
  name: z.string(),
  created_at: z.number(),
  disabled_at: z.number().nullable(),
  deleted_at: z.number().nullable(),
  purged_at: z.number().nullable(),
  // Rows of a database without `0011_warm_sandboxes.sql` lack it.
  warm_sandboxes: z.number().default(0),
})

const KeyRow = z.object({
  id: z.string(),
  tenant: z.string().transform(tenantId),
  name: z.string(),
  scopes: z
    .string()
    .transform((words) => words.split(' '))
    .pipe(z.array(z.enum(['read', 'execute', 'admin']))),
  created_at: z.number(),
  expires_at: z.number().nullable(),
  revoked_at: z.number().nullable(),
  rotated_at: z.number().nullable(),
  old_until: z.number().nullable(),
  used_at: z.number().nullable(),
  addresses: z.string().transform((words) => words.split(' ').filter((word) => word !== '')),
})

const Hash = z
  .hex()
  .length(64)
  .transform((hex) => Uint8Array.fromHex(hex))

const StoredKeyRow = KeyRow.extend({
  ...RevokedRow.shape,
  hash: Hash,
  first_hash: Hash.nullable(),
  old_hash: Hash.nullable(),
  tenant_disabled_at: z.number().nullable(),
})

function decodeTenant(row: unknown): Tenant {
  const { id, name, created_at, disabled_at, deleted_at, purged_at, internet, warm_sandboxes } = TenantRow.parse(row)
  return {
    id,
    name,
    createdAt: created_at,
    disabledAt: disabled_at,
    deletedAt: deleted_at,
    purgedAt: purged_at,
    internet: internet ?? UNRESTRICTED,
    warmSandboxes: warm_sandboxes,
  }
}

function decodeKeyInfo(row: unknown): KeyInfo {
  const { created_at, expires_at, revoked_at, rotated_at, old_until, used_at, ...key } = KeyRow.parse(row)
  return {
    ...key,
    createdAt: created_at,
    expiresAt: expires_at,
    revokedAt: revoked_at,
    rotatedAt: rotated_at,
    oldUntil: old_until,
    usedAt: used_at,
  }
}

function decodeStoredKey(row: unknown): StoredKey {
  const { id, tenant, hash, scopes, addresses, expires_at, revoked_at, ...more } = StoredKeyRow.parse(row)
  const { first_hash, old_hash, old_until, tenant_disabled_at, revoked_children } = more
  return {
    id,
    tenant,
    hash,
    firstHash: first_hash ?? hash,
    old: old_hash === null || old_until === null ? null : { hash: old_hash, until: old_until },
    scopes,
    addresses,
    expiresAt: expires_at,
    revokedAt: revoked_at,
    tenantDisabledAt: tenant_disabled_at,
    revokedChildren: revoked_children,
  }
}

const encodeHash = (hash: Uint8Array) => hash.toHex()
