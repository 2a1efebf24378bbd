import { WORK_MS } from './limits.ts'
import type { DrawnPage, PdfAnswer, PdfRequest } from './messages.ts'

/** Address of the worker's script, put here by the build. */
declare const PDF_WORKER: string

/** Reason for which a document or a page is not shown. */
export type Unshown = 'protected' | 'damaged' | 'too long'

/** Events of a reader. */
export interface ReaderEvents {
  opened(pages: number): void
  drawn(number: number, page: DrawnPage): void
  /** A page is not shown, or with null the document. @param hasEnded whether the reader shows no other page either */
  failed(number: number | null, why: Unshown, hasEnded: boolean): void
}

/** Scripts of workers are those of the build alone: the policy of the page wants it said where one is made. */
const policy = (
  globalThis as {
    readonly trustedTypes?: {
      createPolicy(name: string, rules: object): { createScriptURL(address: string): string }
    }
  }
).trustedTypes?.createPolicy('pdf-worker', {
  createScriptURL: (address: string) => (address === PDF_WORKER ? address : ''),
})

/**
 * A PDF that a worker reads and draws, page by page. All of pdf.js runs there: a document that hangs it, or is damaged on purpose, is
 * stopped with the worker, and the page stays usable.
 */
export class PdfReader {
  readonly #worker: Worker
  readonly #events: ReaderEvents
  #deadline: ReturnType<typeof setTimeout> | undefined
  /** Page that is worked on; null until the document is open, undefined for no work. */
  #at: number | null | undefined = null
  /** Bytes that the worker gets when its code is there. */
  readonly #opening: ArrayBuffer
  /** The page that is wanted next; only the latest one is kept. */
  #wanted: { readonly number: number; readonly width: number } | null = null

  constructor(bytes: ArrayBuffer, events: ReaderEvents) {
    this.#events = events
    this.#worker = new Worker(policy?.createScriptURL(PDF_WORKER) ?? PDF_WORKER, { type: 'module' })
    this.#worker.onmessage = ({ data }: MessageEvent<PdfAnswer>) => this.#take(data)
    this.#worker.onerror = () => this.#fail('damaged')
    this.#opening = bytes
  }

  /** Draws a page as wide as so many pixels, after the work that is under way. */
  draw(number: number, width: number): void {
    this.#wanted = { number, width }
    this.#next()
  }

  /** Ends the worker, whatever it does. */
  end(): void {
    clearTimeout(this.#deadline)
    this.#worker.terminate()
  }

  #next(): void {
    if (this.#at !== undefined || !this.#wanted) return
    const { number, width } = this.#wanted
    this.#wanted = null
    this.#ask(number, { kind: 'draw', number, width })
  }

  #ask(at: number | null, request: PdfRequest, moved: Transferable[] = []): void {
    this.#at = at
    this.#deadline = setTimeout(() => this.#fail('too long'), WORK_MS)
    this.#worker.postMessage(request, moved)
  }

  #take(answer: PdfAnswer): void {
    if (answer.kind === 'ready') {
      this.#ask(null, { kind: 'open', bytes: this.#opening }, [this.#opening])
      return
    }
    clearTimeout(this.#deadline)
    this.#at = undefined
    if (answer.kind === 'opened') this.#events.opened(answer.pages)
    else if (answer.kind === 'drawn') this.#events.drawn(answer.number, answer)
    else this.#events.failed(answer.number, answer.why, false)
    this.#next()
  }

  #fail(why: Unshown): void {
    const at = this.#at ?? null
    this.end()
    this.#events.failed(at, why, true)
  }
}
