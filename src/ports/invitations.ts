import type { TenantId } from '../core/ids.ts'
import type { Placement } from '../core/placement.ts'
import type { TenantInternet } from '../core/tenant-internet.ts'
import type { KeyPlace, Scope } from './keys.ts'

/** Terms of the tenants that an invitation makes. */
export interface InvitationTerms {
  /** Plan that the tenant gets; null for none. */
  readonly plan: string | null
  /** Internet policies that the tenant gets; null for UNRESTRICTED. */
  readonly internet: TenantInternet | null
  readonly placement: Placement
}

export interface Invitation extends InvitationTerms {
  readonly id: string
  /** Name for people; a label. */
  readonly name: string
  /** Tenants that it makes at most. */
  readonly uses: number
  /** Ids of the tenants that it made, oldest first. */
  readonly tenants: readonly string[]
  readonly createdAt: number
  readonly expiresAt: number
  readonly revokedAt: number | null
}

/**
 * Invitations to sign up. The store holds the hash of a token, as 64 hex digits, and never the token. All times are milliseconds since
 * 1970. Implementation: `adapters/invitations-d1.ts`. Every method throws FailureError `upstream` when the store cannot be reached.
 */
export interface InvitationStore {
  /**
   * Adds an invitation.
   * @param most how many that are neither revoked nor expired there may be, this one included
   * @returns why it was not added, or null
   */
  add(
    invitation: Omit<Invitation, 'tenants' | 'revokedAt'> & { readonly hash: string },
    most: number,
  ): Promise<'no such plan' | 'too many' | null>
  /** Invitations in order of creation, those that are over too. `after` is where the page before ended. */
  list(page: { readonly limit: number; readonly after?: KeyPlace }): Promise<readonly Invitation[]>
  /** Revokes an invitation; an earlier revocation keeps its time. @returns false when there is none of that id */
  revoke(id: string, at: number): Promise<boolean>
  /** Invitation of a token that can be used now; null for an unknown, expired, revoked or used-up one. */
  find(hash: string, now: number): Promise<Pick<Invitation, 'id' | 'plan' | 'placement'> | null>
  /**
   * Uses an invitation: makes a tenant with its plan and its first key, all or nothing.
   * @returns false when the invitation cannot be used, or a tenant has or had that id, here or at another place
   */
  use(hash: string, made: SignUp): Promise<boolean>
  /** Takes a use back, with all that it made, before anybody has the key. @param key id of the first key */
  takeBack(key: string): Promise<void>
}

/** A tenant to be made, with its first key. */
export interface SignUp {
  readonly tenant: TenantId
  readonly name: string
  readonly at: number
  readonly key: {
    readonly id: string
    readonly name: string
    /** SHA-256 of the whole key, 32 bytes. */
    readonly hash: Uint8Array
    readonly scopes: readonly Scope[]
  }
}
