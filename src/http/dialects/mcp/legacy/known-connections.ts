import { CONNECTION_KNOWN_MS, MAX_KNOWN_CONNECTIONS } from '../../../../core/limits/connections.ts'

/** Connections of the older revisions that their objects lately said are there, in one isolate. */
export class KnownConnections {
  readonly #known = new Map<string, { readonly owner: string; readonly until: number }>()

  /** @param owner key and address of the request: another one's is not known, and its object refuses it */
  has(name: string, owner: string): boolean {
    const found = this.#known.get(name)
    return found !== undefined && found.owner === owner && Date.now() < found.until
  }

  add(name: string, owner: string): void {
    this.#known.delete(name)
    this.#known.set(name, { owner, until: Date.now() + CONNECTION_KNOWN_MS })
    const [oldest] = this.#known.keys()
    if (this.#known.size > MAX_KNOWN_CONNECTIONS && oldest !== undefined) this.#known.delete(oldest)
  }

  remove(name: string): void {
    this.#known.delete(name)
  }
}
