import type { Actor } from '../core/actor.ts'
import type { ServedGroup } from '../core/served.ts'
import type { ChildKeys } from './child-keys.ts'
import type { ChildKeyInfo, ChildKeysApi, NewChildKey } from './child-keys-api.ts'
import type { Upkeep } from './upkeep.ts'

interface Parts {
  readonly children: ChildKeys
  readonly upkeep: Pick<Upkeep, 'plan'>
}

/** Child keys' group: the keys, with the upkeep that entries of the audit log make due. */
export class ChildKeysGroup implements ServedGroup<ChildKeysApi> {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  async mint(child: NewChildKey, by: Actor): Promise<void> {
    this.#parts.children.mint(child, by)
    await this.#parts.upkeep.plan()
  }

  list(page: Parameters<ChildKeysApi['list']>[0]): readonly ChildKeyInfo[] {
    return this.#parts.children.list(page)
  }

  find(id: string): ChildKeyInfo | null {
    return this.#parts.children.find(id)
  }

  async revoke(id: string, by: Actor): Promise<ChildKeyInfo | null> {
    const revoked = this.#parts.children.revoke(id, by)
    await this.#parts.upkeep.plan()
    return revoked
  }
}
