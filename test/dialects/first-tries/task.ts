/** A call of a tool: its name, and its arguments as a model writes them. */
export type Call = readonly [tool: string, args: unknown]

/** A model's first call for a task, and the answer to it. */
export interface Try {
  /** Calls before, which must work. */
  readonly before?: readonly Call[]
  readonly sends: Call
  /** Session to call in, where it is not the client's own. */
  readonly session?: string
  /** Whether the call is refused or fails. */
  readonly fails?: true
  /**
   * Message to the model: the whole error of a call that fails; else whole lines of one text of the answer. {@link ANYTHING} stands
   * for what differs from run to run.
   */
  readonly message?: string
  /** Fields of the answer's data, in dialects whose answers have data. */
  readonly data?: Readonly<Record<string, unknown>>
}

/** Why a dialect has no such try. */
export interface NoTry {
  readonly none: string
}

/** A task, with what is first tried by the Tool Server's API, and so by `/v1`, unless that says otherwise. */
export interface Task {
  /** Aim of the model, as an order. */
  readonly wants: string
  readonly tries: Try
}

/** Any text, in {@link Try.message}. */
export const ANYTHING = '…'

/** Id of the job or shell that the call before began, in arguments. */
export const BEGUN = '<begun>'
