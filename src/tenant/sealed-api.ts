import type { Failure } from '../core/failure.ts'

/** Kinds of records that are encrypted: the tenant's secrets, those of its webhooks, and answers kept for repeated requests. */
export type SealedKind = 'secrets' | 'webhooks' | 'answers'

/** Encrypted records of a tenant by the keys of SECRETS_KEY that open them. */
export interface SealedState {
  /** Id of the key that encrypts now; null for one without an id. */
  readonly keyId: string | null
  /** Number of records by key; those of a key without an id have null. */
  readonly records: readonly ({ readonly keyId: string | null } & Readonly<Record<SealedKind, number>>)[]
  /** Records of other keys than the present one. */
  readonly remaining: number
}

export interface RenewedState extends SealedState {
  /** Records that were encrypted by the present key. */
  readonly changed: number
  /** Records that no key of the server opens; they stay as they are. */
  readonly unreadable: number
}

/** Answer to the owner, for whom an object's method throws nothing. */
export type Renewal = { readonly state: RenewedState } | { readonly failure: Failure }
