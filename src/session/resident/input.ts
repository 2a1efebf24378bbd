import type { ProcessInput, Watched } from '../../ports/sandbox.ts'

/**
 * Time for which the stream is trusted after output of the program, in milliseconds: a separate request learns whether it
 * arrived.
 */
const TRUSTED_MS = 1_000

/**
 * Input of a program. Each text is a request, which reports whether it arrived, until calls follow each other: then they go by a
 * stream, which costs less. The stream is used only after an answer to a question sent by it, since a proxy may buffer; and only
 * as long as the program answered just now.
 */
export class ResidentInput {
  readonly #watched: Watched
  #stream: ProcessInput | null = null
  /** Id of the unanswered question sent by the stream; null without one. */
  #pingId: string | null = null
  #isProven = false
  #heardAt = Number.NEGATIVE_INFINITY

  constructor(watched: Watched) {
    this.#watched = watched
  }

  /** Writes to the program. @returns false when it has ended: nothing of the text arrived */
  async write(text: string, signal: AbortSignal): Promise<boolean> {
    if (Date.now() - this.#heardAt < TRUSTED_MS) {
      if (this.#isProven && this.#stream?.write(text)) return true
      this.#prove()
    }
    return this.#watched.write(text, signal)
  }

  /** Notes output of the program. @param id of the answered question */
  heard(id: unknown): void {
    this.#heardAt = Date.now()
    if (this.#pingId === null || id !== this.#pingId) return
    this.#pingId = null
    this.#isProven = true
  }

  #prove(): void {
    if (this.#stream) return
    this.#stream = this.#watched.input()
    if (!this.#stream) return
    this.#pingId = crypto.randomUUID()
    this.#stream.write(`${JSON.stringify({ do: 'ping', id: this.#pingId })}\n`)
  }
}
