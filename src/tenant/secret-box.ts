import { derivedKey } from '../core/derived-key.ts'
import { fail } from '../core/failure.ts'

const NONCE_BYTES = 12
const ABOUT = 'toolyard secrets of tenants, 1'

/**
 * Encrypts and decrypts secrets for storage: AES-256-GCM with a random nonce before each, under a key that HKDF derives from the
 * server's own. A ciphertext opens only under the place (tenant and name) for which it was made.
 */
export class SecretBox {
  readonly #serverKey: string
  #made: Promise<CryptoKey> | null = null

  /** @param serverKey SECRETS_KEY: the only key that opens these ciphertexts */
  constructor(serverKey: string) {
    this.#serverKey = serverKey
  }

  /** Derived at first use: most tenants keep no secrets. */
  get #key(): Promise<CryptoKey> {
    this.#made ??= derivedKey(this.#serverKey, ABOUT, { name: 'AES-GCM', length: 256 }, ['encrypt', 'decrypt'])
    return this.#made
  }

  async close(secret: string, place: string): Promise<Uint8Array> {
    const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES))
    const sealed = await crypto.subtle.encrypt(cipher(nonce, place), await this.#key, new TextEncoder().encode(secret))
    const closed = new Uint8Array(NONCE_BYTES + sealed.byteLength)
    closed.set(nonce)
    closed.set(new Uint8Array(sealed), NONCE_BYTES)
    return closed
  }

  /** Decrypts a secret. @throws FailureError `upstream` for a ciphertext of another key or another place */
  async open(closed: Uint8Array, place: string): Promise<string> {
    const [nonce, sealed] = [closed.slice(0, NONCE_BYTES), closed.slice(NONCE_BYTES)]
    try {
      return new TextDecoder().decode(await crypto.subtle.decrypt(cipher(nonce, place), await this.#key, sealed))
    } catch (cause) {
      return fail(
        'upstream',
        'a kept secret cannot be opened: the SECRETS_KEY of this server has changed; put it again',
        {
          cause,
        },
      )
    }
  }
}

const cipher = (iv: Uint8Array<ArrayBuffer>, place: string) => ({
  name: 'AES-GCM',
  iv,
  additionalData: new TextEncoder().encode(place),
})
