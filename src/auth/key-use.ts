import { rootKeyOf } from '../core/key-chain.ts'
import { KEY_CACHE_ENTRIES, KEY_USE_NOTE_MS, KEY_USE_STEP_MS } from '../core/limits/tenants.ts'
import type { Clock } from '../ports/clock.ts'
import type { KeyStore } from '../ports/keys.ts'
import { OPEN_ROOT } from './child-key.ts'
import { RecentlyUsed } from './recently-used.ts'
import { isTokenKeyId } from './token.ts'

interface Parts {
  readonly keys: Pick<KeyStore, 'noteUse'>
  readonly clock: Clock
}

/**
 * Last uses of keys, coarse on purpose: an isolate notes a key once in KEY_USE_NOTE_MS, and the store writes a row only when no other
 * isolate did. Uses of child keys are those of the key at their root. Make one per isolate.
 */
export class KeyUse {
  readonly #parts: Parts
  readonly #noted = new RecentlyUsed<number>(KEY_CACHE_ENTRIES)

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /**
   * Notes a use, where one is due.
   * @returns the writing, which never rejects: a use that could not be noted is noted with a later one; null when none is due
   */
  note(keyId: string | null): Promise<void> | null {
    if (keyId === null || isTokenKeyId(keyId)) return null
    const root = rootKeyOf(keyId)
    const now = this.#parts.clock.now()
    const last = this.#noted.get(root)
    if (root === OPEN_ROOT || (last !== undefined && now - last < KEY_USE_NOTE_MS)) return null
    this.#noted.set(root, now)
    return this.#write(root, now - (now % KEY_USE_STEP_MS))
  }

  async #write(root: string, at: number): Promise<void> {
    try {
      await this.#parts.keys.noteUse(root, at, at - KEY_USE_NOTE_MS)
    } catch {
      // The database was out of reach, which the look-up of the key tells the caller.
    }
  }
}
