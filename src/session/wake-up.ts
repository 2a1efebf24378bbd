import type { Clock } from '../ports/clock.ts'

/** What has not come so long after its time is not under way any more. */
const LOST_MS = 60_000

/** The alarm of a session: asked for with every call, and set when that makes it earlier. */
export class WakeUp {
  readonly #clock: Clock
  readonly #set: (time: number) => Promise<void>
  /** When it comes; null when none was set since the last one came. */
  #at: number | null = null

  /** @param set of the platform: one alarm, in the place of the one before */
  constructor(clock: Clock, set: (time: number) => Promise<void>) {
    this.#clock = clock
    this.#set = set
  }

  async within(ms: number): Promise<void> {
    const now = this.#clock.now()
    const at = now + ms
    // One that is due and has not come yet is not set anew: the calls of a busy session would put it off for ever.
    if (this.#at !== null && this.#at <= at && now < this.#at + LOST_MS) return
    this.#at = at
    await this.#set(at)
  }

  /** It has come, or was taken away. */
  over(): void {
    this.#at = null
  }
}
