import type { Result } from '../../core/outcome.ts'
import type { LivePiece } from '../../ports/runner.ts'
import type { BroughtTool, PutAnswer, ToolOf, Trial } from '../../ports/toolbox.ts'
import type { Nesting } from '../../registry/chain/budget.ts'
import type { Caller } from '../../tenant/api.ts'
import type { Amounts, ExecutorPorts } from '../../tools/registered/execution.ts'

type Kind = BroughtTool['kind']
type Soon<T> = T | Promise<T>

/**
 * Source of a session's tools: who owns them, and what runs them. A source whose `find` answers at once costs a call no
 * wait, so one that keeps its tools in the session should do so.
 * @typeParam New the argument of its `put`
 */
export interface ToolSource<K extends Kind = Kind, New = never> {
  readonly name: string
  readonly kind: K
  /** Tools in order of arrival. Left out where the owner is asked for its list itself. */
  list?(): Soon<readonly ToolOf<K>[]>
  /** The tool of that name; null when this source has none. */
  find(name: string): Soon<ToolOf<K> | null>
  /** Stores tools, as {@link Toolbox.put}; left out where calls bring no tools. */
  put?(tools: New, by: Caller, trial?: Trial): Soon<PutAnswer>
  /** Removes a tool, as {@link Toolbox.remove}. */
  remove?(name: string): boolean
  /**
   * Runs one call. A `tool` was counted already, and its arguments were checked where its definition wants it.
   * @throws FailureError when the tool fails
   */
  call(call: SourceCall<K>, ports: ExecutorPorts, signal: AbortSignal): Promise<Result>
}

export type AnyToolSource = { [K in Kind]: ToolSource<K> }[Kind]

export interface SourceCall<K extends Kind = Kind> {
  readonly tool: ToolOf<K>
  readonly args: Readonly<Record<string, unknown>>
  /** Further context for the tool. */
  readonly context: Readonly<Record<string, unknown>>
  /** Reports usage as it arises, since failing calls count too. */
  readonly used: (amounts: Partial<Amounts>) => void
  /** The chains by which it is called. */
  readonly nesting: Nesting
  /** `traceparent` of requests that the call makes; left out without a trace. */
  readonly traceparent?: string
  /** Takes what the call shows while it runs; left out where nobody follows it. */
  readonly live?: (piece: LivePiece) => void
}
