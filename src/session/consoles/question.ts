import type { ConsoleNotices } from '../../ports/consoles.ts'

/** One question to the host of notebook and shells. */
export interface Question {
  /** `wait` is in seconds. */
  readonly request: { readonly do: string; readonly wait: number }
  /** From then on it is late. */
  readonly timeoutMs: number
  /** The sandbox does not pause for that long. */
  readonly awakeMs: number
}

/** How a question ended that was not late. `ms` is what it took, where that is known. */
export type Answered = { readonly notices: ConsoleNotices; readonly ms: number | undefined } & (
  | {
      readonly isThere: true
      /** What the host says, to be read as hostile; null for nothing that can be read. */
      readonly reply: unknown
    }
  /** The host does not run, or was never put there. */
  | { readonly isThere: false }
)
