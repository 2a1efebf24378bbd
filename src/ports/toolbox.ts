import type { Pending, Result } from '../core/outcome.ts'
import type { Nesting } from '../registry/chain/budget.ts'
import type { DryRun } from '../registry/chain/dry-run.ts'
import type { SourcedDefinition, ToolDefinition } from '../registry/definition.ts'

/** All tools that calls of a session can name, whoever brought them: one port over the sources of tools. */
export interface Toolbox {
  /** The chains that this call stands in, however many calls are between them: what begins a chain begins it there. */
  readonly nesting: Nesting
  /** Tools of the session, source by source, each in the order in which they came. */
  list(): Promise<readonly BroughtTool[]>
  /** A tool of the session; null when it has none of that name and kind. */
  find<Kind extends BroughtTool['kind']>(kind: Kind, name: string): Promise<ToolOf<Kind> | null>
  /**
   * Gives a source new tools, in the name of whoever calls.
   * @param trial without it the tools are there afterwards; with it nothing changes, and the same is refused
   * @throws FailureError `forbidden`; `conflict` when a name is taken; `invalid_input` for a chain with mistakes; `limit_exceeded`
   */
  put<Source extends keyof NewTools>(source: Source, tools: NewTools[Source], trial?: Trial): Promise<PutAnswer>
  /** @returns false when the source has none of that name */
  remove(source: keyof NewTools, name: string): boolean
  /**
   * Calls a tool, as a call of its own: in its turn, with its owner's rules, and counted.
   * @param nesting the chains that it stands in
   * @throws FailureError what the tool could not do, RefusalError why it may not be called
   */
  call(call: ToolboxCall, nesting: Nesting, signal: AbortSignal): Promise<Result | Pending>
}

export interface ToolboxCall {
  /** Left out: a built-in tool of that name, or else a `tool`. */
  readonly kind?: ToolKind
  /** Its name; of a `tool` that the tenant registered also `id@version`. */
  readonly tool: string
  readonly args: unknown
  /** What a `tool` is told besides. */
  readonly context?: Readonly<Record<string, unknown>>
  /** A `tool` of that name that is not there yet, to be tried. A `conflict` when the tenant has one. */
  readonly draft?: ToolDefinition
}

/**
 * What form a tool has. `tool`: described by JSON Schema, for every dialect, and each call of it is counted.
 * `function`: Python with a docstring of XAgent. `action`: Lagent's. These are called by one built-in tool, and counted as it.
 */
export type ToolKind = 'built-in' | BroughtTool['kind']

/** A tool that a session has besides those of the server and of its tenant. Plain data. */
export type BroughtTool = SchemaTool | FunctionTool | ActionTool
export type ToolOf<Kind extends BroughtTool['kind']> = Extract<BroughtTool, { readonly kind: Kind }>

interface Brought {
  /** Name of the source that has it. */
  readonly source: string
  /** What it is called by. */
  readonly name: string
}

export interface SchemaTool extends Brought {
  readonly kind: 'tool'
  readonly definition: SourcedDefinition
}

export interface FunctionTool extends Brought, PythonFunction {
  readonly kind: 'function'
}

export interface ActionTool extends Brought {
  readonly kind: 'action'
  /** How Lagent described it when it came: JSON. */
  readonly described: Readonly<Record<string, unknown>>
}

/** A Python function as its docstring describes it. */
export interface PythonFunction {
  readonly name: string
  readonly description: string
  readonly parameters: readonly FunctionParameter[]
  /** In no list, but found by name. */
  readonly hidden: boolean
}

export interface FunctionParameter {
  readonly name: string
  /** As its author wrote it. */
  readonly type: string | null
  readonly description: string
  readonly optional: boolean
  readonly fallback?: string
}

/** What each source that takes new tools is given, by the source's name. */
export interface NewTools {
  /** A tool for this session alone. */
  readonly session: ToolDefinition
  /** A tool for all sessions of the tenant. */
  readonly tenant: ToolDefinition
  readonly functions: { readonly described: PythonFunction; readonly code: string }
  /** The actions of one source of Python; those of the same names are replaced. */
  readonly actions: { readonly source: ActionSource; readonly actions: readonly NewAction[] }
}

export interface ActionSource {
  readonly text: string
  readonly requirements: readonly string[]
}

export type NewAction = Pick<ActionTool, 'name' | 'described'>

/** `check` looks whether a tool would be taken; `plan` says besides what a chain would call with that input. */
export type Trial =
  | { readonly only: 'check' }
  | { readonly only: 'plan'; readonly input: Readonly<Record<string, unknown>> }

export interface PutAnswer {
  /** Which version it is, of a tenant's. */
  readonly version?: number
  /** When that was asked for: what a chain would call; null for what is no chain. */
  readonly plan?: DryRun | null
}
