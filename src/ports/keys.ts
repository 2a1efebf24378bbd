import type { TenantId } from '../core/ids.ts'
import type { TenantInternet } from '../core/tenant-internet.ts'

/** Permission of a key. `read`: look. `execute`: also call tools, create and delete sessions. `admin`: also manage the tenant. */
export type Scope = 'read' | 'execute' | 'admin'

/**
 * Tenants and their API keys, shared by all isolates. The store holds a key's hash and never the key. Implementation:
 * `adapters/keys-d1.ts`. All times are milliseconds since 1970. Every method throws FailureError `upstream` when the store cannot
 * be reached.
 */
export interface KeyStore {
  /**
   * Data needed to judge a key.
   * @returns null when there is no key of that id
   */
  find(keyId: string): Promise<StoredKey | null>

  /**
   * Adds a tenant.
   * @returns false when there is a {@link namesake}; nothing is changed then
   */
  addTenant(tenant: NewTenant): Promise<boolean>
  /** Tenant whose id is this one but for its placement; null when there is and was none. */
  namesake(id: TenantId): Promise<Tenant | null>
  tenant(id: TenantId): Promise<Tenant | null>
  /** Internet policies of a tenant's sessions; UNRESTRICTED for a tenant that is not stored, as that of requests without a key. */
  internet(id: TenantId): Promise<TenantInternet>
  /** Tenants in the order of their ids, without those of which nothing is left. `after` is the last id of the page before. */
  listTenants(page: { readonly limit: number; readonly after?: string }): Promise<readonly Tenant[]>
  /**
   * Changes a tenant; absent fields stay.
   * @returns null when there is no such tenant, or it is deleted
   */
  changeTenant(
    id: TenantId,
    change: {
      readonly name?: string
      readonly disabledAt?: number | null
      readonly internet?: TenantInternet
      readonly warmSandboxes?: number
    },
  ): Promise<Tenant | null>

  /**
   * Closes a tenant for good: none of its keys is good from now on, and its id is never free again. A tenant that was closed before keeps
   * that time.
   */
  closeTenant(id: TenantId, at: number): Promise<void>

  /**
   * Adds a key.
   * @param maxLive how many keys that are neither revoked nor expired the tenant may have, this one included
   * @returns why it was not added, or null
   */
  addKey(key: NewKey, maxLive: number): Promise<'no such tenant' | 'too many keys' | null>
  /** One key of a tenant; null when it has none of that id. */
  key(tenant: TenantId, keyId: string): Promise<KeyInfo | null>
  /** Keys of a tenant in order of creation, revoked and expired ones too. `after` is where the page before ended. */
  listKeys(tenant: TenantId, page: { readonly limit: number; readonly after?: KeyPlace }): Promise<readonly KeyInfo[]>
  /**
   * Revokes a key; an earlier revocation keeps its time.
   * @returns null when the tenant has no such key
   */
  revokeKey(tenant: TenantId, keyId: string, at: number): Promise<KeyInfo | null>
  /**
   * Gives a key another secret. The present one is good until `oldUntil`; one before it is not good any more.
   * @returns null when the tenant has no such key, or it is revoked or expired
   */
  rotateKey(tenant: TenantId, keyId: string, rotation: Rotation): Promise<KeyInfo | null>
  /** Changes a key; absent fields stay. @returns null when the tenant has no such key */
  changeKey(
    tenant: TenantId,
    keyId: string,
    change: { readonly name?: string | undefined; readonly addresses?: readonly string[] | undefined },
  ): Promise<KeyInfo | null>
  /** Notes that a key was used at a time, unless a use after `since` is noted already. */
  noteUse(keyId: string, at: number, since: number): Promise<void>

  /** Ids of the revoked child keys below a root, for a root that is no key: {@link StoredKey.revokedChildren} has those of keys. */
  revokedChildren(root: string): Promise<readonly string[]>
  /** Revokes a child key by the ids of its chain, and with it all below. Forgets revoked ones that have expired. */
  revokeChild(chain: string, expiresAt: number, at: number): Promise<void>
}

export interface StoredKey {
  readonly id: string
  readonly tenant: TenantId
  /** SHA-256 of the whole key, 32 bytes. */
  readonly hash: Uint8Array
  /** Hash of the key's first secret, with which the chains of its child keys begin: they outlive a rotation. */
  readonly firstHash: Uint8Array
  /** Secret before the present one; null for a key that was not rotated, or without an overlap. */
  readonly old: { readonly hash: Uint8Array; readonly until: number } | null
  /** Addresses and networks from which the key is good; none for everywhere. */
  readonly addresses: readonly string[]
  readonly scopes: readonly Scope[]
  readonly expiresAt: number | null
  readonly revokedAt: number | null
  readonly tenantDisabledAt: number | null
  /** Ids of the revoked child keys below this one, each with those of its ancestors; none of another's descendants. */
  readonly revokedChildren: readonly string[]
}

export interface Tenant {
  readonly id: TenantId
  readonly name: string
  readonly createdAt: number
  /** Set for a deleted tenant, too. */
  readonly disabledAt: number | null
  /** Begin of the tenant's deletion. */
  readonly deletedAt: number | null
  /** Time since when nothing of the tenant is left but its id. */
  readonly purgedAt: number | null
  /** Internet policies of its sessions; UNRESTRICTED when none were set. */
  readonly internet: TenantInternet
  /** Number of sandboxes kept booted for its sessions. */
  readonly warmSandboxes: number
}
type NewTenant = Pick<Tenant, 'id' | 'name' | 'createdAt'> & Partial<Pick<Tenant, 'internet'>>

export interface KeyInfo {
  readonly id: string
  readonly tenant: TenantId
  /** Name for people; a label. */
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly createdAt: number
  readonly expiresAt: number | null
  readonly revokedAt: number | null
  readonly rotatedAt: number | null
  /** End of the secret before the present one; null when there is none. */
  readonly oldUntil: number | null
  /** Last noted use, which may lie KEY_USE_NOTE_MS behind; null for a key that was never used. */
  readonly usedAt: number | null
  readonly addresses: readonly string[]
}
type NewKey = Pick<KeyInfo, 'id' | 'tenant' | 'name' | 'scopes' | 'createdAt' | 'expiresAt'> & {
  readonly hash: Uint8Array
  readonly addresses?: readonly string[]
}

/** Another secret of a key. */
export interface Rotation {
  readonly hash: Uint8Array
  readonly at: number
  /** End of the present secret; `at` for an end at once. */
  readonly oldUntil: number
}

/** A place in the order of a tenant's keys. */
export type KeyPlace = Pick<KeyInfo, 'createdAt' | 'id'>
