/** Ledger of stored contents and the sessions that refer to them. A file store asks it before it stores, and reports to it afterwards. */
export interface BlobLedger {
  /**
   * Notes that the session `nodeId` refers to these blobs. Waits for the end of a delete of one of them.
   * @returns hashes of blobs that are stored already, so that they need not be sent again
   */
  retain(nodeId: string, hashes: readonly string[]): Promise<readonly string[]>
  /** Notes that these blobs are in the store. Called after the put that follows {@link retain}. */
  stored(hashes: readonly string[]): Promise<void>
  /**
   * Notes that the session `to` refers to some blobs to which the session `from` refers now, or to all of them: those that it does not
   * need it releases then.
   * @throws FailureError `upstream` when `from` does not refer to one of them, `limit_exceeded` when forks leave the tenant too little room
   */
  share(from: string, to: string, hashes: readonly string[] | 'all'): Promise<void>
  /** Removes the session's references to these blobs, or to all of its blobs. Blobs without a reference are deleted. */
  release(nodeId: string, hashes: readonly string[] | 'all'): Promise<void>
}
