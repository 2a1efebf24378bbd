import { MAX_LIVE_CHARS, MAX_LIVE_PIECES } from '../../core/limits/calls.ts'
import type { LivePiece } from '../../ports/runner.ts'
import type { LiveView } from '../calls-api.ts'

/** Length of a piece: a longer one would push out all that is kept, itself too. */
const PIECE_CHARS = MAX_LIVE_CHARS / 2

/** Output of a running call, piece by piece: the newest MAX_LIVE_CHARS, each piece with its number. */
export class LiveOutput {
  /** Kept pieces, oldest first, from `#first` on. */
  #pieces: LivePiece[] = []
  #first = 0
  #chars = 0
  #count = 0

  /** Number of the newest piece. */
  get count(): number {
    return this.#count
  }

  add(piece: LivePiece): void {
    const { text, stream } = piece
    this.#push({ ...piece, text: text.slice(0, PIECE_CHARS) })
    for (let at = PIECE_CHARS; at < text.length; at += PIECE_CHARS) {
      this.#push({ stream, text: text.slice(at, at + PIECE_CHARS) })
    }
  }

  /** Pieces after number `seen`, and how many of those are no longer kept. */
  since(seen: number): LiveView {
    const kept = this.#pieces.length - this.#first
    const oldest = this.#count - kept
    // A number beyond the newest is of an earlier life of the session.
    const from = seen > this.#count ? oldest : Math.max(seen, oldest)
    return {
      pieces: this.#pieces.slice(this.#first + from - oldest),
      count: this.#count,
      missed: Math.max(0, oldest - seen),
    }
  }

  #push(piece: LivePiece): void {
    this.#pieces.push(piece)
    this.#count += 1
    this.#chars += piece.text.length
    while (this.#chars > MAX_LIVE_CHARS || this.#pieces.length - this.#first > MAX_LIVE_PIECES) {
      this.#chars -= this.#pieces[this.#first]?.text.length ?? 0
      this.#first += 1
    }
    // Dropped together: one by one, each would move all others.
    if (this.#first <= this.#pieces.length / 2) return
    this.#pieces = this.#pieces.slice(this.#first)
    this.#first = 0
  }
}
