/** A call of a tool: its name, and its arguments as a model writes them. */
export type Call = readonly [tool: string, args: unknown]

/** What a model sends first, and what it is told. */
export interface Try {
  /** Calls before, which must work. */
  readonly before?: readonly Call[]
  readonly sends: Call
  /** Session to call in, where it is not the client's own. */
  readonly session?: string
  /** Whether the call is refused or fails. */
  readonly fails?: true
  /**
   * What the model reads: the whole error of a call that fails; else whole lines of one text of the answer. {@link ANYTHING} stands
   * for what differs from run to run.
   */
  readonly told?: string
  /** Fields of the answer's data, in dialects whose answers have data. */
  readonly data?: Readonly<Record<string, unknown>>
}

/** Why a dialect has no such try. */
export interface NoTry {
  readonly none: string
}

/** A task, with what is first tried by the Tool Server's API, and so by `/v1`, unless that says otherwise. */
export interface Task {
  /** What the model wants. */
  readonly wants: string
  readonly tries: Try
}

/** Any text, in {@link Try.told}. */
export const ANYTHING = '…'

/** Id of the job or shell that the call before began, in arguments. */
export const BEGUN = '<begun>'
