/** A map that drops its least recently used entry. */
export class RecentlyUsed<Value> {
  readonly #entries = new Map<string, Value>()
  readonly #max: number

  constructor(max: number) {
    this.#max = max
  }

  get(name: string): Value | undefined {
    const value = this.#entries.get(name)
    if (value !== undefined) this.set(name, value)
    return value
  }

  set(name: string, value: Value): void {
    this.#entries.delete(name)
    this.#entries.set(name, value)
    if (this.#entries.size > this.#max) {
      const oldest = this.#entries.keys().next()
      if (!oldest.done) this.#entries.delete(oldest.value)
    }
  }

  delete(name: string): void {
    this.#entries.delete(name)
  }
}
