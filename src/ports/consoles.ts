import type { CommandResult } from './runner.ts'

/**
 * A Python notebook and shells in the session's sandbox, which stay between calls and over restarts of this server. They end with
 * the sandbox.
 */
export interface Consoles {
  /**
   * Sends a request to the console host. Files that changed until the reply are synced before it is returned.
   * @param awakeMs the sandbox does not pause for that long, whatever other calls ask for
   * @returns the sandbox's reply: JSON, to be read as hostile
   * @throws FailureError `invalid_input` for what cannot be done, with the reason; `timeout` when there is no reply soon after
   * the request's deadline; else as `Runner.run`
   */
  ask(request: ConsoleRequest, awakeMs: number): Promise<{ readonly reply: unknown; readonly notices: ConsoleNotices }>
}

export type ConsoleNotices = Pick<CommandResult, 'conflicts' | 'notes' | 'restored'>

/** Request to the console host. Times are in seconds; `wait` is how long the call waits, after which the work goes on. */
export type ConsoleRequest =
  | {
      /** A cell of the notebook. */
      readonly do: 'cell'
      readonly code: string
      /** Index of the cell to replace; null adds one. */
      readonly index: number | null
      readonly reset: boolean
      /** Time until the cell is interrupted. */
      readonly seconds: number
      readonly wait: number
      /** Environment variables of this cell alone. */
      readonly env?: Readonly<Record<string, string>>
      /** Values among them that are masked in all that the cell shows. */
      readonly secrets?: readonly string[]
      /** Execution to wait for; all else is ignored then. */
      readonly run: string | null
    }
  | {
      /** Code in a kernel of its own, outside of the notebook. */
      readonly do: 'scratch'
      readonly code: string
      readonly reset: boolean
      readonly seconds: number
      readonly wait: number
      /** Name of the kernel; null for the permanent one. The least recently used of the others makes room for a new one. */
      readonly kernel: string | null
      /** True when the reply is to have `str()` of the last expression, too. */
      readonly value: boolean
      /** Execution to wait for; all else but `kernel` is ignored then. */
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
      /** True to wait for the command's end and keep the shell, whose input stays open. A `wait` of 0 passes the command on alone. */
      readonly keep: boolean
      /** True to interrupt what the shell runs before the command. */
      readonly interrupt?: true
      readonly seconds: number
      readonly wait: number
    }
