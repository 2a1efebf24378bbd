/**
 * File contents by their SHA-256, shared by all sessions of one tenant.
 * Implementation: R2 under `t/<tenant>/blobs/<sha256>`, with the tenant's object counting who refers to what.
 */
export interface BlobStore {
  /**
   * Stores contents under their hashes and records that this session refers to them, in the order that no crash can turn
   * into a lost or a dangling blob. Storing existing contents again is cheap, and so is a batch: it is recorded in one
   * call.
   * @throws FailureError `upstream`; some of the contents may be stored then
   */
  put(blobs: readonly { readonly hash: string; readonly content: Uint8Array }[]): Promise<void>
  /**
   * Stores a content whose hash is known only after it passed by; otherwise as {@link put}.
   * @returns the SHA-256, 64 hex digits
   * @throws FailureError `invalid_input` when the stream is not `size` bytes long
   */
  putStream(stream: ReadableStream<Uint8Array>, size: number): Promise<string>
  /**
   * Content of a blob, or a part of it.
   * @param range part that lies inside of the blob; the whole when left out
   * @returns null when no such blob is there. `size` is that of the whole blob
   */
  get(
    hash: string,
    range?: ByteRange,
  ): Promise<{ readonly size: number; readonly body: ReadableStream<Uint8Array> } | null>
  /**
   * Refers to contents again that the session had before: its tables were set back to an earlier state, while those of others went on.
   * @returns hashes of those that are not in the store any more, to which it does not refer
   */
  reclaim(hashes: readonly string[]): Promise<readonly string[]>
  /** Ends this session's references to these; the store deletes blobs that no session refers to. */
  release(hashes: readonly string[]): Promise<void>
  /** Ends all references of this session, which is gone. */
  releaseAll(): Promise<void>
}

/** Part of a content, in bytes. */
export interface ByteRange {
  readonly offset: number
  /** At least 1. */
  readonly length: number
}
