/**
 * Messages of Connect's streams with JSON: each is a byte of flags, its size in four bytes, and JSON.
 * @see https://connectrpc.com/docs/protocol
 */

const HEAD_BYTES = 5
/** Largest message, in bytes: E2B's agent sends 32 KiB of output at a time, the local one 64. */
const MAX_MESSAGE_BYTES = 4 * 1024 * 1024

const encoder = new TextEncoder()
const decoder = new TextDecoder()

export function frame(message: object): Uint8Array<ArrayBuffer> {
  const json = encoder.encode(JSON.stringify(message))
  const bytes = new Uint8Array(HEAD_BYTES + json.length)
  new DataView(bytes.buffer).setUint32(1, json.length)
  bytes.set(json, HEAD_BYTES)
  return bytes
}

/** Assembles messages from pieces of a stream. */
export class FrameReader {
  readonly #heard: (message: unknown) => void
  #waiting: Uint8Array[] = []
  #size = 0
  #needed = HEAD_BYTES

  /** @param heard receives each message; the last one of a stream may name an error */
  constructor(heard: (message: unknown) => void) {
    this.#heard = heard
  }

  /** Takes a piece of the stream. @throws Error when it holds no messages */
  take(piece: Uint8Array): void {
    this.#waiting.push(piece)
    this.#size += piece.length
    // Joining the pieces at each one would copy a long message as many times.
    if (this.#size < this.#needed) return
    const bytes = this.#whole(piece)
    let at = 0
    while (at + HEAD_BYTES <= bytes.length) {
      const end = at + HEAD_BYTES + sizeAt(bytes, at + 1)
      if (end - at > MAX_MESSAGE_BYTES) throw new Error('the agent of the sandbox sends no messages')
      this.#needed = end - at
      if (end > bytes.length) break
      this.#heard(JSON.parse(decoder.decode(bytes.subarray(at + HEAD_BYTES, end))))
      at = end
      this.#needed = HEAD_BYTES
    }
    this.#size = bytes.length - at
    this.#waiting = this.#size > 0 ? [bytes.subarray(at)] : []
  }

  #whole(last: Uint8Array): Uint8Array {
    if (this.#waiting.length === 1) return last
    const bytes = new Uint8Array(this.#size)
    let at = 0
    for (const piece of this.#waiting) {
      bytes.set(piece, at)
      at += piece.length
    }
    return bytes
  }
}

const sizeAt = (bytes: Uint8Array, at: number) => {
  const [a = 0, b = 0, c = 0, d = 0] = [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]
  return a * 0x1000000 + b * 0x10000 + c * 0x100 + d
}
