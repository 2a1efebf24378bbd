import { CONSOLE_PACE_MS, MAX_CONSOLE_PACE_MS } from '../../core/limits/consoles.ts'

/**
 * Time that the last question to the host of notebook and shells took, the work that was asked for apart. A machine that
 * is busy takes longer, and its host is not given up for that.
 */
export class ConsolePace {
  #ms = CONSOLE_PACE_MS

  /** The pace in milliseconds. */
  get ms(): number {
    return this.#ms
  }

  /**
   * @param ms what the whole question took, if that is known
   * @param workMs of that, the work, as the sandbox says: it may be a lie
   */
  measured(ms: number | undefined, workMs = 0): void {
    if (ms !== undefined) this.#ms = Math.min(Math.max(ms - workMs, 0), MAX_CONSOLE_PACE_MS)
  }
}
