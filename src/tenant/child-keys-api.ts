import type { Actor } from '../core/actor.ts'

/** Child keys of one tenant, until they expire: those that its keys minted, and that these minted in turn. */
export interface ChildKeysApi {
  /**
   * Notes a new child key, also in the audit log.
   * @throws FailureError `limit_exceeded`; `forbidden` when a key above it was revoked
   */
  mint(child: NewChildKey, by: Actor): Promise<void>
  /** Child keys below one, at all depths, in the order of their ids; `after` is the last id of the page before. */
  list(page: {
    readonly below: string
    readonly limit: number
    readonly after?: string
  }): Promise<readonly ChildKeyInfo[]>
  /** One child key by the ids of its chain; null when there is none. */
  find(id: string): Promise<ChildKeyInfo | null>
  /**
   * Revokes a child key, and drops all below it; an earlier revocation keeps its time.
   * @returns the key; null when there is none
   */
  revoke(id: string, by: Actor): Promise<ChildKeyInfo | null>
}

/** Restrictions of one child key, below those of the keys above it; fields as in the API's JSON. */
export interface ChildKeyMay {
  readonly scopes?: readonly string[] | undefined
  readonly sessions?: { readonly names: readonly string[]; readonly prefixes: readonly string[] } | undefined
  readonly tools?: readonly string[] | undefined
  readonly calls_per_minute?: number | undefined
  /** Calls, and cost in millionths, over the key's whole life. */
  readonly budget?: { readonly calls?: number | undefined; readonly cost?: number | undefined } | undefined
}

export interface NewChildKey {
  /** Ids of the chain, `root.child.grandchild`. */
  readonly id: string
  /** Label for people. */
  readonly name: string
  readonly may: ChildKeyMay
  /** Milliseconds since 1970. */
  readonly createdAt: number
  readonly expiresAt: number
}

export interface ChildKeyInfo extends NewChildKey {
  readonly revokedAt: number | null
  /** Ended calls, and their cost in millionths, with those of all child keys below. */
  readonly used: { readonly calls: number; readonly cost: number }
}
