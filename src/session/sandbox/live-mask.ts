import type { LivePiece } from '../../ports/runner.ts'

/**
 * Masks secrets in what a command prints, as its answer does. A text that may be the begin of a secret is held back until it is known
 * to be none.
 */
export class LiveMask {
  readonly #secrets: readonly string[]
  readonly #live: (piece: LivePiece) => void
  readonly #longest: number
  readonly #held = { stdout: '', stderr: '' }

  constructor(secrets: readonly string[], live: (piece: LivePiece) => void) {
    this.#secrets = secrets.filter((secret) => secret !== '')
    this.#longest = Math.max(0, ...this.#secrets.map(({ length }) => length))
    this.#live = live
  }

  write(piece: LivePiece): void {
    if (this.#longest === 0) {
      this.#live(piece)
      return
    }
    const { stream, text, skipped } = piece
    if (skipped !== undefined) this.#flush(stream)
    const whole = this.#masked(this.#held[stream] + text)
    const from = this.#heldFrom(whole)
    this.#held[stream] = whole.slice(from)
    if (from > 0 || skipped !== undefined) {
      this.#live({ stream, text: whole.slice(0, from), ...(skipped !== undefined && { skipped }) })
    }
  }

  /** Passes on what is held back: nothing comes behind it. */
  end(): void {
    this.#flush('stdout')
    this.#flush('stderr')
  }

  #flush(stream: LivePiece['stream']): void {
    const text = this.#held[stream]
    this.#held[stream] = ''
    if (text !== '') this.#live({ stream, text })
  }

  #masked(text: string): string {
    return this.#secrets.reduce((masked, secret) => masked.replaceAll(secret, '***'), text)
  }

  /** Place from which on the text may be the begin of a secret. */
  #heldFrom(text: string): number {
    for (let at = Math.max(0, text.length - this.#longest + 1); at < text.length; at++) {
      const end = text.slice(at)
      if (this.#secrets.some((secret) => secret.startsWith(end))) return at
    }
    return text.length
  }
}
