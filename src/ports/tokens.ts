/** Check of access tokens that the operator's issuer signs. Adapter: `adapters/oauth`. */
export interface TokenCheck {
  /**
   * Claims of a token that the issuer signed for this server and that is in time; null for any other text.
   * @throws FailureError `unavailable` while the keys of the issuer cannot be had
   */
  check(token: string): Promise<TokenClaims | null>
}

export interface TokenClaims {
  /** Whom the token is about, in the issuer's words: `sub`. */
  readonly subject: string
  /** Value of the claim that names the tenant; null when it is absent or no text. */
  readonly tenant: string | null
  /** Scopes by whatever name, those of other servers too. */
  readonly scopes: readonly string[]
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}
