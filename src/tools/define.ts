import type { z } from 'zod'
import type { Pending, Result } from '../core/outcome.ts'
import type { Ports } from '../ports/index.ts'
import type { JobReader } from '../ports/jobs.ts'

/** What a tool gets besides its input. `P` names the ports it uses, and it gets no others. */
export interface ToolContext<P extends keyof Ports> {
  readonly ports: Pick<Ports, P>
  readonly signal: AbortSignal
}

/**
 * What a call of the tool may do. `read`: nothing changes, any number at once. `write`: changes the workspace only; such
 * calls of a session run one after another. `run`: runs code in the sandbox, beside other calls. `fetch`: waits for
 * other services or people, beside other calls, and changes files in its turn, by the `turn` port.
 */
export type Effect = 'read' | 'write' | 'run' | 'fetch'

/** Whether such a call waits for something outside of the server, for minutes maybe. */
export const isLong = (effect: Effect) => effect === 'run' || effect === 'fetch'

export interface Tool<
  Input extends z.ZodObject,
  P extends keyof Ports,
  Answer extends Result | Pending = Result | Pending,
> {
  /** Lower snake case, as in the Tool Server's published list. A dialect may know it by another name. */
  readonly name: string
  /** Written for the model: what it does, when to use it, what it returns. */
  readonly description: string
  readonly input: Input
  readonly effect: Effect
  readonly uses: readonly P[]
  /** Names of arguments whose values are secrets: masked in history. Credentials in URLs are masked anyway. */
  readonly secretArgs?: readonly string[]
  /** True for a tool that only calls another one by its name: its calls are counted as that one's. */
  readonly isCountedElsewhere?: true
  /** Reads what a program prints that it began by the `jobs` port. */
  // biome-ignore lint/suspicious/noExplicitAny: the state is the reader's own; sessions keep it as JSON
  readonly job?: JobReader<any>
  /** @throws FailureError what the tool could not do */
  run(input: z.output<Input>, context: ToolContext<P>): Promise<Answer>
}

/** Infers its type parameters; adds nothing at run time. */
export const defineTool = <Input extends z.ZodObject, const P extends keyof Ports, Answer extends Result | Pending>(
  tool: Tool<Input, P, Answer>,
) => tool
