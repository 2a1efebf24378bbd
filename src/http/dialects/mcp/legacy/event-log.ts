import type { EventStore, JSONRPCMessage } from '@modelcontextprotocol/server'
import { MAX_CONNECTION_EVENT_CHARS, MAX_CONNECTION_EVENTS } from '../../../../core/limits/connections.ts'

/** Last messages of a connection's streams, in memory: a client that lost a stream goes on after the event it saw last. */
export class EventLog implements EventStore {
  readonly #events = new Map<
    number,
    { readonly stream: string; readonly message: JSONRPCMessage; readonly size: number }
  >()
  /** The last streams of which a client has an event, by whose id it can come back. */
  readonly #begun = new Set<string>()
  #chars = 0
  /** Number of the last event: from the time on, so that no number of an earlier log of the connection comes again. */
  #last = Date.now()

  async storeEvent(stream: string, message: JSONRPCMessage): Promise<string> {
    this.#last += 1
    const eventId = `${stream}_${this.#last}`
    if (isAnswer(message) && !this.#begun.has(stream)) return eventId
    this.#begun.add(stream)
    const [oldest] = this.#begun
    if (this.#begun.size > MAX_CONNECTION_EVENTS && oldest !== undefined) this.#begun.delete(oldest)
    const size = JSON.stringify(message).length
    if (size > MAX_CONNECTION_EVENT_CHARS) return eventId
    this.#events.set(this.#last, { stream, message, size })
    this.#chars += size
    for (const [number, event] of this.#events) {
      if (this.#events.size <= MAX_CONNECTION_EVENTS && this.#chars <= MAX_CONNECTION_EVENT_CHARS) break
      this.#events.delete(number)
      this.#chars -= event.size
    }
    return eventId
  }

  async getStreamIdForEventId(eventId: string): Promise<string | undefined> {
    return placeOf(eventId)?.stream
  }

  async replayEventsAfter(
    eventId: string,
    { send }: { send: (eventId: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const place = placeOf(eventId)
    if (!place) throw new Error('no such event')
    for (const [number, { stream, message }] of this.#events) {
      // A priming event has no message.
      if (number > place.number && stream === place.stream && 'jsonrpc' in message) {
        await send(`${stream}_${number}`, message)
      }
    }
    return place.stream
  }
}

/** Whether a message ends its request. The first of a stream is not kept then: it is the last as well. */
const isAnswer = (message: JSONRPCMessage) => 'result' in message || 'error' in message

/** Whether an event was of the stream that a client opens by GET, under the SDK's name of it. */
export const isOfOwnStream = (eventId: string): boolean => placeOf(eventId)?.stream === '_GET_stream'

function placeOf(eventId: string): { readonly stream: string; readonly number: number } | null {
  const [, stream, number] = /^([\w-]{1,64})_(\d{1,15})$/.exec(eventId) ?? []
  return stream === undefined ? null : { stream, number: Number(number) }
}
