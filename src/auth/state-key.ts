import { derivedKey } from '../core/derived-key.ts'
import { serverKeys } from '../core/server-keys.ts'

const ABOUT = 'toolyard states of MCP calls, 1'
const HMAC = { name: 'HMAC', hash: 'SHA-256', length: 256 } as const

/** Secret for what a client keeps between two requests of one call: the same in every isolate, and no other use's. */
export class StateKey {
  readonly #serverKeys: string
  #made: Promise<Uint8Array> | null = null

  /** @param keys SECRETS_KEY: states of another key than its first are not valid, which clients keep for a day at most */
  constructor(keys: string) {
    this.#serverKeys = keys
  }

  /** Bytes of the key, 32 of them, derived at first use. */
  bytes(): Promise<Uint8Array> {
    this.#made ??= this.#derived()
    return this.#made
  }

  async #derived(): Promise<Uint8Array> {
    const key = await derivedKey(serverKeys(this.#serverKeys)[0].text, ABOUT, HMAC, ['sign'])
    return new Uint8Array(await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(ABOUT)))
  }
}
