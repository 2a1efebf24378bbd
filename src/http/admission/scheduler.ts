import type { TenantId } from '../../core/ids.ts'
import {
  CONTENTION_MS,
  LONE_REQUEST_SLOTS,
  MAX_ALL_WAITING_REQUESTS,
  MAX_EVENT_STREAMS,
  MAX_LONG_REQUESTS,
  MAX_WAITING_REQUESTS,
  SLOT_MS,
  STREAM_LEASE_MS,
} from '../../core/limits/admission.ts'
import type { Clock } from '../../ports/clock.ts'
import { eventStreamsError, longRequestsError, waitingRequestsError } from './errors.ts'
import type { Permit } from './permit.ts'
import { RunningRequest } from './running-request.ts'
import { Share } from './share.ts'
import { WaitingRequest } from './waiting-request.ts'

/**
 * Scheduler that shares an isolate's thread among tenants. Requests take slots: LONE_REQUEST_SLOTS while one tenant is
 * alone and `slots` while several have requests; further requests wait in the queue of their tenant. A free slot goes to
 * the tenant that has the fewest, in turns where several have equally many; a tenant without any never waits. A request
 * that holds slots for longer than SLOT_MS loses them and counts as a long one. One scheduler per isolate.
 */
export class RequestScheduler {
  readonly #clock: Clock
  readonly #contendedSlots: number
  readonly #shares = new Map<TenantId, Share>()
  /** Shares with waiting requests; the latest served stands last. */
  readonly #queues = new Set<Share>()
  /** Requests whose slots are counted in `#slots`, the oldest first. */
  readonly #short = new Set<RunningRequest>()
  readonly #long = new Set<RunningRequest>()
  #slots = 0
  #waiting = 0
  #sweptAt = 0
  /** Sender and time of the last request. */
  #last: { readonly tenant: TenantId; readonly at: number } | null = null
  #contendedUntil = 0

  constructor({ clock, slots }: { readonly clock: Clock; readonly slots: number }) {
    this.#clock = clock
    this.#contendedSlots = slots
  }

  /** Number of tenants with requests. */
  get tenants(): number {
    return this.#shares.size
  }

  /**
   * Waits until the tenant may have this request at work.
   * @param slots number of slots that the request takes
   * @throws FailureError `rate_limited` when too many wait already, or this one has waited for MAX_REQUEST_WAIT_MS
   */
  async enter(tenant: TenantId, slots: number): Promise<Permit> {
    const share = this.#shareOf(tenant)
    this.#noteArrival(tenant)
    this.#takeOverdueSlots()
    if (share.waiting.size === 0 && this.#fits(share, slots)) return this.#begin(share, slots)

    if (share.waiting.size >= MAX_WAITING_REQUESTS) this.#sweep()
    const isOneTooMany = this.#waiting >= MAX_ALL_WAITING_REQUESTS && share.waiting.size > 0
    if (isOneTooMany || share.waiting.size >= MAX_WAITING_REQUESTS) throw waitingRequestsError()
    const request = new WaitingRequest(slots, this.#clock)
    share.waiting.add(request)
    this.#queues.add(share)
    this.#waiting++
    this.#serve()
    const look = () => {
      this.#sweep()
      this.#serve()
    }
    return request.turn(look, () => this.#isContended)
  }

  #noteArrival(tenant: TenantId): void {
    const at = this.#clock.now()
    const last = this.#last
    if (last && last.tenant !== tenant && at - last.at < CONTENTION_MS) this.#contendedUntil = at + CONTENTION_MS
    this.#last = { tenant, at }
  }

  get #isContended(): boolean {
    return this.#clock.now() < this.#contendedUntil
  }

  /** Whether a request may begin. A tenant with nothing at work always may, so that no other one can keep it from that. */
  #fits(share: Share, slots: number): boolean {
    const free = (this.#isContended ? this.#contendedSlots : LONE_REQUEST_SLOTS) - Math.max(share.slots, this.#slots)
    return share.slots === 0 || slots <= free
  }

  #begin(share: Share, slots: number): Permit {
    const request = new RunningRequest(share, slots, this.#clock)
    share.slots += slots
    this.#slots += slots
    this.#short.add(request)
    return {
      beginLongWait: () => this.#beginLongWait(request),
      openStream: () => this.#openStream(share),
      release: () => {
        request.end()
        this.#forget(request)
      },
    }
  }

  #beginLongWait(request: RunningRequest): void {
    const { share, state } = request
    if (state === 'over') return
    if (state !== 'long') {
      if (share.long >= MAX_LONG_REQUESTS) this.#sweep()
      if (share.long >= MAX_LONG_REQUESTS) throw longRequestsError()
      this.#giveSlotsBack(request)
      this.#becomeLong(request)
      this.#serve()
    }
    request.renewLease()
  }

  #becomeLong(request: RunningRequest): void {
    request.state = 'long'
    request.share.long++
    this.#long.add(request)
  }

  #giveSlotsBack(request: RunningRequest): void {
    request.share.slots -= request.slots
    // The slots of an overdue request are others' already.
    if (this.#short.delete(request)) this.#slots -= request.slots
  }

  #forget(request: RunningRequest): void {
    if (request.state === 'over') return
    if (this.#long.delete(request)) request.share.long--
    else this.#giveSlotsBack(request)
    request.state = 'over'
    this.#forgetIdle(request.share)
    this.#serve()
  }

  #openStream(share: Share): () => void {
    const now = this.#clock.now()
    for (const stream of share.streams) if (stream.until <= now) share.streams.delete(stream)
    if (share.streams.size >= MAX_EVENT_STREAMS) throw eventStreamsError()
    const stream = { until: now + STREAM_LEASE_MS }
    share.streams.add(stream)
    return () => {
      if (share.streams.delete(stream)) this.#forgetIdle(share)
    }
  }

  /** Gives free slots to waiting requests. */
  #serve(): void {
    if (this.#waiting === 0) return
    this.#takeOverdueSlots()
    for (let share = this.#next(); share; share = this.#next()) {
      const [first] = share.waiting
      if (!first) return
      if (!first.isAlive) {
        this.#refuse(share, first)
        continue
      }
      this.#dequeue(share, first)
      // The served tenant is the last one in turn now.
      if (this.#queues.delete(share)) this.#queues.add(share)
      first.grant(this.#begin(share, first.slots))
    }
  }

  #next(): Share | null {
    let next: Share | null = null
    for (const share of this.#queues) {
      const [first] = share.waiting
      if (first && this.#fits(share, first.slots) && (next === null || share.slots < next.slots)) next = share
    }
    return next
  }

  #dequeue(share: Share, request: WaitingRequest): void {
    share.waiting.delete(request)
    this.#waiting--
    if (share.waiting.size === 0) this.#queues.delete(share)
  }

  #refuse(share: Share, request: WaitingRequest): void {
    this.#dequeue(share, request)
    this.#forgetIdle(share)
    request.refuse()
  }

  #takeOverdueSlots(): void {
    const before = this.#clock.now() - SLOT_MS
    for (const request of this.#short) {
      if (request.since > before) return
      const { share, slots } = request
      this.#short.delete(request)
      this.#slots -= slots
      request.state = 'overdue'
      if (share.long >= MAX_LONG_REQUESTS) continue
      share.slots -= slots
      this.#becomeLong(request)
    }
  }

  /** Drops requests whose clients are gone, at most once in SLOT_MS. */
  #sweep(): void {
    const now = this.#clock.now()
    if (now - this.#sweptAt < SLOT_MS) return
    this.#sweptAt = now
    for (const request of this.#long) if (!request.isAlive) this.#forget(request)
    for (const share of this.#queues) {
      for (const request of share.waiting) if (!request.isAlive) this.#refuse(share, request)
    }
  }

  #shareOf(tenant: TenantId): Share {
    const known = this.#shares.get(tenant)
    if (known) return known
    const share = new Share(tenant)
    this.#shares.set(tenant, share)
    return share
  }

  #forgetIdle(share: Share): void {
    if (share.isIdle && this.#shares.get(share.tenant) === share) this.#shares.delete(share.tenant)
  }
}
