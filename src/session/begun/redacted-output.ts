import { REDACT_AHEAD_CHARS, redact } from '../../core/redact.ts'
import type { LivePiece } from '../../ports/runner.ts'

/**
 * Masks what looks like a credential in what a call prints, as its history does: who follows the call may be another one than its caller. The
 * last word of a piece is held back, since it may be the begin of one.
 */
export class RedactedOutput {
  readonly #print: (piece: LivePiece) => void
  readonly #held = { stdout: '', stderr: '' }

  constructor(print: (piece: LivePiece) => void) {
    this.#print = print
  }

  write(piece: LivePiece): void {
    const { stream, text } = piece
    const whole = this.#held[stream] + text
    const at = lastWordIn(whole)
    this.#held[stream] = whole.slice(at)
    const shown = whole.slice(0, at)
    if (shown !== '' || piece.skipped !== undefined) this.#print({ ...piece, text: redact(shown) })
  }

  /** Passes on what is held back: nothing comes behind it. */
  end(): void {
    for (const stream of ['stdout', 'stderr'] as const) {
      const text = this.#held[stream]
      this.#held[stream] = ''
      if (text !== '') this.#print({ stream, text: redact(text) })
    }
  }
}

/** Place where the last word of a text begins, in which a credential may be; its end for a word that is longer than any. */
function lastWordIn(text: string): number {
  const least = Math.max(0, text.length - REDACT_AHEAD_CHARS)
  let at = text.length
  while (at > least && text[at - 1]?.trim() !== '') at -= 1
  return at === least && least > 0 ? text.length : at
}
