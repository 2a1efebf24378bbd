import { GRANTED_CALLS_MS, MAX_RUNNING_CALLS } from '../core/limits/usage.ts'
import type { Counted } from '../registry/limit-settings.ts'
import type { CallCounter } from './call-counter.ts'
import type { OverBatch } from './calls-api.ts'

/** Calls granted to one session together, as the limits count them. */
export interface GrantedBatch {
  /** Session that makes them. */
  readonly node: string
  readonly who: Counted
  readonly counters: readonly CallCounter[]
  /** Least cost of one of them. */
  readonly price: number
  readonly calls: number
  /** Time after which none of them can run any more, in milliseconds since 1970. */
  readonly until: number
}

/** Id of the batch that is granted with a call. */
export const batchOf = (callId: string) => `${callId}+`

interface Open {
  batch: GrantedBatch
  /** Calls that neither ended nor were returned. */
  left: number
  /** Whether its session makes no further call of it. */
  isOver: boolean
  /** Whether its tokens were taken under the rules that hold: others get none back. */
  hasTokens: boolean
}

/** Batches of granted calls of one tenant, in memory, and the sessions that ask for them. */
export class GrantedBatches {
  readonly #open = new Map<string, Open>()
  /** Calls of the batches that each session may still make calls of. */
  readonly #heldBy = new Map<string, number>()
  /** Time of the last request of each session, the oldest first. */
  readonly #requestedAt = new Map<string, number>()

  get size(): number {
    return this.#open.size
  }

  /** Number of calls in the batches of a session that are not over, as far as the tenant knows. */
  heldBy(node: string): number {
    return this.#heldBy.get(node) ?? 0
  }

  /** Notes a request of a session. @returns the number of sessions that asked lately */
  requested(node: string, now: number): number {
    this.#requestedAt.delete(node)
    this.#requestedAt.set(node, now)
    for (const [oldest, at] of this.#requestedAt) {
      if (now - at <= 2 * GRANTED_CALLS_MS && this.#requestedAt.size <= MAX_RUNNING_CALLS) break
      this.#requestedAt.delete(oldest)
    }
    return this.#requestedAt.size
  }

  /** Counts a batch, in the place of one of the same id. */
  add(id: string, batch: GrantedBatch): void {
    const before = this.#open.get(id)
    if (before) this.#release(id, before, before.left)
    for (const counter of batch.counters) counter.hold(batch.calls, batch.price)
    this.#open.set(id, { batch, left: batch.calls, isOver: false, hasTokens: true })
    this.#change(batch.node, batch.calls)
  }

  /** Ends one call of a batch. An unknown batch changes nothing. */
  end(id: string): void {
    const open = this.#open.get(id)
    if (open) this.#release(id, open, 1)
  }

  /** Takes back the calls of a batch that were not made, once. */
  over({ id, made }: OverBatch, now: number): void {
    const open = this.#open.get(id)
    if (!open || open.isOver) return
    this.#close(open)
    const { calls, counters } = open.batch
    const unmade = Math.min(open.left, Math.max(0, calls - made))
    if (open.hasTokens) for (const counter of counters) counter.returnTokens(now, unmade)
    this.#release(id, open, unmade)
  }

  /** Drops batches of which no call can run any more. */
  sweep(now: number): void {
    for (const [id, open] of this.#open) if (open.batch.until <= now) this.#release(id, open, open.left)
  }

  /** Counts the open calls under other rules. */
  renew(countersOf: (who: Counted) => { readonly counters: readonly CallCounter[]; readonly price: number }): void {
    for (const open of this.#open.values()) {
      open.batch = { ...open.batch, ...countersOf(open.batch.who) }
      open.hasTokens = false
      for (const counter of open.batch.counters) counter.hold(open.left, open.batch.price)
    }
  }

  #release(id: string, open: Open, calls: number): void {
    const { counters, price } = open.batch
    open.left -= calls
    for (const counter of counters) counter.release(calls, price)
    if (open.left > 0) return
    this.#open.delete(id)
    this.#close(open)
  }

  #close(open: Open): void {
    if (!open.isOver) this.#change(open.batch.node, -open.batch.calls)
    open.isOver = true
  }

  #change(node: string, calls: number): void {
    const held = this.heldBy(node) + calls
    if (held > 0) this.#heldBy.set(node, held)
    else this.#heldBy.delete(node)
  }
}
