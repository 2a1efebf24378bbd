/**
 * API keys: `ty_<id>_<secret><checksum>`. The id is public and names the row, the secret is 256 random bits, the
 * checksum lets a typing error or a random string be refused without a look-up. All in base62.
 */
export const ID_CHARS = 12
const SECRET_BYTES = 32
const SECRET_CHARS = 43
export const CHECKSUM_CHARS = 6
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

const FORM = new RegExp(
  `^(ty_([0-9A-Za-z]{${ID_CHARS}})_[0-9A-Za-z]{${SECRET_CHARS}})([0-9A-Za-z]{${CHECKSUM_CHARS}})$`,
)

/** A well-formed key, which the store may not know. */
export interface ApiKey {
  readonly id: string
  /** The whole key. Shown once, when it is made; never kept, logged or echoed. */
  readonly text: string
}

/** Makes a key. @param id public id of a key that gets another secret; a random one for a new key */
export function newKey(id = randomDigits(ID_CHARS)): ApiKey {
  const secret = base62(bigEndian(crypto.getRandomValues(new Uint8Array(SECRET_BYTES))), SECRET_CHARS)
  const body = `ty_${id}_${secret}`
  return { id, text: body + checksum(body) }
}

/** Parses a key. @returns null for text in another form, or with a wrong checksum */
export function parseKey(text: string): ApiKey | null {
  const [, body, id, given] = FORM.exec(text) ?? []
  return body !== undefined && id !== undefined && given === checksum(body) ? { id, text } : null
}

/** SHA-256 of the whole key, so that a hash fits no other id than its own. */
export async function hashKey({ text }: ApiKey): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
}

/** Random name that nobody can guess or collide with: one of 62^count, without bias. */
export function randomDigits(count: number, digits = DIGITS): string {
  // 256 is no multiple of 62: bytes past the last whole round are drawn again.
  const usable = 256 - (256 % digits.length)
  let text = ''
  while (text.length < count) {
    const [byte = 256] = crypto.getRandomValues(new Uint8Array(1))
    if (byte < usable) text += digits[byte % digits.length]
  }
  return text
}

/** CRC-32: finds every change of one character, and all but one in 2^32 of the others. */
export function checksum(text: string): string {
  let crc = ~0
  for (let at = 0; at < text.length; at++) {
    crc ^= text.charCodeAt(at)
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  return base62(BigInt(~crc >>> 0), CHECKSUM_CHARS)
}

const bigEndian = (bytes: Uint8Array) => bytes.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n)

function base62(value: bigint, chars: number): string {
  let text = ''
  for (let rest = value; text.length < chars; rest /= 62n) text = DIGITS[Number(rest % 62n)] + text
  return text
}
