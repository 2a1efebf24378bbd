import { GIVE_BACK_AGAIN_MS, GIVE_BACK_MS, SANDBOX_USE_MS } from '../core/limits/leases.ts'
import { settledWithin } from '../core/settled-within.ts'
import type { LeaseHolder, SandboxUse } from '../ports/sandbox-leases.ts'
import type { LeaseTable } from './lease-table.ts'

interface Parts {
  readonly table: LeaseTable
  /** The session of that name, to be asked. */
  readonly session: (holder: string) => LeaseHolder
  readonly now: () => number
  /** A session has no sandbox any more. */
  readonly gone: (holder: string) => void
  /** A session has been asked, whatever came of it. */
  readonly over: () => void
  readonly logError: (thrown: unknown) => void
}

/** A tenant whose sessions wait. */
interface Want {
  readonly tenant: string
  readonly wanted: number
  /** It has as many as it may, so that only its own can go. */
  readonly onlyOwn: boolean
}

type Uses = Map<string, Promise<SandboxUse>>

/** Finds idle sandboxes for those who wait, and asks their sessions to pause them. */
export class GiveBack {
  readonly #parts: Parts
  /** Until when sessions are not asked again, by holder: they are at it, or could not. */
  readonly #asked = new Map<string, number>()
  /** Sessions that are at it, by the tenant for whom they were asked. */
  readonly #under = new Map<string, number>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Asks back as many sandboxes as are wanted, as far as there are idle ones. @param wants in their turn */
  async askFor(wants: readonly Want[]): Promise<void> {
    const now = this.#parts.now()
    for (const [holder, until] of this.#asked) if (until <= now) this.#asked.delete(holder)
    const uses: Uses = new Map()
    // One for each tenant in its turn, and then the next for each.
    const left = wants.map((want) => ({ ...want, wanted: want.wanted - (this.#under.get(want.tenant) ?? 0) }))
    for (let hasFound = true; hasFound; ) {
      hasFound = false
      for (const want of left) {
        const victim = want.wanted > 0 ? await this.#victimFor(want, uses) : null
        want.wanted = victim === null ? 0 : want.wanted - 1
        if (victim === null) continue
        hasFound = true
        this.#ask(victim, want.tenant)
      }
    }
  }

  /** The sandbox that goes first: of the tenant that has most, quiet for longest. */
  async #victimFor({ tenant, onlyOwn }: Want, uses: Uses): Promise<string | null> {
    const { table } = this.#parts
    const own = table.count(tenant)
    for (const other of table.tenants()) {
      if (other !== tenant && (onlyOwn || table.count(other) <= own)) continue
      const holders = table.holders(other).filter((holder) => !this.#asked.has(holder))
      const idle = await Promise.all(holders.map(async (holder) => ({ holder, use: await this.#use(holder, uses) })))
      const [first] = idle
        .flatMap(({ holder, use }) => (use.state === 'idle' && !this.#asked.has(holder) ? [{ holder, ...use }] : []))
        .sort((a, b) => Number(a.background) - Number(b.background) || b.quietMs - a.quietMs)
      if (first) return first.holder
    }
    return null
  }

  #use(holder: string, uses: Uses): Promise<SandboxUse> {
    const known = uses.get(holder)
    if (known) return known
    const asked = this.#askUse(holder)
    uses.set(holder, asked)
    return asked
  }

  /** A session that cannot be asked counts as busy. */
  async #askUse(holder: string): Promise<SandboxUse> {
    const { session, gone, logError } = this.#parts
    try {
      const use = (await settledWithin(session(holder).sandboxUse(), SANDBOX_USE_MS))?.value ?? { state: 'busy' }
      if (use.state === 'none') gone(holder)
      return use
    } catch (thrown) {
      logError(thrown)
      return { state: 'busy' }
    }
  }

  /** Nobody waits for it here: others may have something idle meanwhile. */
  #ask(holder: string, tenant: string): void {
    const { session, now, over, logError } = this.#parts
    this.#asked.set(holder, now() + GIVE_BACK_MS)
    this.#under.set(tenant, (this.#under.get(tenant) ?? 0) + 1)
    settledWithin(session(holder).giveSandboxBack(), GIVE_BACK_MS)
      .catch(logError)
      .finally(() => {
        const left = (this.#under.get(tenant) ?? 1) - 1
        if (left > 0) this.#under.set(tenant, left)
        else this.#under.delete(tenant)
        this.#asked.set(holder, now() + GIVE_BACK_AGAIN_MS)
        over()
      })
  }
}
