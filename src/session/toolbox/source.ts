import type { Result } from '../../core/outcome.ts'
import type { BroughtTool, PutAnswer, ToolOf, Trial } from '../../ports/toolbox.ts'
import type { Nesting } from '../../registry/chain/budget.ts'
import type { Caller } from '../../tenant/api.ts'
import type { Amounts, ExecutorPorts } from '../../tools/registered/execution.ts'

type Kind = BroughtTool['kind']
type Soon<T> = T | Promise<T>

/**
 * Where tools of a session come from: who owns them, and what runs them. A source that answers `find` at once costs a call no
 * wait, so one that keeps its tools in the session should.
 * @typeParam New what it takes by `put`
 */
export interface ToolSource<K extends Kind = Kind, New = never> {
  readonly name: string
  readonly kind: K
  /** In the order in which they came. Left out where the owner is asked for its list itself. */
  list?(): Soon<readonly ToolOf<K>[]>
  /** The tool of that name; null when this source has none. */
  find(name: string): Soon<ToolOf<K> | null>
  /** As {@link Toolbox.put}; left out where calls bring no tools. */
  put?(tools: New, by: Caller, trial?: Trial): Soon<PutAnswer>
  /** As {@link Toolbox.remove}. */
  remove?(name: string): boolean
  /**
   * Runs one call. A `tool` was counted already, and its arguments were checked where its definition wants it.
   * @throws FailureError what the tool could not do
   */
  call(call: SourceCall<K>, ports: ExecutorPorts, signal: AbortSignal): Promise<Result>
}

export type AnyToolSource = { [K in Kind]: ToolSource<K> }[Kind]

export interface SourceCall<K extends Kind = Kind> {
  readonly tool: ToolOf<K>
  readonly args: Readonly<Record<string, unknown>>
  /** What the tool is told besides. */
  readonly context: Readonly<Record<string, unknown>>
  /** Told of what the call uses when it is used, since calls that fail count too. */
  readonly used: (amounts: Partial<Amounts>) => void
  /** The chains that it is called by. */
  readonly nesting: Nesting
}
