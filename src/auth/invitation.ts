import { checksum, randomDigits } from './key.ts'

/** Digits of base62 with more than 256 random bits. */
const SECRET_CHARS = 43
const FORM = /^(inv_[0-9A-Za-z]{43})([0-9A-Za-z]{6})$/

/** Makes the token of an invitation: `inv_<secret><checksum>`, which is shown once and never kept. */
export function newInvitationToken(): string {
  const body = `inv_${randomDigits(SECRET_CHARS)}`
  return body + checksum(body)
}

/**
 * SHA-256 of a token, as 64 hex digits: what the store has of it.
 * @returns null for text in another form, or with a wrong checksum, for which nothing needs to be looked up
 */
export async function invitationHash(token: string): Promise<string | null> {
  const [, body, given] = FORM.exec(token) ?? []
  if (body === undefined || given !== checksum(body)) return null
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token))).toHex()
}
