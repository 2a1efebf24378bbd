import { ENDED_CONNECTIONS_AT_ONCE, MAX_CONNECTION_LOOKS, MAX_MCP_CONNECTIONS } from '../core/limits/connections.ts'

/** Part of an object's storage that the list is kept in. */
interface Storage {
  list(options: { readonly prefix: string }): Promise<Map<string, number>>
  put(key: string, time: number): Promise<void>
  delete(key: string): Promise<boolean>
}

interface Parts {
  readonly storage: Storage
  /** Ends a connection that rests. @returns milliseconds since 1970 of its last use where it does not rest; null where it has ended */
  readonly endResting: (name: string) => Promise<number | null>
  /** Ends a connection, whether or not it rests. */
  readonly end: (name: string) => Promise<void>
}

/**
 * Connections of one tenant, each with the time of its last use as far as it is known here: nobody tells of a use, and the time is learnt when
 * there is no room for a new one.
 */
export class ConnectionList {
  readonly #parts: Parts
  /** Times by the names of objects, the earliest first. */
  #usedAt: Promise<Map<string, number>> | null = null

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Adds a connection, for which the longest unused one is ended where there is no room. @returns false where those that were looked at are all in use */
  async add(name: string): Promise<boolean> {
    const usedAt = await this.#all()
    await this.#put(name, Date.now())
    for (let looks = 0; usedAt.size > MAX_MCP_CONNECTIONS; looks++) {
      const [oldest] = usedAt.keys()
      if (looks === MAX_CONNECTION_LOOKS || oldest === undefined || oldest === name) {
        await this.remove(name)
        return false
      }
      // Whoever comes meanwhile looks at another one.
      usedAt.delete(oldest)
      const lastUse = await this.#parts.endResting(oldest).catch(() => Date.now())
      if (lastUse === null) await this.remove(oldest)
      else await this.#put(oldest, lastUse)
    }
    return true
  }

  async remove(name: string): Promise<void> {
    const usedAt = await this.#all()
    usedAt.delete(name)
    await this.#parts.storage.delete(`${PREFIX}${name}`)
  }

  /** Ends some of the connections, whether or not they rest. @returns whether there are more */
  async endSome(): Promise<boolean> {
    const usedAt = await this.#all()
    const some = [...usedAt.keys()].slice(0, ENDED_CONNECTIONS_AT_ONCE)
    await Promise.all(some.map((name) => this.#parts.end(name).then(() => this.remove(name))))
    return usedAt.size > 0
  }

  async #put(name: string, time: number): Promise<void> {
    const usedAt = await this.#all()
    usedAt.delete(name)
    usedAt.set(name, time)
    await this.#parts.storage.put(`${PREFIX}${name}`, time)
  }

  #all(): Promise<Map<string, number>> {
    this.#usedAt ??= this.#read().catch((thrown) => {
      this.#usedAt = null
      throw thrown
    })
    return this.#usedAt
  }

  async #read(): Promise<Map<string, number>> {
    const stored = await this.#parts.storage.list({ prefix: PREFIX })
    const byTime = [...stored].sort(([, one], [, other]) => one - other)
    return new Map(byTime.map(([key, time]) => [key.slice(PREFIX.length), time]))
  }
}

/** Name of the object that is the list of a tenant's connections. */
export const connectionListName = (tenant: string) => `${tenant}/list`

const PREFIX = 'listed/'
