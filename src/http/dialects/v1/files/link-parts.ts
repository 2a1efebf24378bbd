import type { LinkClaims, LinkSigner } from '../../../../auth/link-signer.ts'
import type { SessionApi } from '../../../../session/api.ts'

/** Parts of the server behind links to files. */
export interface LinkParts {
  /** Signs links; null on a server without SECRETS_KEY, which makes none. */
  readonly linkSigner: LinkSigner | null
  /**
   * Session of a link, for one request that has no key of its own and waits for its tenant's turn.
   * @param isOwn whether the request has a key of the link's tenant besides, and so has had its turn
   * @returns null when the key that made the link may not do that any more
   */
  linked(claims: LinkClaims, request: Request, isOwn: boolean): Promise<LinkedSession | null>
}

export interface LinkedSession {
  readonly session: SessionApi
  /** Ends the request's turn. */
  release(): void
}
