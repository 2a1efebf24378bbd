import type { LivePiece } from '../../ports/runner.ts'
import { longestFirst } from '../sandbox/output.ts'
import { BeginFinder } from './begin-finder.ts'

/**
 * Masks secrets in what a command prints, as its answer does. A text that may be the begin of a secret is held back until it is known
 * to be none.
 */
export class LiveMask {
  readonly #secrets: readonly string[]
  readonly #live: (piece: LivePiece) => void
  readonly #begins: readonly BeginFinder[]
  readonly #held = { stdout: '', stderr: '' }

  constructor(secrets: readonly string[], live: (piece: LivePiece) => void) {
    this.#secrets = longestFirst(secrets)
    this.#begins = this.#secrets.map((secret) => new BeginFinder(secret))
    this.#live = live
  }

  write(piece: LivePiece): void {
    if (this.#secrets.length === 0) {
      this.#live(piece)
      return
    }
    const { stream, text, skipped } = piece
    if (skipped !== undefined) this.#gap(stream)
    const whole = this.#held[stream] + text
    const heldFrom = this.#beginsIn(whole)
    let [shown, at, from] = ['', 0, heldFrom(0)]
    const next = nextOf(this.#secrets, whole)
    for (let found = next(at); found && found.start < from; found = next(at)) {
      shown += `${whole.slice(at, found.start)}***`
      at = found.end
      if (at > from) from = heldFrom(at)
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

  /** Finds the place from which on the text may be the begin of a secret, from a place on, which only grows. */
  #beginsIn(text: string): (least: number) => number {
    const places = [...new Set(this.#begins.flatMap((finder) => finder.placesIn(text)))].sort((a, b) => b - a)
    return (least) => {
      while ((places.at(-1) ?? least) < least) places.pop()
      return places.at(-1) ?? text.length
    }
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
