import { serverKeys } from './server-keys.ts'

/** Algorithm of a derived key. */
type DerivedKeyType =
  | { readonly name: 'HMAC'; readonly hash: 'SHA-256'; readonly length: 256 }
  | { readonly name: 'AES-GCM'; readonly length: 256 }

/**
 * Key that HKDF-SHA-256 derives from the server's own, one for each purpose.
 * @param purpose text that must never change: what another key has signed or encrypted is lost
 */
export async function derivedKey(
  serverKey: string,
  purpose: string,
  type: DerivedKeyType,
  usages: readonly KeyUsage[],
): Promise<CryptoKey> {
  const encoder = new TextEncoder()
  const material = await crypto.subtle.importKey('raw', encoder.encode(serverKey), 'HKDF', false, ['deriveKey'])
  return crypto.subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: encoder.encode(purpose) },
    material,
    type,
    false,
    [...usages],
  )
}

/** Keys of the server, derived for one purpose at their first use. */
export class DerivedKeys {
  readonly #derive: (text: string) => Promise<CryptoKey>
  readonly #texts: readonly [string, ...string[]]
  #first: Promise<CryptoKey> | null = null
  #all: Promise<readonly CryptoKey[]> | null = null

  /** @param text keys of the server, as {@link serverKeys} reads them */
  constructor(text: string, purpose: string, type: DerivedKeyType, usages: readonly KeyUsage[]) {
    const [first, ...others] = serverKeys(text)
    this.#texts = [first.text, ...others.map((key) => key.text)]
    this.#derive = (of) => derivedKey(of, purpose, type, usages)
  }

  /** Key that signs or encrypts. */
  first(): Promise<CryptoKey> {
    this.#first ??= this.#derive(this.#texts[0])
    return this.#first
  }

  /** Keys by which something may have been signed, the present one first. */
  all(): Promise<readonly CryptoKey[]> {
    this.#all ??= Promise.all(this.#texts.map((text, at) => (at === 0 ? this.first() : this.#derive(text))))
    return this.#all
  }
}

type KeyUsage = 'sign' | 'verify' | 'encrypt' | 'decrypt'
