import type * as z from 'zod'
import { hashKey, newKey } from '../../auth/key.ts'
import type { Actor } from '../../core/actor.ts'
import { fail } from '../../core/failure.ts'
import { type TenantId, tenantId } from '../../core/ids.ts'
import { isChildKey } from '../../core/key-chain.ts'
import { DEFAULT_KEY_OVERLAP_SECONDS, MAX_KEYS_PER_TENANT } from '../../core/limits/tenants.ts'
import type { Clock } from '../../ports/clock.ts'
import type { KeyInfo, KeyStore } from '../../ports/keys.ts'
import type { AuditApi } from '../../tenant/audit-api.ts'
import { type ChangeKey, type CreateKey, encodeKey, expiryOf, type RotateKey } from './codec.ts'

interface Parts {
  readonly keys: Pick<KeyStore, 'addKey' | 'key' | 'rotateKey' | 'changeKey' | 'revokeKey'>
  readonly clock: Clock
  /** Audit log of a tenant, for changes of its keys. */
  auditOf(tenant: TenantId): Pick<AuditApi, 'noteKey'>
}

/** Making, rotating, changing and revoking a tenant's keys, as the owner's API and the tenant's own have it. */
export class TenantKeys {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /**
   * Makes a key.
   * @returns the key's facts and its text, which is shown this once
   * @throws FailureError `invalid_input`, `not_found` for an unknown tenant, `limit_exceeded`
   */
  async create(tenant: TenantId, input: z.output<typeof CreateKey>, by: Actor) {
    const { keys, clock, auditOf } = this.#parts
    const now = clock.now()
    const expiresAt = expiryOf(input, now)
    const key = newKey()
    const info = { id: key.id, tenant, name: input.name, scopes: input.scopes, createdAt: now, expiresAt }
    const addresses = input.allowed_addresses ?? []
    const refused = await keys.addKey({ ...info, addresses, hash: await hashKey(key) }, MAX_KEYS_PER_TENANT)
    if (refused === 'no such tenant') noSuchTenant()
    if (refused === 'too many keys') {
      fail('limit_exceeded', `the tenant has ${MAX_KEYS_PER_TENANT} keys (MAX_KEYS_PER_TENANT); revoke some first`)
    }
    await auditOf(tenant).noteKey({ action: 'key.create', ...noted(info) }, by)
    return { key: key.text, ...encodeKey({ ...info, ...NEW, addresses }, now) }
  }

  /**
   * Gives a key another secret. Its id stays, and with it its child keys, links, sessions, limits and use. The audit log has it first,
   * so that an entry may be of a rotation that failed then.
   * @returns the key's facts and its new text, which is shown this once
   * @throws FailureError `not_found`, `conflict` for a key that is revoked or expired
   */
  async rotate(tenant: TenantId, id: string, input: z.output<typeof RotateKey>, by: Actor) {
    const { keys, clock, auditOf } = this.#parts
    if (isChildKey(id)) fail('conflict', 'a child key has no other secret; mint another one, and revoke this one')
    const known = (await keys.key(tenant, id)) ?? noSuchKey()
    const key = newKey(known.id)
    const at = clock.now()
    if (!isGood(known, at)) notGood()
    const oldUntil = at + (input.overlap_seconds ?? DEFAULT_KEY_OVERLAP_SECONDS) * 1_000
    const { old_secret_until } = encodeKey({ ...known, oldUntil }, at)
    // First: a failure behind the change would take the new secret along, and the old one may have ended.
    await auditOf(tenant).noteKey({ action: 'key.rotate', ...noted(known), old_secret_until }, by)
    const rotated = await keys.rotateKey(tenant, id, { hash: await hashKey(key), at, oldUntil })
    return { key: key.text, ...encodeKey(rotated ?? notGood(), at) }
  }

  /** Changes a key. @throws FailureError `not_found` */
  async change(tenant: TenantId, id: string, input: z.output<typeof ChangeKey>, by: Actor) {
    const { keys, clock, auditOf } = this.#parts
    const { name, allowed_addresses } = input
    const changed = (await keys.changeKey(tenant, id, { name, addresses: allowed_addresses })) ?? noSuchKey()
    const note = { action: 'key.change', ...noted(changed), allowed_addresses: changed.addresses } as const
    await auditOf(tenant).noteKey(note, by)
    return encodeKey(changed, clock.now())
  }

  /** Revokes a key; an earlier revocation stays. @throws FailureError `not_found` */
  async revoke(tenant: TenantId, id: string, by: Actor): Promise<void> {
    const { keys, clock, auditOf } = this.#parts
    const now = clock.now()
    const revoked = (await keys.revokeKey(tenant, id, now)) ?? noSuchKey()
    // A revocation at another time was made before.
    if (revoked.revokedAt === now) await auditOf(tenant).noteKey({ action: 'key.revoke', ...noted(revoked) }, by)
  }
}

const noted = ({ id, name, scopes }: Pick<KeyInfo, 'id' | 'name' | 'scopes'>) => ({ id, name, scopes })

const isGood = ({ revokedAt, expiresAt }: KeyInfo, now: number) =>
  revokedAt === null && (expiresAt === null || expiresAt > now)

const notGood = (): never =>
  fail('conflict', 'the key is revoked or expired, and gets no other secret; create a new key')

/** Facts about a key that nobody has used or changed yet. */
const NEW = { revokedAt: null, rotatedAt: null, oldUntil: null, usedAt: null }

const noSuchKey = (): never => fail('not_found', 'the tenant has no key of that id; list them first')

export const noSuchTenant = (): never =>
  fail('not_found', 'there is no tenant of that id; GET /admin/tenants lists them')

/** Id of a tenant that is there. @throws FailureError `invalid_input`, `not_found` */
export async function existingTenant(keys: Pick<KeyStore, 'tenant'>, given = ''): Promise<TenantId> {
  const id = tenantId(given)
  return (await keys.tenant(id)) ? id : noSuchTenant()
}

/** Refusal of a child key that would manage keys: one that it made could do more, and last longer, than itself. */
export const NO_CHILD =
  'a child key manages no keys but those that it mints (/v1/keys/current/children); ask whoever minted it, or use the key at the top of its chain'
