import type * as z from 'zod'
import type { Pending, Result } from '../core/outcome.ts'
import type { Ports } from '../ports/index.ts'
import type { JobReader } from '../ports/jobs.ts'
import type { CommandResult } from '../ports/runner.ts'

/** Context of a tool's run besides its input. `P` names the ports it uses; it gets no others. */
export interface ToolContext<P extends keyof Ports> {
  readonly ports: Pick<Ports, P>
  readonly signal: AbortSignal
}

/**
 * Effect of a tool's calls. `read`: nothing changes, any number at once. `write`: changes the workspace only; such calls of
 * a session run one after another. `run`: runs code in the sandbox, beside other calls. `fetch`: waits for other services
 * or people, beside other calls, and takes the mutex by the `turn` port to change files.
 */
export type Effect = 'read' | 'write' | 'run' | 'fetch'

/** Whether calls of this effect wait for something outside of the server, possibly for minutes. */
export const isLong = (effect: Effect) => effect === 'run' || effect === 'fetch'

export interface Tool<
  Input extends z.ZodObject,
  P extends keyof Ports,
  Answer extends Result | Pending = Result | Pending,
> {
  /**
   * Canonical name in lower snake case, as in the Tool Server's published list. A dialect may have another name for the
   * tool.
   */
  readonly name: string
  /** Description for the model: what the tool does, when to use it, what it returns. */
  readonly description: string
  readonly input: Input
  readonly effect: Effect
  readonly uses: readonly P[]
  /** Names of arguments whose values are secrets: masked in history. Credentials in URLs are masked anyway. */
  readonly secretArgs?: readonly string[]
  /** True for a tool that only calls another one by its name: its calls are counted as calls of that one. */
  readonly isCountedElsewhere?: true
  /** Reader of the output of a program that the tool began by the `jobs` port. */
  // biome-ignore lint/suspicious/noExplicitAny: the state is the reader's own; sessions keep it as JSON
  readonly job?: JobReader<any>
  /**
   * Answer of a call about its one command, by the `answer` of the command: for a call that a restart has cut off from it.
   * @throws FailureError as `run`
   */
  // biome-ignore lint/suspicious/noExplicitAny: the kept part is the tool's own; sessions keep it as JSON
  readonly answerOf?: (kept: any, result: CommandResult, ports: Pick<Ports, 'workspace'>) => Result
  /** Runs the tool. @throws FailureError what the tool could not do */
  run(input: z.output<Input>, context: ToolContext<P>): Promise<Answer>
}

/** Defines a tool. Only infers its type parameters; nothing happens at run time. */
export const defineTool = <Input extends z.ZodObject, const P extends keyof Ports, Answer extends Result | Pending>(
  tool: Tool<Input, P, Answer>,
) => tool
