import { StringDecoder } from 'node:string_decoder'
import { MAX_TEXT_EVENT_CHARS, OUTPUT_SETTLE_MS } from './limits.ts'

/** Turns a stream of bytes into text events, put together over a few milliseconds, until a marker is found in it. */
export class MarkedText {
  readonly #marker: Buffer
  readonly #emit: (text: string) => void
  readonly #found: () => void
  readonly #decoder = new StringDecoder('utf8')
  #held: Buffer = Buffer.alloc(0)
  #text = ''
  #timer: NodeJS.Timeout | undefined
  #over = false

  constructor(marker: string, emit: (text: string) => void, found: () => void) {
    this.#marker = Buffer.from(marker)
    this.#emit = emit
    this.#found = found
  }

  push(bytes: Buffer): void {
    if (this.#over) return
    const data = this.#held.length === 0 ? bytes : Buffer.concat([this.#held, bytes])
    const at = data.indexOf(this.#marker)
    if (at !== -1) {
      this.#add(data.subarray(0, at))
      this.end()
      return
    }
    const sure = data.length - this.#markerPrefixAtEnd(data)
    this.#held = data.subarray(sure)
    this.#add(data.subarray(0, sure))
  }

  /** Emits the rest. Later bytes belong to no execution. */
  end(): void {
    if (this.#over) return
    this.#over = true
    this.#text += this.#decoder.end()
    this.#flush()
    this.#found()
  }

  #add(bytes: Buffer): void {
    this.#text += this.#decoder.write(bytes)
    if (this.#text.length >= MAX_TEXT_EVENT_CHARS) this.#flush()
    else if (this.#text !== '') this.#timer ??= setTimeout(() => this.#flush(), OUTPUT_SETTLE_MS)
  }

  #flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#text === '') return
    const text = this.#text
    this.#text = ''
    this.#emit(text)
  }

  #markerPrefixAtEnd(data: Buffer): number {
    for (let size = Math.min(this.#marker.length - 1, data.length); size > 0; size--) {
      if (data.subarray(data.length - size).equals(this.#marker.subarray(0, size))) return size
    }
    return 0
  }
}
