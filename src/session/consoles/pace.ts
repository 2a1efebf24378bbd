import { CONSOLE_PACE_MS, MAX_CONSOLE_PACE_MS } from '../../core/limits/consoles.ts'

/** Share of the slowest question that one quick question leaves: some ten of them in a row, and the machine counts as idle again. */
const REMEMBERED = 0.75

/**
 * Time that questions to the host of notebook and shells take, the work that was asked for apart. A machine that is busy
 * takes longer, and its host is not given up for that.
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
   * @param ms what the whole question took, if that is known
   * @param workMs of that, the work, as the sandbox says: it may be a lie
   */
  measured(ms: number | undefined, workMs = 0): void {
    if (ms === undefined) return
    this.#ms = Math.min(Math.max(ms - workMs, 0), MAX_CONSOLE_PACE_MS)
    this.#slowestMs = Math.max(this.#ms, this.#slowestMs * REMEMBERED)
  }
}
