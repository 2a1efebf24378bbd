import { CONSOLE_PACE_MS, MAX_CONSOLE_PACE_MS } from '../../core/limits/consoles.ts'

/**
 * What a question to the host of notebook and shells takes, the work that is asked for apart, as it was the last time. A
 * machine that is busy takes longer, and its host is not given up for that.
 */
export class ConsolePace {
  #ms = CONSOLE_PACE_MS

  /** In milliseconds. */
  get ms(): number {
    return this.#ms
  }

  /** @param ms as the sandbox says, so it may be a lie */
  measured(ms: number): void {
    this.#ms = Math.min(Math.max(ms, 0), MAX_CONSOLE_PACE_MS)
  }
}
