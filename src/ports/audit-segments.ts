/**
 * Sealed segments of one tenant's audit log, by the number of their first entry.
 * Implementation: R2 under `t/<tenant>/audit/`. All methods throw FailureError `upstream` when the store does not answer.
 */
export interface SegmentStore {
  /** Stores a segment in the place of the one of that number. @param sha256 of the content, 64 hex digits */
  put(first: number, content: Uint8Array, sha256: string): Promise<void>
  /** @returns null when there is none, and no bytes of one that is longer than `most` */
  get(first: number, most: number): Promise<Uint8Array | null>
  /** Deletes segments for good, 1,000 at most. A missing one is no error. */
  delete(firsts: readonly number[]): Promise<void>
}
