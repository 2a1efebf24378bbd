import { toBase64Url } from '../core/base64.ts'
import { DerivedKeys } from '../core/derived-key.ts'
import { MAX_LINK_TOKEN_CHARS } from '../core/limits/files.ts'

/** Everything that a signed link allows, and until when. */
export interface LinkClaims {
  readonly id: string
  readonly tenant: string
  readonly session: string
  readonly path: string
  readonly method: 'download' | 'upload'
  /** Greatest size of an upload in bytes; null for a download. */
  readonly maxBytes: number | null
  /** Public part of the key that made the link; null on a local server without keys. */
  readonly key: string | null
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

const ABOUT = 'toolyard links to files, 1'
const HMAC = { name: 'HMAC', hash: 'SHA-256', length: 256 } as const
const TOKEN = /^([\w-]{1,}\.)([\w-]{43})$/

/** Signs and checks links to files: HMAC-SHA-256 over all that a link allows, under a key that HKDF derives from the server's own. */
export class LinkSigner {
  readonly #keys: DerivedKeys

  /** @param serverKeys SECRETS_KEY: its first key signs, and links of none of its keys are not valid */
  constructor(serverKeys: string) {
    this.#keys = new DerivedKeys(serverKeys, ABOUT, HMAC, ['sign', 'verify'])
  }

  /** The link as text for a URL. */
  async sign(claims: LinkClaims): Promise<string> {
    const { id, tenant, session, path, method, maxBytes, key, expiresAt } = claims
    const listed = JSON.stringify([id, tenant, session, path, method, maxBytes, key, expiresAt])
    const body = `${toBase64Url(encoder.encode(listed))}.`
    const tag = await crypto.subtle.sign('HMAC', await this.#keys.first(), encoder.encode(body))
    return `${body}${toBase64Url(new Uint8Array(tag))}`
  }

  /** Claims of a link that this server signed, in constant time; null for any other text. An expired link has its claims, too. */
  async verify(token: string): Promise<LinkClaims | null> {
    if (token.length > MAX_LINK_TOKEN_CHARS) return null
    const [, body = '', tag = ''] = TOKEN.exec(token) ?? []
    const given = bytesOf(tag)
    if (body === '' || !(await this.#isSigned(body, given))) return null
    // What this server signed has this form.
    const listed = JSON.parse(new TextDecoder().decode(bytesOf(body.slice(0, -1))))
    const [id, tenant, session, path, method, maxBytes, key, expiresAt] = listed
    return { id, tenant, session, path, method, maxBytes, key, expiresAt }
  }

  async #isSigned(body: string, tag: Uint8Array<ArrayBuffer>): Promise<boolean> {
    const keys = await this.#keys.all()
    const good = await Promise.all(keys.map((key) => crypto.subtle.verify('HMAC', key, tag, encoder.encode(body))))
    return good.includes(true)
  }
}

const encoder = new TextEncoder()

const bytesOf = (base64url: string) =>
  Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0))
