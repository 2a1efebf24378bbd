import type { TenantId } from '../core/ids.ts'
import { CHECKED_CHILD_KEYS, MAX_CHILD_KEY_CHARS } from '../core/limits/child-keys.ts'
import type { StoredKey } from '../ports/keys.ts'
import { parseChildKey, tagText } from './child-key.ts'
import { unpackLink } from './child-link.ts'
import type { ChildSigner } from './child-signer.ts'
import { sameHash } from './constant-time.ts'
import type { KeyCache } from './key-cache.ts'
import { RecentlyUsed } from './recently-used.ts'
import { type Restrictions, restrictionsOf } from './restrictions.ts'

/** A child key whose chain is signed for its root. Whether it has expired or was revoked is for the caller to see. */
interface SignedChild {
  readonly root: StoredKey
  /** Ids of the keys of the chain below the root, from the eldest, each with those of its ancestors. */
  readonly chain: readonly string[]
  readonly restrictions: Restrictions
}

/** A checked child key. A signature stays good as long as its root has this first hash. */
interface Checked extends Omit<SignedChild, 'root'> {
  readonly rootId: string
  readonly rootHash: Uint8Array
}

/**
 * Checks the signatures of child keys. Those of good ones are remembered by the SHA-256 of the key, since a chain of HMACs takes ten times
 * as long as the check of another key; a flood of others evicts none of them.
 */
export class ChildKeyCheck {
  readonly #keys: Pick<KeyCache, 'find'>
  readonly #signer: ChildSigner
  readonly #checked = new RecentlyUsed<Checked>(CHECKED_CHILD_KEYS)

  constructor(keys: Pick<KeyCache, 'find'>, signer: ChildSigner) {
    this.#keys = keys
    this.#signer = signer
  }

  /** Finds what a child key says. @returns null for a key that the server did not sign. @throws FailureError `upstream` */
  async find(text: string): Promise<SignedChild | null> {
    if (text.length > MAX_CHILD_KEY_CHARS) return null
    const digest = await digestOf(text)
    const known = this.#checked.get(digest)
    if (known) {
      const root = await this.#keys.find(known.rootId)
      if (root && sameHash(known.rootHash, root.firstHash)) return { ...known, root }
    }
    return this.#check(text, digest)
  }

  async #check(text: string, digest: string): Promise<SignedChild | null> {
    const claimed = parseChildKey(text)
    if (!claimed) return null
    const root = await this.#keys.find(claimed.root)
    // An unknown root is signed for as well, so that it takes as long as a wrong tag.
    const tags = await this.#signer.tags(root ?? NO_ROOT, claimed.links)
    const isSigned = tags.filter((tag) => sameHash(bytesOf(tagText(tag)), bytesOf(claimed.tag))).length > 0
    if (!isSigned || !root) return null
    const links = claimed.links.map(unpackLink).filter((link) => link !== null)
    if (links.length < claimed.links.length) return null
    const chain: string[] = []
    for (const { id } of links) chain.push(`${chain.at(-1) ?? root.id}.${id}`)
    const child = { chain, restrictions: restrictionsOf(links) }
    this.#checked.set(digest, { ...child, rootId: root.id, rootHash: root.firstHash })
    return { ...child, root }
  }
}

/** Root of no key. No tenant has this id. */
const NO_ROOT = { id: '', tenant: '' as TenantId, firstHash: new Uint8Array(32) }

const bytesOf = (text: string) => new TextEncoder().encode(text)

const digestOf = async (text: string) => new Uint8Array(await crypto.subtle.digest('SHA-256', bytesOf(text))).toHex()
