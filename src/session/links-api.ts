/** Links by which somebody without a key may read or write one file. A link is valid until it expires or is revoked. */
export interface SessionLinksApi {
  /** Makes a link. @throws FailureError `not_found`, `invalid_input`, `limit_exceeded` beyond MAX_LINKS */
  make(link: NewFileLink): Promise<FileLink>
  /** Links that are valid, oldest first. */
  list(): Promise<readonly FileLink[]>
  /** Ends a link, or all of them (null). @returns the number of links that ended */
  revoke(id: string | null): Promise<number>
  isValid(id: string): Promise<boolean>
}

export interface NewFileLink {
  readonly path: string
  readonly method: 'download' | 'upload'
  /** Greatest size of an upload in bytes; null for a download. */
  readonly maxBytes: number | null
  /** Public part of the key that makes it; null on a local server without keys. */
  readonly key: string | null
  /** Time for which it is valid, in milliseconds. */
  readonly lifeMs: number
}

export interface FileLink extends Omit<NewFileLink, 'lifeMs'> {
  readonly id: string
  /** Milliseconds since 1970. */
  readonly createdAt: number
  readonly expiresAt: number
}
