import { derivedKey } from '../core/derived-key.ts'
import { fail } from '../core/failure.ts'
import { MAX_SERVER_KEY_ID_CHARS, type ServerKey, serverKeys } from '../core/server-keys.ts'

const NONCE_BYTES = 12
const ABOUT = 'toolyard secrets of tenants, 1'
/** Begin of a ciphertext that names its key; behind it stand the length of the id, and the id. Others begin with their nonce. */
const NAMED = new TextEncoder().encode('tyk1')
/** Bytes of a ciphertext that are enough to see which key it names. */
export const SEALED_HEAD_BYTES = NAMED.length + 1 + MAX_SERVER_KEY_ID_CHARS

/**
 * Encrypts and decrypts secrets for storage: AES-256-GCM with a random nonce before each, under a key that HKDF derives from the
 * server's own. A ciphertext opens only under the place (tenant and name) for which it was made. It names the key that opens it, where
 * the server's keys have ids.
 */
export class SecretBox {
  readonly #keys: readonly [ServerKey, ...ServerKey[]]
  readonly #made = new Map<ServerKey, Promise<CryptoKey>>()

  /** @param text SECRETS_KEY: its first key closes, and all of them open */
  constructor(text: string) {
    this.#keys = serverKeys(text)
  }

  /** Id of the key that closes; null for one without. */
  get keyId(): string | null {
    return this.#keys[0].id
  }

  async close(secret: string, place: string): Promise<Uint8Array> {
    const [key] = this.#keys
    const head = key.id === null ? new Uint8Array() : headOf(key.id)
    const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES))
    const cipher = cipherOf(nonce, place)
    const sealed = await crypto.subtle.encrypt(cipher, await this.#derived(key), new TextEncoder().encode(secret))
    const closed = new Uint8Array(head.length + NONCE_BYTES + sealed.byteLength)
    closed.set(head)
    closed.set(nonce, head.length)
    closed.set(new Uint8Array(sealed), head.length + NONCE_BYTES)
    return closed
  }

  /** Decrypts a secret. @throws FailureError `upstream` for a ciphertext of another key or another place */
  async open(closed: Uint8Array, place: string): Promise<string> {
    const id = keyIdOf(closed)
    const named = this.#keys.find((key) => key.id === id && id !== null)
    // Without an id, or, once in 2^32 times, with a nonce that looks like the begin of one, it is a ciphertext from its first byte on.
    const bodies = id === null ? [closed] : [closed.slice(headOf(id).length), closed]
    for (const body of bodies) {
      // A key opens what names another id as well: it may have had that one.
      for (const key of named ? [named, ...this.#keys] : this.#keys) {
        const opened = await this.#tried(key, body, place)
        if (opened !== null) return opened
      }
    }
    const why =
      id === null || named
        ? 'the SECRETS_KEY of this server has changed; put it again'
        : `the SECRETS_KEY of this server has no key "${id}" any more; put it again`
    return fail('upstream', `a kept secret cannot be opened: ${why}`)
  }

  async #tried(key: ServerKey, closed: Uint8Array, place: string): Promise<string | null> {
    const [nonce, sealed] = [closed.slice(0, NONCE_BYTES), closed.slice(NONCE_BYTES)]
    const derived = await this.#derived(key)
    try {
      return new TextDecoder().decode(await crypto.subtle.decrypt(cipherOf(nonce, place), derived, sealed))
    } catch {
      return null
    }
  }

  /** Key for the cipher, derived at first use: most tenants keep no secrets. */
  #derived(key: ServerKey): Promise<CryptoKey> {
    const made =
      this.#made.get(key) ?? derivedKey(key.text, ABOUT, { name: 'AES-GCM', length: 256 }, ['encrypt', 'decrypt'])
    this.#made.set(key, made)
    return made
  }
}

/** Id of the key that a ciphertext names; null for one without. @param head its first SEALED_HEAD_BYTES, or all of it */
export function keyIdOf(head: Uint8Array): string | null {
  if (!NAMED.every((byte, at) => head[at] === byte)) return null
  const length = head[NAMED.length] ?? 0
  const id = new TextDecoder().decode(head.slice(NAMED.length + 1, NAMED.length + 1 + length))
  return length > 0 && /^[A-Za-z0-9-]{1,16}$/.test(id) && id.length === length ? id : null
}

function headOf(id: string): Uint8Array {
  const bytes = new TextEncoder().encode(id)
  return new Uint8Array([...NAMED, bytes.length, ...bytes])
}

/** Places of ciphertexts, which none of them leaves. */
export const placeOfSecret = (tenant: string, name: string): string => `${tenant}/${name}`
export const placeOfWebhook = (tenant: string, id: string): string => `${tenant}/webhooks/${id}`
export const placeOfAnswer = (tenant: string, id: string): string => `${tenant}/ledger/${id}`

const cipherOf = (iv: Uint8Array<ArrayBuffer>, place: string) => ({
  name: 'AES-GCM',
  iv,
  additionalData: new TextEncoder().encode(place),
})
