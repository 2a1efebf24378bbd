/** Reader of exact amounts from a stream of bytes, which it cancels after `maxBytes`. */
export class ByteSource {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>
  #rest: Uint8Array = new Uint8Array(0)
  #left: number
  readonly #what: string

  /**
   * @param maxBytes greatest length of the stream; reading past it fails, and the stream is cancelled
   * @param what name of the stream, for errors
   */
  constructor(stream: ReadableStream<Uint8Array>, maxBytes: number, what: string) {
    this.#reader = stream.getReader()
    this.#left = maxBytes
    this.#what = what
  }

  /**
   * The bytes at hand: at most `limit`, at least one.
   * @returns null at the end of the stream
   */
  async some(limit: number): Promise<Uint8Array | null> {
    while (this.#rest.length === 0) {
      const { done, value } = await this.#reader.read()
      if (done) return null
      this.#left -= value.length
      if (this.#left < 0) {
        await this.cancel()
        throw new Error(`${this.#what} is longer than it may be`)
      }
      this.#rest = value
    }
    const chunk = this.#rest.subarray(0, limit)
    this.#rest = this.#rest.subarray(chunk.length)
    return chunk
  }

  /**
   * At most `limit` bytes, as {@link some}.
   * @throws Error at the end of the stream
   */
  async upTo(limit: number): Promise<Uint8Array> {
    return (await this.some(limit)) ?? Promise.reject(new Error(`${this.#what} ends early`))
  }

  /** Reads exactly so many bytes. @throws Error when the stream ends before */
  async exactly(length: number): Promise<Uint8Array> {
    const out = new Uint8Array(length)
    for (let at = 0; at < length; ) {
      const chunk = await this.upTo(length - at)
      out.set(chunk, at)
      at += chunk.length
    }
    return out
  }

  async skip(length: number): Promise<void> {
    for (let left = length; left > 0; ) left -= (await this.upTo(left)).length
  }

  /** Cancels the rest. The stream may have failed itself, and why is known already. */
  async cancel(): Promise<void> {
    this.#rest = new Uint8Array(0)
    await this.#reader.cancel().catch(() => undefined)
  }
}
