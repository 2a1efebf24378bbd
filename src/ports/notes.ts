/**
 * Notes of tools for their next call in the same session, each under a name of its own: small, and not a file of the task,
 * so that nobody stumbles over one. A note lives as long as the session.
 */
export interface Notes {
  /** The note as JSON; null when there is none. Read it as hostile: an older version may have written it. */
  read(name: string): unknown
  /**
   * Writes a note over the one before.
   * @throws FailureError `limit_exceeded` beyond MAX_NOTE_CHARS
   */
  write(name: string, note: unknown): void
}
