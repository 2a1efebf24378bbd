import type { ProcessInput, Watched } from '../../ports/sandbox.ts'

/** The stream is trusted for this long after something was heard, in milliseconds: a request of its own says whether it arrived. */
const TRUSTED_MS = 1_000

/**
 * What is written to a program. Each text is a request, which says whether it arrived, until calls follow each other: then they
 * go by a stream, which costs less. That is used only after a question was answered that went by it, since what lies between may
 * collect what comes before it passes anything on; and only as long as the program was heard just now.
 */
export class ResidentInput {
  readonly #watched: Watched
  #stream: ProcessInput | null = null
  /** Id of the question that went by the stream; null when it was answered, and before. */
  #asked: string | null = null
  #isProven = false
  #heardAt = Number.NEGATIVE_INFINITY

  constructor(watched: Watched) {
    this.#watched = watched
  }

  /** @returns false when the program has ended: nothing of the text arrived */
  async write(text: string, signal: AbortSignal): Promise<boolean> {
    if (Date.now() - this.#heardAt < TRUSTED_MS) {
      if (this.#isProven && this.#stream?.write(text)) return true
      this.#prove()
    }
    return this.#watched.write(text, signal)
  }

  /** Notes that the program said something. @param id of what it answers */
  heard(id: unknown): void {
    this.#heardAt = Date.now()
    if (this.#asked === null || id !== this.#asked) return
    this.#asked = null
    this.#isProven = true
  }

  #prove(): void {
    if (this.#stream) return
    this.#stream = this.#watched.input()
    this.#asked = crypto.randomUUID()
    this.#stream.write(`${JSON.stringify({ do: 'ping', id: this.#asked })}\n`)
  }
}
