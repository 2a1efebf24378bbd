import { checksum, ID_CHARS, randomDigits } from '../key.ts'

/** Digits of base62 with more than 256 random bits. */
const SECRET_CHARS = 43
const FORM = /^(tys_([0-9A-Za-z]{12})_[0-9A-Za-z]{43})([0-9A-Za-z]{6})$/

/** Token of a session of the console, `tys_<id>_<secret><checksum>`: what its cookie has. */
export interface ConsoleToken {
  /** Public id of the session. */
  readonly id: string
  /** The whole token, which is kept by the browser alone. */
  readonly text: string
}

export function newConsoleToken(): ConsoleToken {
  const id = randomDigits(ID_CHARS)
  const body = `tys_${id}_${randomDigits(SECRET_CHARS)}`
  return { id, text: body + checksum(body) }
}

/** Parses a token. @returns null for text in another form, or with a wrong checksum, for which nothing needs to be looked up */
export function parseConsoleToken(text: string): ConsoleToken | null {
  const [, body, id, given] = FORM.exec(text) ?? []
  return body !== undefined && id !== undefined && given === checksum(body) ? { id, text } : null
}

/** SHA-256 of a token: what the store has of it. */
export const hashConsoleToken = ({ text }: ConsoleToken): Promise<Uint8Array> => sha256(text)

/**
 * Token against forged requests: 43 characters of base64url, made of the cookie's token, which does not follow from it. It is kept
 * nowhere, and no other session has the same.
 */
export async function csrfOf({ text }: ConsoleToken): Promise<string> {
  return (await sha256(`toolyard console csrf, 1\n${text}`)).toBase64({ alphabet: 'base64url', omitPadding: true })
}

/**
 * Proof that a session was made with the owner's token: an HMAC-SHA-256 of that token under the cookie's, as hex digits. Whoever reads the
 * store has no key by which a short token could be guessed.
 */
export async function ownersProof({ text }: ConsoleToken, adminToken: string): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(text), algorithm, false, ['sign'])
  const about = new TextEncoder().encode(`toolyard console owner, 1\n${adminToken}`)
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, about)).toHex()
}

const sha256 = async (text: string) =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
