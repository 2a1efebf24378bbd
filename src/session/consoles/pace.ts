import { CONSOLE_PACE_MS, MAX_CONSOLE_PACE_MS } from '../../core/limits/consoles.ts'

/**
 * Time of the last question to the host of notebook and shells, without the requested work. A busy sandbox takes longer, and its
 * host is not discarded for that.
 */
export class ConsolePace {
  #ms = CONSOLE_PACE_MS

  /** The pace in milliseconds. */
  get ms(): number {
    return this.#ms
  }

  /**
   * Takes a measurement.
   * @param ms time of the whole question, if known
   * @param workMs time of the work in it, as the sandbox reports it: it may be a lie
   */
  measured(ms: number | undefined, workMs = 0): void {
    if (ms !== undefined) this.#ms = Math.min(Math.max(ms - workMs, 0), MAX_CONSOLE_PACE_MS)
  }
}
