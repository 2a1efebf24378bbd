import { MAX_MCP_EXCHANGE_REQUESTS } from '../../core/limits/mcp-servers.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * Ids of one exchange's requests on the wire. The SDK counts from 0 in each client, and exchanges that run at once may share a session of
 * an older server: it would give the answer of one request to the other that has the same id.
 */
export class WireIds {
  readonly #first: number

  /** @param exchange number of the exchange, of those that may share a session */
  constructor(exchange: number) {
    this.#first = (exchange % EXCHANGES_WITH_OWN_IDS) * MAX_MCP_EXCHANGE_REQUESTS
  }

  /** A message of the SDK as the server gets it. Answers to the server's own requests keep their ids. */
  toServer(message: Fields): Fields {
    const { id, method, params } = message
    if (method === CANCELLED) {
      const { requestId, ...others } = params as Fields
      return { ...message, params: { ...others, requestId: this.#onWire(requestId) } }
    }
    return typeof method === 'string' && id !== undefined ? { ...message, id: this.#onWire(id) } : message
  }

  /** A message of the server as the SDK gets it; null for an answer to a request that is none of this exchange's. */
  toClient(message: Fields): Fields | null {
    const { id, method } = message
    if (typeof method === 'string' || id === undefined || id === null) return message
    const number = typeof id === 'string' && /^\d{1,15}$/.test(id) ? Number(id) : id
    // The SDK's first question has a text for an id, and a session none yet.
    if (typeof number !== 'number') return message
    const ours = number - this.#first
    return ours >= 0 && ours < MAX_MCP_EXCHANGE_REQUESTS ? { ...message, id: ours } : null
  }

  #onWire = (id: unknown) => (typeof id === 'number' ? this.#first + id : id)
}

const CANCELLED = 'notifications/cancelled'

/** Exchanges until ids begin again: the largest is still below 2^31, beyond which some servers read none. */
const EXCHANGES_WITH_OWN_IDS = 20_000_000
