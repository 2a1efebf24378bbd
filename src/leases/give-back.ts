import {
  GIVE_BACK_AGAIN_MS,
  GIVE_BACK_MS,
  MAX_ASKED_SESSIONS,
  QUIET_ENOUGH_MS,
  SANDBOX_TURN_MS,
  SANDBOX_USE_MS,
} from '../core/limits/leases.ts'
import { settledWithin } from '../core/settled-within.ts'
import type { LeaseHolder, SandboxUse } from '../ports/sandbox-leases.ts'
import { type LeaseTable, tenantOf } from './lease-table.ts'

interface Parts {
  readonly table: LeaseTable
  /** The session of that name, to be asked. */
  readonly session: (holder: string) => LeaseHolder
  readonly now: () => number
  /** A session has no sandbox any more. */
  readonly gone: (holder: string) => void
  readonly logError: (thrown: unknown) => void
}

/** A tenant whose sessions wait. */
export interface Want {
  readonly tenant: string
  /** How many of them wait. */
  readonly sessions: number
  /** It has as many as it may, so that only its own can go. */
  readonly onlyOwn: boolean
}

interface Candidate {
  readonly holder: string
  readonly use: SandboxUse
}

/** Finds sandboxes for those who wait, and asks their sessions to pause them. */
export class GiveBack {
  readonly #parts: Parts
  /** Until when sessions are not asked again, by holder. */
  readonly #asked = new Map<string, number>()
  /** Sessions that pause their sandbox: for which tenant, and until when that is believed. */
  readonly #giving = new Map<string, { readonly tenant: string; readonly until: number }>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /**
   * Asks back as many sandboxes as are wanted: idle ones at once, and where there are none those that are at work, for
   * when they are not any more.
   * @param wants in their turn
   */
  async askFor(wants: readonly Want[]): Promise<void> {
    const now = this.#parts.now()
    for (const [holder, until] of this.#asked) if (until <= now) this.#asked.delete(holder)
    const uses = new Map<string, Promise<SandboxUse>>()
    // One for each tenant in its turn, and then the next for each.
    let open = wants.map((want) => ({ want, missing: this.#missing(want) }))
    while (open.length > 0) {
      const served: typeof open = []
      for (const { want, missing } of open.filter((one) => one.missing > 0)) {
        const candidates = await this.#candidates(want, uses)
        const [idle] = candidates.filter(({ use }) => use.state === 'idle').sort(quietestFirst)
        if (idle) {
          served.push({ want, missing: missing - 1 })
          this.#giving.set(idle.holder, { tenant: want.tenant, until: this.#parts.now() + GIVE_BACK_MS })
        }
        for (const { holder } of idle ? [idle] : candidates) this.#ask(holder)
      }
      open = served
    }
  }

  /** Whether a session that is not at work any more is to pause its sandbox; then it is expected to do so. */
  wantsBack(holder: string, wants: readonly Want[]): boolean {
    const want = wants.find((one) => this.#missing(one) > 0 && this.#mayTake(one, tenantOf(holder)))
    if (want) this.#giving.set(holder, { tenant: want.tenant, until: this.#parts.now() + GIVE_BACK_MS })
    return want !== undefined
  }

  /** The session has no lease any more, or was asked and kept it. */
  over(holder: string): void {
    this.#giving.delete(holder)
  }

  /** How many more are wanted than are on their way. */
  #missing({ tenant, sessions }: Want): number {
    const now = this.#parts.now()
    for (const [holder, { until }] of this.#giving) if (until <= now) this.#giving.delete(holder)
    return sessions - [...this.#giving.values()].filter((given) => given.tenant === tenant).length
  }

  #mayTake({ tenant, onlyOwn }: Want, from: string): boolean {
    const { table } = this.#parts
    return from === tenant || (!onlyOwn && table.count(from) > table.count(tenant))
  }

  /** Sessions of the tenant that has most, of those that have some that may go. */
  async #candidates(want: Want, uses: Map<string, Promise<SandboxUse>>): Promise<Candidate[]> {
    const { table } = this.#parts
    let atWork: Candidate[] = []
    for (const tenant of table.tenants()) {
      if (!this.#mayTake(want, tenant)) continue
      const open = table.holders(tenant).filter((holder) => !this.#asked.has(holder) && !this.#giving.has(holder))
      // Those that have theirs for longest come first.
      const holders = open.filter((holder, at) => uses.has(holder) || uses.size + at < MAX_ASKED_SESSIONS)
      const asked = await Promise.all(holders.map(async (holder) => ({ holder, use: await this.#use(holder, uses) })))
      const found = asked.filter((candidate) => this.#hadItsTurn(candidate))
      if (found.some(({ use }) => use.state === 'idle')) return found
      if (atWork.length === 0) atWork = found
    }
    return atWork
  }

  /** Who has only just got one keeps it for a while, unless it does nothing with it. */
  #hadItsTurn({ holder, use }: Candidate): boolean {
    if (use.state === 'idle' && use.quietMs >= QUIET_ENOUGH_MS) return true
    return use.state !== 'none' && this.#parts.now() - this.#parts.table.since(holder) >= SANDBOX_TURN_MS
  }

  #use(holder: string, uses: Map<string, Promise<SandboxUse>>): Promise<SandboxUse> {
    const known = uses.get(holder)
    if (known) return known
    const asked = this.#askUse(holder)
    uses.set(holder, asked)
    return asked
  }

  /** A session that cannot be asked counts as one at work. */
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
  #ask(holder: string): void {
    const { session, now, logError } = this.#parts
    this.#asked.set(holder, now() + GIVE_BACK_AGAIN_MS)
    settledWithin(session(holder).giveSandboxBack(), GIVE_BACK_MS)
      .catch(logError)
      .finally(() => this.over(holder))
  }
}

function quietestFirst({ use: a }: Candidate, { use: b }: Candidate): number {
  if (a.state !== 'idle' || b.state !== 'idle') return 0
  return Number(a.background) - Number(b.background) || b.quietMs - a.quietMs
}
