import { MAX_OPEN_OF_A_KIND, MAX_OPEN_REQUESTS } from '../core/limits/outgoing.ts'
import { bothSlots, type Slots, slots } from '../core/slots.ts'

/**
 * Places of one object for requests that wait for their answers to begin. A kind of request never has all of them. Streams of large
 * files are not counted: they wait for their senders.
 */
export interface OpenRequests {
  /** Requests to hosts, and the look-ups of their names. */
  readonly toHosts: Slots
  /** Requests to the store of contents. */
  readonly toStore: Slots
}

/** Places for one object, or for one request outside of objects. Other requests must not share them. */
export function openRequests(): OpenRequests {
  const all = slots(MAX_OPEN_REQUESTS)
  return { toHosts: bothSlots(slots(MAX_OPEN_OF_A_KIND), all), toStore: bothSlots(slots(MAX_OPEN_OF_A_KIND), all) }
}
