import { ROOM_LEASE_MS, ROOM_LOOK_MS, ROOM_RENEWED_MS } from './limits/memory.ts'

export interface MemoryRoomLimits {
  readonly bytes: number
  /** Bytes of one owner. What is larger takes as much. */
  readonly ownBytes: number
  /** Requests that wait, of all owners. */
  readonly waiting: number
  readonly waitMs: number
}

/** Room that a request has. Given back once. */
export type GiveBack = () => void

/**
 * Room in an isolate's memory. Requests wait for it in their order, but for those whose owner has all that it may have, and for those
 * that pass a larger one without delaying it. Where too many wait, the owner with most of them loses its last. Whoever has or awaits
 * room renews its lease by a timer of its own, since the runtime ends the code of a request without a word when its client is
 * gone. One per isolate.
 */
export class MemoryRoom {
  readonly #limits: MemoryRoomLimits
  readonly #now: () => number
  readonly #held = new Set<Place>()
  readonly #waiting = new Set<Place>()
  #arrivals = 0
  #sweptAt = 0
  /** Time until which all count as alive. */
  #trustedUntil = 0

  constructor(limits: MemoryRoomLimits, now: () => number) {
    this.#limits = limits
    this.#now = now
  }

  /** Waits for room. @returns null when too many wait, or it took too long */
  async take(owner: string, bytes: number): Promise<GiveBack | null> {
    const place = new Place(owner, Math.min(bytes, this.#limits.ownBytes), this.#arrivals++, this.#now)
    this.#waiting.add(place)
    this.#serve()
    if (this.#waiting.size > this.#limits.waiting) this.#refuseOne(owner)
    if (!(this.#held.has(place) || (await this.#turn(place)))) return null
    return place.held(() => {
      this.#held.delete(place)
      this.#serve()
    })
  }

  /** @returns whether there was room in time */
  async #turn(place: Place): Promise<boolean> {
    const until = this.#now() + this.#limits.waitMs
    // The runtime ends a request that waits only for others, so this timer also keeps it alive.
    const timer = setInterval(() => {
      place.renew()
      // Others may have ended its wait, and the runtime has yet to come to this request.
      if (place.hasEnded) return
      this.#waiting.add(place)
      if (this.#now() < until) return this.#serve()
      this.#waiting.delete(place)
      place.end(false)
    }, ROOM_LOOK_MS)
    try {
      return await place.turn
    } finally {
      clearInterval(timer)
    }
  }

  /** Refuses the last place of the owner that has most of them; where others have as many, the newcomer's own. */
  #refuseOne(newcomer: string): void {
    const owners = Map.groupBy(this.#waiting, ({ owner }) => owner)
    let most = owners.get(newcomer) ?? []
    for (const places of owners.values()) if (places.length > most.length) most = places
    const last = most.at(-1)
    if (!last) return
    this.#waiting.delete(last)
    last.end(false)
  }

  #serve(): void {
    this.#sweep()
    const { bytes, ownBytes } = this.#limits
    let head: Place | null = null
    for (const place of this.#waiting) {
      if (this.#taken(({ owner }) => owner === place.owner) + place.bytes > ownBytes) continue
      if (head && !this.#mayPass(head, place)) continue
      if (this.#taken() + place.bytes > bytes) {
        head ??= place
        continue
      }
      this.#waiting.delete(place)
      this.#held.add(place)
      place.end(true)
    }
  }

  /** Whether the head would lack room even without those that passed it: so it waits for these once at most, however many come. */
  #mayPass(head: Place, place: Place): boolean {
    if (place.owner === head.owner) return false
    return this.#taken(({ arrival }) => arrival < head.arrival) + head.bytes > this.#limits.bytes
  }

  #taken(counts: (place: Place) => boolean = () => true): number {
    let bytes = 0
    for (const place of this.#held) if (counts(place)) bytes += place.bytes
    return bytes
  }

  #sweep(): void {
    const now = this.#now()
    // While one piece of work had the thread, or nobody looked, the others may have had no turn to renew theirs.
    if (now - this.#sweptAt > ROOM_RENEWED_MS) this.#trustedUntil = now + 2 * ROOM_RENEWED_MS
    this.#sweptAt = now
    if (now < this.#trustedUntil) return
    for (const places of [this.#held, this.#waiting]) {
      for (const place of places) if (!place.isAlive) places.delete(place)
    }
  }
}

class Place {
  readonly owner: string
  readonly bytes: number
  /** Number in the order of arrival. */
  readonly arrival: number
  readonly #now: () => number
  readonly #turn = Promise.withResolvers<boolean>()
  #leaseUntil = 0
  #hasEnded = false

  constructor(owner: string, bytes: number, arrival: number, now: () => number) {
    this.owner = owner
    this.bytes = bytes
    this.arrival = arrival
    this.#now = now
    this.renew()
  }

  get isAlive(): boolean {
    return this.#now() < this.#leaseUntil
  }

  /** Whether its wait is over. */
  get hasEnded(): boolean {
    return this.#hasEnded
  }

  get turn(): Promise<boolean> {
    return this.#turn.promise
  }

  end(hasRoom: boolean): void {
    this.renew()
    this.#hasEnded = true
    this.#turn.resolve(hasRoom)
  }

  renew(): void {
    this.#leaseUntil = this.#now() + ROOM_LEASE_MS
  }

  /** To be called by the request that has the room: its timers end with it. */
  held(giveBack: () => void): GiveBack {
    const timer = setInterval(() => this.renew(), ROOM_RENEWED_MS)
    return () => {
      clearInterval(timer)
      giveBack()
    }
  }
}
