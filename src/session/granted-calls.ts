import { FIRST_GRANTED_CALLS, GRANTED_CALLS_MS, GRANTED_GROWTH, MAX_KNOWN_CALLERS } from '../core/limits/usage.ts'
import type { OverBatch } from '../tenant/calls-api.ts'

interface Batch {
  readonly id: string
  readonly calls: number
  made: number
  /** Milliseconds since 1970. */
  readonly until: number
}

/** Calls of one tool, key and agent: the batch in use, and the pace at which they come. */
interface Place {
  batch: Batch | null
  /** Number of the last batch's calls that were made: all of them where it was used up; 0 before the first, and after a quiet while. */
  last: number
  /** Beginning of the time whose calls are counted, in milliseconds since 1970. */
  since: number
  calls: number
}

/**
 * Calls that the tenant granted to a session before they are made, by place: tool, key and agent. How many are asked for follows from the
 * pace at which calls of a place come: a call that comes alone asks for none, so that nothing is kept from other sessions for it.
 */
export class GrantedCalls {
  readonly #places = new Map<string, Place>()
  #over: readonly OverBatch[] = []

  /** Batches that are over and unknown as such to the tenant, once those whose time is over are closed. */
  over(now: number): readonly OverBatch[] {
    for (const place of this.#places.values()) if (place.batch && place.batch.until <= now) this.#close(place)
    return this.#over
  }

  /** Forgets over batches that the tenant knows. */
  known(sent: readonly OverBatch[]): void {
    if (sent.length > 0) this.#over = this.#over.filter((batch) => !sent.includes(batch))
  }

  /** Begins a granted call. @returns the id of its batch; null when there is none */
  take(name: string, now: number): string | null {
    const place = this.#places.get(name)
    const batch = place?.batch
    if (!place || !batch) return null
    if (batch.until <= now) {
      this.#close(place)
      return null
    }
    place.calls += 1
    batch.made += 1
    if (batch.made === batch.calls) this.#close(place)
    return batch.id
  }

  /** Notes a call that asks the tenant. @returns the number of calls to ask for with it */
  asks(name: string, now: number): number {
    const place = this.#places.get(name) ?? this.#make(name, now)
    if (now - place.since > 2 * GRANTED_CALLS_MS) {
      this.#close(place)
      place.last = 0
      place.since = now
      place.calls = 0
    }
    const wants = Math.ceil((place.calls * GRANTED_CALLS_MS) / Math.max(1, now - place.since))
    place.calls += 1
    // Of calls that come at once the pace is any number.
    const made = place.batch?.made ?? place.last
    return Math.min(wants, Math.max(FIRST_GRANTED_CALLS, GRANTED_GROWTH * made))
  }

  /** Keeps a batch that was granted at `now`. */
  keep(name: string, { id, calls }: { readonly id: string; readonly calls: number }, now: number): void {
    const place = this.#places.get(name) ?? this.#make(name, now)
    this.#close(place)
    place.batch = { id, calls, made: 0, until: now + GRANTED_CALLS_MS }
    place.since = now
    place.calls = 0
  }

  /** Gives back a batch of which no call is made. */
  decline(id: string): void {
    this.#over = [...this.#over, { id, made: 0 }]
  }

  closeAll(): void {
    for (const place of this.#places.values()) this.#close(place)
  }

  #make(name: string, now: number): Place {
    const [oldest] = this.#places
    if (oldest && this.#places.size >= MAX_KNOWN_CALLERS) {
      this.#close(oldest[1])
      this.#places.delete(oldest[0])
    }
    const place = { batch: null, last: 0, since: now, calls: 0 }
    this.#places.set(name, place)
    return place
  }

  #close(place: Place): void {
    if (!place.batch) return
    const { id, made } = place.batch
    this.#over = [...this.#over, { id, made }]
    place.last = made
    place.batch = null
  }
}
