import type { CommandResult } from './runner.ts'

/**
 * A Python notebook and shells in the session's sandbox, which stay between calls and over restarts of this server. They
 * end with the sandbox.
 */
export interface Consoles {
  /**
   * Files that changed until the reply are taken over before it is returned.
   * @param awakeMs the sandbox does not pause for that long, whoever asks
   * @returns what the sandbox says: JSON, to be read as hostile
   * @throws FailureError `invalid_input` for what cannot be done, with why; `timeout` when there is no reply soon after the
   * deadline of what was asked for; else as `Runner.run`
   */
  ask(request: ConsoleRequest, awakeMs: number): Promise<{ readonly reply: unknown; readonly notices: ConsoleNotices }>
}

export type ConsoleNotices = Pick<CommandResult, 'conflicts' | 'notes' | 'restored'>

/** Times are seconds; `wait` is how long the call waits, after which the work goes on. */
export type ConsoleRequest =
  | {
      /** A cell of the notebook. */
      readonly do: 'cell'
      readonly code: string
      /** Replaces that cell; null adds one. */
      readonly index: number | null
      readonly reset: boolean
      /** Then it is interrupted. */
      readonly seconds: number
      readonly wait: number
      /** Waits for this execution; all else is ignored. */
      readonly run: string | null
    }
  | {
      /** Code in a kernel of its own, of which nothing is kept. */
      readonly do: 'scratch'
      readonly code: string
      readonly reset: boolean
      readonly seconds: number
      readonly wait: number
      /** Which one; null for that which is always there. Of the others the one used longest ago makes room for a new one. */
      readonly kernel: string | null
      /** True when the reply is to have `str()` of the last expression, too. */
      readonly value: boolean
      /** Waits for this execution; all else but `kernel` is ignored. */
      readonly run: string | null
    }
  | { readonly do: 'write'; readonly text: string; readonly restart: boolean; readonly wait: number }
  | { readonly do: 'read'; readonly wait: number }
  | {
      readonly do: 'command'
      readonly command: string
      readonly shell_id: number | null
      readonly run_async: boolean
      readonly kill: boolean
      readonly seconds: number
      readonly wait: number
    }
