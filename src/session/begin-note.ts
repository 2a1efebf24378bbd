/** Deferred record of a call's begin: written once, at the latest after a while, and never for a call that has ended before. */
export interface BeginNote {
  readonly isMade: boolean
  /** Writes the record at once, before an action that must be known after a crash. */
  now(): void
  /** Drops the record, since the call has ended. */
  settle(): void
}

/**
 * Time after which a running call is noted. A call that uses no sandbox and ends sooner is noted once, with its end: that is one
 * transaction.
 */
export const NOTE_AFTER_MS = 1_000

/**
 * Deferred records of one session, with one timer for all, and none while none waits: the platform bills an object that has a timer,
 * and lets no such object hibernate.
 */
export class BeginNotes {
  readonly #afterMs: number
  readonly #now: () => number
  /** Waiting records with their due times, in that order. */
  readonly #waiting = new Map<Note, number>()
  #timer: ReturnType<typeof setTimeout> | null = null

  constructor(afterMs: number, now: () => number) {
    this.#afterMs = afterMs
    this.#now = now
  }

  /** @param waits false: the record is written by {@link BeginNote.now} alone */
  open(make: () => void, waits: boolean): BeginNote {
    const note = new Note(make, () => this.#over(note))
    if (waits) {
      this.#waiting.set(note, this.#now() + this.#afterMs)
      this.#plan(this.#afterMs)
    }
    return note
  }

  #over(note: Note): void {
    this.#waiting.delete(note)
    if (this.#timer === null || this.#waiting.size > 0) return
    clearTimeout(this.#timer)
    this.#timer = null
  }

  #plan(ms: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null
      this.#makeDue()
    }, ms)
  }

  #makeDue(): void {
    const now = this.#now()
    for (const [note, due] of this.#waiting) {
      if (due > now) {
        this.#plan(due - now)
        return
      }
      note.now()
    }
  }
}

class Note implements BeginNote {
  readonly #make: () => void
  readonly #over: () => void
  #state: 'open' | 'made' | 'settled' = 'open'

  constructor(make: () => void, over: () => void) {
    this.#make = make
    this.#over = over
  }

  get isMade(): boolean {
    return this.#state === 'made'
  }

  now(): void {
    if (this.#state !== 'open') return
    this.#state = 'made'
    this.#over()
    this.#make()
  }

  settle(): void {
    if (this.#state === 'open') this.#state = 'settled'
    this.#over()
  }
}
