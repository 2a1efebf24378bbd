import { RefusalError } from '../core/failure.ts'
import { LIMITS_LEASE_MS, MAX_KNOWN_CALLERS, TOOLS_LEASE_MS } from '../core/limits/usage.ts'
import type { Sql } from '../ports/sql.ts'
import { type CallPrice, priceIn } from '../registry/call-price.ts'
import { type Counted, isLimited, type LeasedRule, type Price } from '../registry/limit-settings.ts'
import type {
  AdmittedBuiltin,
  CallsApi,
  HeldLimits,
  LimitsLease,
  NewBatch,
  NewBuiltinCall,
  NewCall,
  ToolsLease,
} from '../tenant/calls-api.ts'
import { GrantedCalls } from './granted-calls.ts'

interface Parts {
  readonly sql: Sql
  readonly session: string
  readonly node: string
  readonly tenant: { readonly calls: Pick<CallsApi, 'admit'> }
  readonly now: () => number
  /** Takes note of calls that were granted for GRANTED_CALLS_MS. */
  readonly granted: () => void
  readonly logError: (thrown: unknown) => void
}

type CallToAdmit = Omit<NewBuiltinCall, 'session' | 'node' | 'holds' | 'wants'> & {
  readonly isQuick: boolean
  /** Whether the key has a rate or a budget of its own, so that the tenant counts each call. */
  readonly isMetered: boolean
}

/** Request of a session for calls of a registered tool that it may make later. */
export interface WantedCalls {
  readonly wants: NonNullable<NewCall['wants']>
  /** Takes the batch of the tenant's answer. */
  readonly answered: (batch: NewBatch | undefined) => void
}

/** Admission of a call. */
export interface Admitted {
  /** Id by which the tenant counts the call; null when it began by the lease alone. */
  readonly as: string | null
  /** Whether the completion must be reported at once. */
  readonly tight: boolean
}

interface HeldTools {
  readonly revision: number
  /** Whether changes of secrets get revisions, too. */
  readonly hasSecrets: boolean
  /** Milliseconds since 1970. */
  readonly until: number
}

interface Held {
  readonly version: number
  readonly rules: readonly LeasedRule[]
  /** Left out in a lease of a tenant's object with older code, during a deployment. */
  readonly prices?: readonly Price[]
  /** Milliseconds since 1970. */
  readonly until: number
}

/** Least extension of the written lease that is worth writing, in milliseconds. */
const WRITTEN_AFTER_MS = LIMITS_LEASE_MS / 5

/**
 * Admits calls of the session's tools. Under a lease of the tenant's limits, calls that no rule limits begin at once; for the
 * others the session asks the tenant, which counts them with those of all its sessions, or uses calls granted before.
 */
export class Admission {
  readonly #parts: Parts
  #held: Held | null = null
  #isBusy = false
  #isWatched = false
  /** Lowest valid version of the limits. Leases of earlier versions are void, though they may still arrive. */
  #validFrom = 0
  #heldTools: HeldTools | null = null
  /** Lowest valid revision of the tools. Leases of earlier ones are void, though they may still arrive. */
  #toolsFrom = 0
  /** End of the written lease; 0 without one. */
  #writtenUntil = 0
  /** Prices of the newest lease, also when it has ended: calls that began by it end later. Null before the first. */
  #prices: readonly Price[] | null = null
  readonly #priceByTool = new Map<string, CallPrice | null>()
  /** Whether some rule limits calls, by key, agent and tool. */
  readonly #limited = new Map<string, boolean>()
  readonly #granted = new GrantedCalls()
  /**
   * Requests under way that ask for granted calls, by place, each with whether some were granted. Further calls of the place wait for it:
   * with requests of their own they would be granted more, for calls that would never be made.
   */
  readonly #asking = new Map<string, Promise<boolean>>()

  constructor(parts: Parts) {
    this.#parts = parts
    const [row] = parts.sql.all<{ held: string }>('SELECT held FROM limits_lease')
    if (!row) return
    this.#held = JSON.parse(row.held) as Held
    this.#prices = this.#held.prices ?? null
    this.#writtenUntil = this.#held.until
  }

  /**
   * Admits a call.
   * @returns a promise only where the tenant must be asked, which rejects with RefusalError `rate_limited`, or `upstream` when
   * the tenant does not answer
   */
  admit(call: CallToAdmit): Admitted | Promise<Admitted> {
    const held = this.#current()
    if (held && !this.#isBusy && !call.isMetered && !this.#isLimited(held.rules, call)) return FREE
    const place = placeOf(call)
    return this.#takeGranted(place) ?? this.#ask(call, place)
  }

  /**
   * Price of a call that was just admitted, in the newest limits that the session was told.
   * @returns null for a tenant without prices, undefined where they are not known
   */
  priceOf(tool: string): CallPrice | null | undefined {
    if (this.#prices === null) return undefined
    const known = this.#priceByTool.get(tool)
    if (known !== undefined) return known
    if (this.#priceByTool.size >= MAX_KNOWN_CALLERS) this.#priceByTool.clear()
    const price = priceIn(this.#prices, tool)
    this.#priceByTool.set(tool, price)
    return price
  }

  /** Whether a webhook of the tenant wants ended calls, as of its last answer. */
  get isWatched(): boolean {
    return this.#isWatched
  }

  /** Whether some rule limits such calls, or may: without a lease that is unknown. */
  isLimited(call: Counted): boolean {
    const held = this.#current()
    return !held || this.#isLimited(held.rules, call)
  }

  /**
   * Begins a call of a registered tool, of the tenant's in the revision of the session's lease, where no rule limits it or such calls were
   * granted before.
   * @param revision the revision of the tools in which the session got the tool
   * @returns null when the tenant must be asked
   */
  beginsUnasked(call: Counted, revision: number): Admitted | null {
    if (!this.#holdsTools(revision)) return null
    return !this.#isBusy && !this.isLimited(call) ? FREE : this.#takeGranted(placeOf(call))
  }

  /**
   * Request for further calls of a registered tool, with one that a rule limits; null where none does, or that is unknown, and where they
   * could not begin by the session's lease of the tools.
   * @param revision as for {@link beginsUnasked}
   */
  wanted(call: Counted, revision: number): WantedCalls | null {
    if (!this.#holdsTools(revision)) return null
    if (!this.#current() || (!this.#isBusy && !this.isLimited(call))) return null
    const { node, now } = this.#parts
    const [place, version, requestedAt] = [placeOf(call), this.#held?.version, now()]
    const over = this.#granted.over(requestedAt)
    return {
      wants: { node, calls: this.#granted.asks(place, requestedAt), over },
      answered: (batch) => {
        this.#granted.known(over)
        if (!batch) return
        // Limits that were put meanwhile void it, whether a notice or an answer told of them.
        if (this.#held?.version === version) this.#keep(place, batch, requestedAt)
        else this.#granted.decline(batch.id)
      },
    }
  }

  /** Revision of the tenant's secrets by which the session may go on with those that it opened; null without a lease. */
  get secretsRevision(): number | null {
    const tools = this.#heldTools
    return tools?.hasSecrets && this.#parts.now() < tools.until ? tools.revision : null
  }

  /** Whether the tenant does not know of some batch of granted calls that it is over. */
  get hasOver(): boolean {
    return this.#granted.over(this.#parts.now()).length > 0
  }

  /** State of the lease to send with a request to the tenant. */
  holds(): HeldLimits {
    const held = this.#current()
    // Whose prices are not known asks for the whole lease.
    const version = held?.prices ? held.version : null
    return { version, over: this.#granted.over(this.#parts.now()), unused: [] }
  }

  /**
   * Takes the leases with which the tenant answers a report.
   * @param sent the state that went with the report, which the tenant knows now
   * @param reportedAt time of the report, in milliseconds since 1970
   */
  renew(lease: LimitsLease & ToolsLease, sent: HeldLimits, reportedAt: number): void {
    this.#take(lease, sent, reportedAt + LIMITS_LEASE_MS)
    const { tools: revision = -1 } = lease
    if (revision < this.#toolsFrom) return
    this.#toolsFrom = revision
    this.#heldTools = { revision, hasSecrets: lease.secrets === true, until: reportedAt + TOOLS_LEASE_MS }
  }

  /** Voids the lease of tools before this revision. */
  dropTools(revision: number): void {
    this.#toolsFrom = Math.max(this.#toolsFrom, revision)
    if (this.#heldTools !== null && this.#heldTools.revision < this.#toolsFrom) this.#heldTools = null
  }

  #take(lease: LimitsLease, sent: HeldLimits, until: number): void {
    this.#granted.known(sent.over ?? [])
    const { version, isBusy } = lease
    if (version < this.#validFrom || version < (this.#held?.version ?? 0)) return
    const known = this.#held?.version === version ? this.#held : null
    const rules = lease.rules ?? known?.rules
    if (rules === undefined) return
    const prices = lease.prices ?? known?.prices
    this.#takePrices(prices ?? null)
    if (known === null) {
      this.#limited.clear()
      this.giveAllBack()
    }
    this.#isBusy = isBusy
    this.#isWatched = lease.isWatched === true
    this.#held = { version, rules, ...(prices && { prices }), until: Math.max(until, known?.until ?? 0) }
    if (lease.rules || this.#held.until - this.#writtenUntil > WRITTEN_AFTER_MS) this.#write(this.#held)
  }

  #takePrices(prices: readonly Price[] | null): void {
    if (prices === this.#prices) return
    this.#prices = prices
    this.#priceByTool.clear()
  }

  /** Voids leases before this version of the limits. */
  drop(version: number): void {
    this.#validFrom = Math.max(this.#validFrom, version)
    if (this.#held && this.#held.version >= this.#validFrom) return
    this.#held = null
    this.#limited.clear()
    this.giveAllBack()
    if (this.#writtenUntil > 0) this.#parts.sql.all('DELETE FROM limits_lease')
    this.#writtenUntil = 0
  }

  /** Gives back all granted calls, of a session that makes none any more. */
  giveAllBack(): void {
    this.#granted.closeAll()
  }

  #current(): Held | null {
    return this.#held && this.#parts.now() < this.#held.until ? this.#held : null
  }

  #holdsTools(revision: number): boolean {
    const tools = this.#heldTools
    return tools !== null && tools.revision === revision && this.#parts.now() < tools.until
  }

  #write(held: Held): void {
    if (this.#parts.sql.isReadOnly) return
    this.#parts.sql.all('INSERT OR REPLACE INTO limits_lease (id, held) VALUES (1, ?)', JSON.stringify(held))
    this.#writtenUntil = held.until
  }

  #isLimited(rules: readonly LeasedRule[], call: Counted): boolean {
    if (rules.length === 0) return false
    const place = placeOf(call)
    const known = this.#limited.get(place)
    if (known !== undefined) return known
    if (this.#limited.size >= MAX_KNOWN_CALLERS) this.#limited.clear()
    const limited = isLimited(rules, call)
    this.#limited.set(place, limited)
    return limited
  }

  #takeGranted(place: string): Admitted | null {
    const as = this.#granted.take(place, this.#parts.now())
    return as === null ? null : { as, tight: false }
  }

  async #ask(call: CallToAdmit, place: string): Promise<Admitted> {
    if (!call.isQuick) return (await this.#askFor(call, place, 0)).admitted
    for (let asking = this.#asking.get(place); asking; asking = this.#asking.get(place)) {
      const isGranted = await asking
      const granted = this.#takeGranted(place)
      if (granted) return granted
      // Near a limit each call asks for itself.
      if (!isGranted) break
    }
    const pace = this.#granted.asks(place, this.#parts.now())
    // Without a lease it is unknown whether any rule limits such calls.
    const wants = this.#asking.has(place) || !this.#current() ? 0 : pace
    const request = this.#askFor(call, place, wants)
    if (wants > 0) {
      const isGranted = request.then(
        (answer) => answer.isGranted,
        () => false,
      )
      this.#asking.set(place, isGranted)
      await isGranted
      this.#asking.delete(place)
    }
    return (await request).admitted
  }

  async #askFor({ isQuick: _, isMetered: __, ...call }: CallToAdmit, place: string, wants: number) {
    const { tenant, session, node, now, logError } = this.#parts
    const sent = this.holds()
    const requestedAt = now()
    let answer: AdmittedBuiltin
    try {
      answer = await tenant.calls.admit({ ...call, session, node, wants, holds: sent })
    } catch (thrown) {
      logError(thrown)
      throw new RefusalError({ code: 'upstream', message: NO_ANSWER })
    }
    const { failure, batch, tight, lease } = answer
    const isVoid = lease.version < Math.max(this.#validFrom, this.#held?.version ?? 0)
    if (batch && isVoid) this.#granted.decline(batch.id)
    // A lease that the session has already is renewed by the report of the call's completion.
    this.#take(lease, sent, lease.rules ? requestedAt + LIMITS_LEASE_MS : 0)
    if (batch && !isVoid) this.#keep(place, batch, requestedAt)
    if (failure) throw new RefusalError(failure)
    return { admitted: { as: call.callId, tight }, isGranted: batch !== undefined && !isVoid }
  }

  #keep(place: string, batch: NewBatch, requestedAt: number): void {
    this.#granted.keep(place, batch, requestedAt)
    this.#parts.granted()
  }
}

const FREE: Admitted = { as: null, tight: false }

const placeOf = ({ key, agent, tool }: Counted) => JSON.stringify([key, agent, tool])

const NO_ANSWER = 'whether the limits allow this call could not be asked; try again in a few seconds'
