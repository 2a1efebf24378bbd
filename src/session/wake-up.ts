import type { Clock } from '../ports/clock.ts'

/** An alarm this long past its time was lost with its process: it is set anew. */
const LOST_MS = 60_000

/** The alarm of a session: requested with every call, and set when the request is for an earlier time. */
export class WakeUp {
  readonly #clock: Clock
  readonly #set: (time: number) => Promise<void>
  /** Time of the alarm; null when none was set since the last one came. */
  #at: number | null = null

  /** @param set sets the platform's one alarm, replacing an earlier one */
  constructor(clock: Clock, set: (time: number) => Promise<void>) {
    this.#clock = clock
    this.#set = set
  }

  async within(ms: number): Promise<void> {
    const now = this.#clock.now()
    const at = now + ms
    // A due alarm that has not come yet is not set anew: the calls of a busy session would put it off for ever.
    if (this.#at !== null && this.#at <= at && now < this.#at + LOST_MS) return
    this.#at = at
    await this.#set(at)
  }

  /** Notes that the alarm has come, or was removed. */
  over(): void {
    this.#at = null
  }
}
