/**
 * Writer of texts, one after another: those that come while a write is under way go together, so that many callers cost few
 * requests.
 */
export class BatchedWrites {
  readonly #write: (text: string) => Promise<boolean>
  #last: Promise<unknown> = Promise.resolve()
  #isBusy = false
  #next: { text: string; readonly written: Promise<boolean> } | null = null

  constructor(write: (text: string) => Promise<boolean>) {
    this.#write = write
  }

  /** Writes a text. @returns the result of the write that had it */
  write(text: string): Promise<boolean> {
    if (this.#next) {
      this.#next.text += text
      return this.#next.written
    }
    if (!this.#isBusy) return this.#begin(text)
    const written = this.#last.then(() => {
      const all = this.#next?.text ?? ''
      this.#next = null
      return this.#begin(all)
    })
    this.#next = { text, written }
    return written
  }

  #begin(text: string): Promise<boolean> {
    this.#isBusy = true
    const written = this.#write(text).finally(() => {
      this.#isBusy = false
    })
    this.#last = written.catch(() => undefined)
    return written
  }
}
