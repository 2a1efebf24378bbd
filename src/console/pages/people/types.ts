/** A question of a session, whole. */
export interface Question {
  readonly id: string
  readonly text: string
  readonly created_at: string
  /** End of the wait of the call that asks; null for none. */
  readonly waits_until: string | null
  /** Null while it is open. */
  readonly answered_at: string | null
  readonly answer: string | null
}
