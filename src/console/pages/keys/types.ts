import { get, type Listed, type SignedIn, send } from '../../api.ts'

/** Key of the tenant. */
export interface TenantKey {
  readonly id: string
  readonly name: string
  readonly scopes: readonly string[]
  readonly created_at: string
  readonly expires_at: string | null
  readonly revoked_at: string | null
  readonly rotated_at?: string | null
  readonly old_secret_until?: string | null
  readonly last_used_at?: string | null
  readonly allowed_addresses?: readonly string[]
}

/** Budget of a child key, or what it used: calls, and cost in millionths. */
interface Amounts<T> {
  readonly calls: T
  readonly cost: T
}

/** Child key, whose id is that of its chain. */
export interface ChildKey extends Omit<TenantKey, 'scopes'> {
  readonly parent: string
  readonly scopes: readonly string[] | null
  readonly sessions: { readonly names: readonly string[]; readonly prefixes: readonly string[] } | null
  readonly tools: readonly string[] | null
  readonly calls_per_minute: number | null
  readonly budget: Amounts<number | null> | null
  readonly used: Amounts<number>
}

/** Scopes and what they let a key do. */
export const SCOPES: Readonly<Record<string, string>> = {
  read: 'read: look at sessions, files and calls',
  execute: 'execute: call tools, change files',
  admin: 'admin: keys, secrets, limits, the audit log',
}

/** Whether somebody may manage the keys, limits and webhooks of the tenant: `admin`, and no child key. */
export const isAdministrator = (who: SignedIn | null | undefined): boolean =>
  who?.scopes.includes('admin') === true && !who.key_id?.includes('.')

/** Words for a tenant whose requests need no key: it has none, and can have child keys. */
export const NO_KEYS =
  'This server asks for no key: whoever reaches it from its machine may do everything. Child keys, for others, may do less. For keys of tenants, start it with OPEN_TENANT= (empty).'

/** Whether somebody is signed in without a key, where the server needs none. */
export const needsNoKey = (who: SignedIn | null | undefined): boolean => who?.tenant != null && who.key_id === null

/** State of a key in one word. */
export function stateOf(key: Pick<TenantKey, 'revoked_at' | 'expires_at'>): 'good' | 'revoked' | 'expired' {
  if (key.revoked_at) return 'revoked'
  return key.expires_at && Date.parse(key.expires_at) <= Date.now() ? 'expired' : 'good'
}

/** Path of a key at the server. */
export const pathOfKey = (id: string): string => `/v1/keys/${encodeURIComponent(id)}`

/** Most child keys that one key has. */
const CHILDREN_MAX = 1_000
const PAGE = 200

/** All child keys below a key, at all depths; `current` is the one that is signed in. @throws Problem */
export async function readChildren(of: string, signal: AbortSignal): Promise<readonly ChildKey[]> {
  const found: ChildKey[] = []
  let cursor: string | null = null
  do {
    const page: Listed<ChildKey> = await get(`${pathOfKey(of)}/children`, { limit: PAGE, cursor }, signal)
    found.push(...page.data)
    cursor = page.next_cursor
  } while (cursor !== null && found.length < CHILDREN_MAX)
  return found
}

/** Revokes a key, and all below it. @throws Problem */
export const revoke = (id: string): Promise<unknown> => send('DELETE', pathOfKey(id))
