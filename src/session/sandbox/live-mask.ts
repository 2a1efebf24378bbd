import type { LivePiece } from '../../ports/runner.ts'
import { longestFirst } from './output.ts'

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
    this.#secrets = longestFirst(secrets)
    this.#longest = Math.max(0, ...this.#secrets.map(({ length }) => length))
    this.#live = live
  }

  write(piece: LivePiece): void {
    if (this.#longest === 0) {
      this.#live(piece)
      return
    }
    const { stream, text, skipped } = piece
    if (skipped !== undefined) this.#gap(stream)
    const whole = this.#held[stream] + text
    let [shown, at, from] = ['', 0, this.#heldFrom(whole, 0)]
    const next = nextOf(this.#secrets, whole)
    for (let found = next(at); found && found.start < from; found = next(at)) {
      shown += `${whole.slice(at, found.start)}***`
      at = found.end
      if (at > from) from = this.#heldFrom(whole, at)
    }
    shown += whole.slice(at, from)
    this.#held[stream] = whole.slice(from)
    if (shown !== '' || skipped !== undefined) {
      this.#live({ stream, text: shown, ...(skipped !== undefined && { skipped }) })
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

  /** Ends what is held back where bytes behind it are skipped: whether it was a secret is never known. */
  #gap(stream: LivePiece['stream']): void {
    if (this.#held[stream] === '') return
    this.#held[stream] = ''
    this.#live({ stream, text: '***' })
  }

  /** Place from `least` on from which on the text may be the begin of a secret. */
  #heldFrom(text: string, least: number): number {
    for (let at = Math.max(least, text.length - this.#longest + 1); at < text.length; at++) {
      const end = text.slice(at)
      if (this.#secrets.some((secret) => secret.length > end.length && secret.startsWith(end))) return at
    }
    return text.length
  }
}

/** Finds the first secret from a place on, which only grows; of those that begin there the longest. Each looks through the text once. */
function nextOf(secrets: readonly string[], text: string) {
  const places = secrets.map((secret) => ({ start: text.indexOf(secret), secret }))
  return (from: number): { readonly start: number; readonly end: number } | null => {
    let first: (typeof places)[number] | null = null
    for (const place of places) {
      if (place.start !== -1 && place.start < from) place.start = text.indexOf(place.secret, from)
      if (place.start !== -1 && (first === null || place.start < first.start)) first = place
    }
    return first && { start: first.start, end: first.start + first.secret.length }
  }
}
