import { MAX_REASON_CHARS } from '../../core/limits/sandbox.ts'
import { FRAME_HEAD_CHARS, frameLength, refused } from './pkt-line.ts'

/** Channels of side-band: the first byte of a frame says what it holds. */
const PACK = 1
const PROGRESS = 2

/**
 * Side-band demultiplexer: takes the pack out of a server's answer, piece by piece as it arrives: lines until `NAK`, then
 * frames of pack, progress or an error. Each piece is read at once, however many frames it has.
 * @see https://git-scm.com/docs/pack-protocol#_packfile_data
 */
export class SideBand {
  #head = ''
  /** Bytes of the current frame still to come; 0 between frames. */
  #left = 0
  #band: number | null = null
  #isPack = false
  #hasEnded = false
  #text = ''

  /** Whether the pack came to its end. */
  get hasEnded(): boolean {
    return this.#hasEnded
  }

  /**
   * Takes a piece of the answer.
   * @returns its bytes of the pack
   * @throws FailureError `upstream` when the server refuses, or breaks the protocol
   */
  take(piece: Uint8Array): Uint8Array {
    const pack = new Uint8Array(piece.length)
    let size = 0
    for (let at = 0; at < piece.length && !this.#hasEnded; ) {
      if (this.#left === 0) {
        this.#head += String.fromCharCode(piece[at++] ?? 0)
        if (this.#head.length === FRAME_HEAD_CHARS) this.#begin()
      } else if (this.#isPack && this.#band === null) {
        this.#band = piece[at++] ?? 0
        this.#left -= 1
        this.#endIfWhole()
      } else {
        const content = piece.subarray(at, at + this.#left)
        at += content.length
        this.#left -= content.length
        if (this.#isPack && this.#band === PACK) {
          pack.set(content, size)
          size += content.length
        } else if (this.#band !== PROGRESS && this.#text.length < MAX_REASON_CHARS) {
          this.#text += new TextDecoder().decode(content)
        }
        this.#endIfWhole()
      }
    }
    return pack.subarray(0, size)
  }

  #begin(): void {
    const length = frameLength(this.#head)
    this.#head = ''
    if (length === null) this.#hasEnded = true
    else this.#left = length
  }

  #endIfWhole(): void {
    if (this.#left > 0) return
    const [text, band] = [this.#text.trim(), this.#band]
    this.#text = ''
    this.#band = null
    if (this.#isPack) {
      if (band !== PACK && band !== PROGRESS) refused(text)
    } else if (text === 'NAK') this.#isPack = true
    else if (!text.startsWith('ACK ')) refused(text)
  }
}
