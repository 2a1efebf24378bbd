import type { ConsoleNotices } from '../../ports/consoles.ts'

/** Question to the host of notebook and shells. */
export interface Question {
  /** Request; `wait` is in seconds. */
  readonly request: { readonly do: string; readonly wait: number }
  /** Time after which the answer is late. */
  readonly timeoutMs: number
  /** Time for which the sandbox must not pause. */
  readonly awakeMs: number
}

/** Answer to a question in time. `ms` is its duration, where that is known. */
export type Answered = { readonly notices: ConsoleNotices; readonly ms: number | undefined } & (
  | {
      readonly isThere: true
      /** The host's reply, to be read as hostile; null for an unreadable one. */
      readonly reply: unknown
    }
  /** The host does not run, or was never installed. */
  | { readonly isThere: false }
)
