/** Requests with an idempotency key, and their answers; requests that make calls of a session are in the session's own ledger. */
export interface LedgerApi {
  /** Notes a request that is about to be carried out, or says what came of the one that had its key before. */
  begin(request: KeyedRequest): Promise<LedgerState>
  /**
   * Keeps the answer of a request.
   * @param answer null for a request that was refused and changed nothing: its key is free again
   */
  end(request: Pick<KeyedRequest, 'id' | 'attempt'>, answer: RequestAnswer | null): Promise<void>
}

export interface KeyedRequest {
  /** Digest of the key, and of the API key that sent it. */
  readonly id: string
  /** Digest of the request. */
  readonly request: string
  /** Random name of this attempt at it. */
  readonly attempt: string
  /** Method and path, for people. */
  readonly about: string
}

/** An answer over HTTP. */
export interface RequestAnswer {
  readonly status: number
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** Text of the body; null for one that is no text, or is too long to be kept. */
  readonly body: string | null
  /** Whether nobody can tell whether the request was carried out. */
  readonly isDoubtful?: true
  /** Whether the answer holds a secret. */
  readonly isSecret?: true
}

/**
 * State of a request. `begun`: it is to be carried out now. `in use`: it is under way. `reused`: another one had its key. `unknown`: it
 * was begun, and its end is not known. `not kept`: it was carried out, and its answer is not kept.
 */
export type LedgerState =
  | { readonly state: 'begun' | 'in use' | 'reused' }
  | { readonly state: 'unknown' | 'not kept'; readonly about: string; readonly at: number }
  | { readonly state: 'done'; readonly answer: RequestAnswer }
