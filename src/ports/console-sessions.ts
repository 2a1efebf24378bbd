import type { TenantId } from '../core/ids.ts'
import type { Scope } from './keys.ts'

/** Place of the owner of the server among the keys that sessions of the console belong to. No key has this id. */
export const OPERATOR = 'operator'

/**
 * Sessions of the console, shared by all isolates. The store holds the hash of a cookie's token and never the token. Implementation:
 * `adapters/console-sessions-d1.ts`. Every method throws FailureError `upstream` when the store cannot be reached.
 */
export interface ConsoleSessionStore {
  /**
   * Adds a session; forgets those that have expired, and ends the oldest ones of the same key, of the same key's child keys, or of the
   * owner, beyond `most`.
   */
  add(session: ConsoleSession, most: number): Promise<void>
  find(id: string): Promise<ConsoleSession | null>
  /** Sessions that have not expired, oldest first. `after` is where the page before ended. */
  list(
    whose: ConsoleSessionReach,
    page: { readonly now: number; readonly limit: number; readonly after?: SessionPlace | undefined },
  ): Promise<readonly ConsoleSession[]>
  /** Notes a use at a time, unless one after `since` is noted already. */
  noteUse(id: string, at: number, since: number): Promise<void>
  /** Ends a session. @returns whether there was one of that id within reach that had not expired */
  end(id: string, whose: ConsoleSessionReach, now: number): Promise<boolean>
}

/** Sessions that a caller sees: those of the tenant, or of one chain and the keys below it; a null tenant is the owner of the server. */
export interface ConsoleSessionReach {
  readonly tenant: TenantId | null
  /** Null for all keys of the tenant. */
  readonly below: string | null
}

/** Place in a list by creation. */
export interface SessionPlace {
  readonly createdAt: number
  readonly id: string
}

/** One browser's sign-in. All times are milliseconds since 1970. */
export interface ConsoleSession {
  /** Public id. */
  readonly id: string
  /** SHA-256 of the cookie's token, 64 hex digits. */
  readonly hash: string
  /** Null for the owner of the server. */
  readonly tenant: TenantId | null
  /** Key at the top of the chain: an id of a key, `local` for the tenant of requests without one, or {@link OPERATOR}. */
  readonly root: string
  /** Chain of the key that signed in; the same as `root` for a key of the tenant. */
  readonly key: string
  /** Proof that the credential is still what it was: the hash of the key, or of the owner's token under the cookie's; empty for others. */
  readonly proof: string
  /** Links of a child key's chain, as texts; none for others. */
  readonly links: readonly string[]
  /** Scopes at the sign-in; the key's present ones bound them. None for the owner. */
  readonly scopes: readonly Scope[]
  /** Name that the browser gives itself. */
  readonly browser: string
  readonly createdAt: number
  readonly usedAt: number
  readonly expiresAt: number
}
