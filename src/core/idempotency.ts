/** The part of a client's idempotency key that belongs to one call: a session makes that call once for it. */
export interface CallKey {
  /** Digest of the key, and of the API key that sent it. */
  readonly id: string
  /** Digest of the request. */
  readonly request: string
  /** Number of the call among the calls of its request, from 0; in a batch after its place there, as in `3.0`. */
  readonly at: string
}

/** A call that began and whose end is not known, or whose answer is not kept. */
export interface BegunOnce {
  readonly callId: string
  readonly tool: string
  /** Milliseconds since 1970. */
  readonly at: number
}
