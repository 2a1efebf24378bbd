import type { TenantId } from '../core/ids.ts'

/** Where a chain begins: a key of the tenant, with the hash that the store has of it. */
export interface ChainRoot {
  readonly id: string
  readonly tenant: TenantId
  readonly hash: Uint8Array
}

const ABOUT = 'toolyard child keys, 1'
const HMAC = { name: 'HMAC', hash: 'SHA-256' }
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
    this.#made ??= derived(this.#serverKey)
    let signature = await crypto.subtle.sign('HMAC', await this.#made, bytesOf(`${tenant}/${id}/${hash.toHex()}`))
    for (const link of [...links, SEAL]) {
      const key = await crypto.subtle.importKey('raw', signature, HMAC, false, ['sign'])
      signature = await crypto.subtle.sign('HMAC', key, bytesOf(link))
    }
    return new Uint8Array(signature)
  }
}

async function derived(serverKey: string): Promise<CryptoKey> {
  const material = await crypto.subtle.importKey('raw', bytesOf(serverKey), 'HKDF', false, ['deriveKey'])
  return crypto.subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: bytesOf(ABOUT) },
    material,
    { ...HMAC, length: 256 },
    false,
    ['sign'],
  )
}
