import { CONSOLE_PACE_MS, MAX_CONSOLE_PACE_MS } from '../../core/limits/consoles.ts'

/** Share of the slowest question that one quick question leaves: some ten of them in a row, and the machine counts as idle again. */
const REMEMBERED = 0.75

/**
 * Time of questions to the host of notebook and shells, without the requested work. A busy sandbox takes longer, and its
 * host is not discarded for that.
 */
export class ConsolePace {
  #ms = CONSOLE_PACE_MS
  #slowestMs = CONSOLE_PACE_MS

  /** Time that the last question took, in milliseconds. */
  get ms(): number {
    return this.#ms
  }

  /** Time to allow for a question, in milliseconds: that of the slowest one lately, since a busy machine is not evenly slow. */
  get allowedMs(): number {
    return this.#slowestMs
  }

  /**
   * Takes a measurement.
   * @param ms time of the whole question, if known
   * @param workMs time of the work in it, as the sandbox reports it: it may be a lie
   */
  measured(ms: number | undefined, workMs = 0): void {
    if (ms === undefined) return
    this.#ms = Math.min(Math.max(ms - workMs, 0), MAX_CONSOLE_PACE_MS)
    this.#slowestMs = Math.max(this.#ms, this.#slowestMs * REMEMBERED)
  }
}
