import {
  GIVE_BACK_AGAIN_MS,
  GIVE_BACK_MS,
  MAX_QUERIED_SESSIONS,
  QUIET_ENOUGH_MS,
  SANDBOX_TURN_MS,
  SANDBOX_USE_MS,
} from '../core/limits/leases.ts'
import { settledWithin } from '../core/settled-within.ts'
import type { LeaseHolder, SandboxUse } from '../ports/sandbox-leases.ts'
import { type LeaseTable, tenantOf } from './lease-table.ts'

interface Parts {
  readonly table: LeaseTable
  /** Object of the session, which reports how it uses its sandbox. */
  readonly session: (holder: string) => LeaseHolder
  readonly now: () => number
  /** Reports that a session has no sandbox any more. */
  readonly gone: (holder: string) => void
  readonly logError: (thrown: unknown) => void
}

/** A tenant with waiting sessions. */
export interface Want {
  readonly tenant: string
  /** Number of waiting sessions. */
  readonly sessions: number
  /** True for a tenant at its own limit: only one of its own sandboxes makes room. */
  readonly onlyOwn: boolean
}

interface Candidate {
  readonly holder: string
  readonly use: SandboxUse
}

/** Finds sandboxes for waiting sessions, and asks their holders to pause them. */
export class GiveBack {
  readonly #parts: Parts
  /** Time until which a session is not asked again, by holder. */
  readonly #requests = new Map<string, number>()
  /** Sessions asked to pause their sandbox: the tenant that waits for it, and the time until which the pause is expected. */
  readonly #giving = new Map<string, { readonly tenant: string; readonly until: number }>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /**
   * Requests as many sandboxes back as are wanted: idle ones at once; where there are none, busy ones for the time when
   * they become idle.
   * @param wants waiting tenants, in their turn
   */
  async askFor(wants: readonly Want[]): Promise<void> {
    const now = this.#parts.now()
    for (const [holder, until] of this.#requests) if (until <= now) this.#requests.delete(holder)
    const uses = new Map<string, Promise<SandboxUse>>()
    // Takes one sandbox for each tenant in turn, then the next for each.
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

  /** Whether a session whose sandbox became idle must pause it; true also notes that the pause is expected. */
  wantsBack(holder: string, wants: readonly Want[]): boolean {
    const want = wants.find((one) => this.#missing(one) > 0 && this.#mayTake(one, tenantOf(holder)))
    if (want) this.#giving.set(holder, { tenant: want.tenant, until: this.#parts.now() + GIVE_BACK_MS })
    return want !== undefined
  }

  /** Ends the request to a session: it has no lease any more, or kept its sandbox. */
  over(holder: string): void {
    this.#giving.delete(holder)
  }

  /** Number of wanted sandboxes beyond those already being paused. */
  #missing({ tenant, sessions }: Want): number {
    const now = this.#parts.now()
    for (const [holder, { until }] of this.#giving) if (until <= now) this.#giving.delete(holder)
    return sessions - [...this.#giving.values()].filter((given) => given.tenant === tenant).length
  }

  #mayTake({ tenant, onlyOwn }: Want, from: string): boolean {
    const { table } = this.#parts
    return from === tenant || (!onlyOwn && table.count(from) > table.count(tenant))
  }

  /**
   * Sessions to ask: of the first tenant with an idle sandbox, else of the one with most leases, among tenants that may lose one.
   */
  async #candidates(want: Want, uses: Map<string, Promise<SandboxUse>>): Promise<Candidate[]> {
    const { table } = this.#parts
    let atWork: Candidate[] = []
    for (const tenant of table.tenants()) {
      if (!this.#mayTake(want, tenant)) continue
      const open = table.holders(tenant).filter((holder) => !this.#requests.has(holder) && !this.#giving.has(holder))
      // The longest holders come first.
      const holders = open.filter((holder, at) => uses.has(holder) || uses.size + at < MAX_QUERIED_SESSIONS)
      const candidates = await Promise.all(
        holders.map(async (holder) => ({ holder, use: await this.#use(holder, uses) })),
      )
      const found = candidates.filter((candidate) => this.#hadItsTurn(candidate))
      if (found.some(({ use }) => use.state === 'idle')) return found
      if (atWork.length === 0) atWork = found
    }
    return atWork
  }

  /** Whether a session had its turn: its sandbox is quiet, or its lease is not new any more. */
  #hadItsTurn({ holder, use }: Candidate): boolean {
    if (use.state === 'idle' && use.quietMs >= QUIET_ENOUGH_MS) return true
    return use.state !== 'none' && this.#parts.now() - this.#parts.table.since(holder) >= SANDBOX_TURN_MS
  }

  #use(holder: string, uses: Map<string, Promise<SandboxUse>>): Promise<SandboxUse> {
    const known = uses.get(holder)
    if (known) return known
    const use = this.#askUse(holder)
    uses.set(holder, use)
    return use
  }

  /** Use of a session's sandbox. A session that cannot be asked counts as busy. */
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

  /** Asks a session to pause its sandbox, without waiting: others may have an idle one meanwhile. */
  #ask(holder: string): void {
    const { session, now, logError } = this.#parts
    this.#requests.set(holder, now() + GIVE_BACK_AGAIN_MS)
    settledWithin(session(holder).giveSandboxBack(), GIVE_BACK_MS)
      .catch(logError)
      .finally(() => this.over(holder))
  }
}

function quietestFirst({ use: a }: Candidate, { use: b }: Candidate): number {
  if (a.state !== 'idle' || b.state !== 'idle') return 0
  return Number(a.background) - Number(b.background) || b.quietMs - a.quietMs
}
