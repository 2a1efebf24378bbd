import { DerivedKeys } from '../core/derived-key.ts'
import { hexOfBytes } from '../core/hex.ts'
import type { TenantId } from '../core/ids.ts'

/** Where a chain begins: a key of the tenant, with the hash of its first secret. */
export interface ChainRoot {
  readonly id: string
  readonly tenant: TenantId
  readonly firstHash: Uint8Array
}

const ABOUT = 'toolyard child keys, 1'
const HMAC = { name: 'HMAC', hash: 'SHA-256' } as const
/** Sealing text. No link reads so, since each begins with the base64url of `{"`. */
const SEAL = 'tag'

const bytesOf = (text: string) => new TextEncoder().encode(text)

/**
 * Signs the chains of child keys. Each link is signed by a key that is the signature of the link before it, and the first by one
 * that comes from the server's secret and the first hash of the root key: neither the table of hashes nor a child key is enough to make
 * another. The last signature is sealed before it is shown, so that nobody can lengthen a chain without the server.
 */
export class ChildSigner {
  readonly #keys: DerivedKeys

  /** @param serverKeys keys of the server that no other use signs with, since they go through HKDF first; the first signs */
  constructor(serverKeys: string) {
    this.#keys = new DerivedKeys(serverKeys, ABOUT, { ...HMAC, length: 256 }, ['sign'])
  }

  /** Tag of a chain: 32 bytes. @param links texts of the links, from the eldest */
  async tag(root: ChainRoot, links: readonly string[]): Promise<Uint8Array> {
    return this.#tag(await this.#keys.first(), root, links)
  }

  /** Tags that a chain may have, one for each key of the server, whichever of them signed it. */
  async tags(root: ChainRoot, links: readonly string[]): Promise<readonly Uint8Array[]> {
    return Promise.all((await this.#keys.all()).map((key) => this.#tag(key, root, links)))
  }

  async #tag(derived: CryptoKey, { id, tenant, firstHash }: ChainRoot, links: readonly string[]): Promise<Uint8Array> {
    let signature = await crypto.subtle.sign('HMAC', derived, bytesOf(`${tenant}/${id}/${hexOfBytes(firstHash)}`))
    for (const link of [...links, SEAL]) {
      const key = await crypto.subtle.importKey('raw', signature, HMAC, false, ['sign'])
      signature = await crypto.subtle.sign('HMAC', key, bytesOf(link))
    }
    return new Uint8Array(signature)
  }
}
