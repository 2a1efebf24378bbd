import { decodeBase64, encodeBase64 } from '../../../../core/base64.ts'
import { fail } from '../../../../core/failure.ts'
import { bytesOfHex, hexOfBytes } from '../../../../core/hex.ts'

/** SHA-256 as a field of RFC 9530. @param hash 64 hex digits */
export const digestField = (hash: string) => `sha-256=:${encodeBase64(bytesOfHex(hash))}:`

/**
 * SHA-256 that `Content-Digest` announces, as 64 hex digits; null without one.
 * @throws FailureError `invalid_input` for one that is no SHA-256
 */
export function announcedHash(headers: Headers): string | null {
  const members = headers.get('Content-Digest')?.split(',') ?? []
  const member = members.map((text) => text.trim()).find((text) => text.toLowerCase().startsWith('sha-256='))
  if (member === undefined) return null
  const [, base64] = /^sha-256=:([0-9A-Za-z+/]{43}=):$/i.exec(member) ?? []
  if (base64 === undefined)
    fail('invalid_input', 'Content-Digest has no SHA-256; send sha-256=:<base64 of 32 bytes>:, or leave it out')
  return hexOfBytes(decodeBase64(base64, 'Content-Digest'))
}
