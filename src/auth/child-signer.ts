import { derivedKey } from '../core/derived-key.ts'
import { hexOfBytes } from '../core/hex.ts'
import type { TenantId } from '../core/ids.ts'

/** Where a chain begins: a key of the tenant, with the hash that the store has of it. */
export interface ChainRoot {
  readonly id: string
  readonly tenant: TenantId
  readonly hash: Uint8Array
}

const ABOUT = 'toolyard child keys, 1'
const HMAC = { name: 'HMAC', hash: 'SHA-256' } as const
/** Sealing text. No link reads so, since each begins with the base64url of `{"`. */
const SEAL = 'tag'

const bytesOf = (text: string) => new TextEncoder().encode(text)

/**
 * Signs the chains of child keys. Each link is signed by a key that is the signature of the link before it, and the first by one
 * that comes from the server's secret and the hash of the root key: neither the table of hashes nor a child key is enough to make
 * another. The last signature is sealed before it is shown, so that nobody can lengthen a chain without the server.
 */
export class ChildSigner {
  readonly #serverKey: string
  #made: Promise<CryptoKey> | null = null

  /** @param serverKey a secret of the server that no other use signs with, since it goes through HKDF first */
  constructor(serverKey: string) {
    this.#serverKey = serverKey
  }

  /** Tag of a chain: 32 bytes. @param links texts of the links, from the eldest */
  async tag({ id, tenant, hash }: ChainRoot, links: readonly string[]): Promise<Uint8Array> {
    this.#made ??= derivedKey(this.#serverKey, ABOUT, { ...HMAC, length: 256 }, ['sign'])
    let signature = await crypto.subtle.sign('HMAC', await this.#made, bytesOf(`${tenant}/${id}/${hexOfBytes(hash)}`))
    for (const link of [...links, SEAL]) {
      const key = await crypto.subtle.importKey('raw', signature, HMAC, false, ['sign'])
      signature = await crypto.subtle.sign('HMAC', key, bytesOf(link))
    }
    return new Uint8Array(signature)
  }
}
