import { MAX_OPEN_REQUESTS } from '../core/limits/outgoing.ts'
import { type Slots, slotsOfKinds } from '../core/slots.ts'

/**
 * Places of one object for requests that wait for their answers to begin. Each kind of request has one whatever the others do. Streams of
 * large files into the store are not counted: they wait for their senders.
 */
export interface OpenRequests {
  /** Requests to hosts, and the look-ups of their names. */
  readonly toHosts: Slots
  /** Requests to the store of contents. */
  readonly toStore: Slots
  /** Requests to the sandbox and to its provider. */
  readonly toSandbox: Slots
  /**
   * Takes a place for a request whose answer begins at its end.
   * @returns a function that frees it; null when none can be spared now
   */
  hold(): (() => void) | null
}

/** Places for one object, or for one request outside of objects. Other requests must not share them. */
export function openRequests(): OpenRequests {
  const { of, hold } = slotsOfKinds(MAX_OPEN_REQUESTS, ['hosts', 'store', 'sandbox'])
  return { toHosts: of.hosts, toStore: of.store, toSandbox: of.sandbox, hold }
}
