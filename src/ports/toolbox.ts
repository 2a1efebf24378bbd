import type { Pending, Result } from '../core/outcome.ts'
import type { Nesting } from '../registry/chain/budget.ts'
import type { DryRun } from '../registry/chain/dry-run.ts'
import type { SourcedDefinition, ToolDefinition } from '../registry/definition.ts'
import type { HasFiles } from './runner.ts'

/** All tools that calls of a session can name, whatever their source: one port over the sources of tools. */
export interface Toolbox {
  /** Chains around this call, however many calls are between them: a chain that it begins is nested in these. */
  readonly nesting: Nesting
  /** Tools of the session, source by source, each in the order in which they came. */
  list(): Promise<readonly BroughtTool[]>
  /** Finds a tool of the session; null when there is none of that name and kind. */
  find<Kind extends BroughtTool['kind']>(kind: Kind, name: string): Promise<ToolOf<Kind> | null>
  /**
   * Adds new tools to a source, in the name of the caller.
   * @param trial without it the tools are there afterwards; with it nothing changes, and the same is refused
   * @throws FailureError `forbidden`; `conflict` when a name is taken; `invalid_input` for a chain with mistakes;
   * `limit_exceeded`
   */
  put<Source extends keyof NewTools>(source: Source, tools: NewTools[Source], trial?: Trial): Promise<PutAnswer>
  /**
   * Removes a tool.
   * @returns false when the source has none of that name
   */
  remove(source: keyof NewTools, name: string): boolean
  /**
   * Calls a tool, as a call of its own: scheduled, under its owner's rules, and counted.
   * @param nesting the chains around the call
   * @throws FailureError for what the tool could not do, RefusalError when it may not be called
   */
  call(call: ToolboxCall, nesting: Nesting, signal: AbortSignal): Promise<Result | Pending>
}

export interface ToolboxCall {
  /** Kind of the tool; absent: a built-in tool of that name, or else a `tool`. */
  readonly kind?: ToolKind
  /** Name of the tool; for a `tool` that the tenant registered also `id@version`. */
  readonly tool: string
  readonly args: unknown
  /** Context for a `tool`, besides its arguments. */
  readonly context?: Readonly<Record<string, unknown>>
  /** True for a step whose own output is for its caller alone: nobody who follows the outer call sees it. */
  readonly isSilent?: true
  /** Tells for a call that comes from the sandbox whether the workspace has its files; left out, the sandbox is looked at. */
  readonly hasFiles?: HasFiles
  /** Definition of a new `tool` of that name, to be tried. A `conflict` when the tenant has one. */
  readonly draft?: ToolDefinition
}

/**
 * Form of a tool. `tool`: described by JSON Schema, for every dialect, and each call of it is counted. `function`: Python with a
 * docstring of XAgent. `action`: Lagent's. One built-in tool calls functions and actions, and is counted for them.
 */
export type ToolKind = 'built-in' | BroughtTool['kind']

/** A tool that a session has besides those of the server and of its tenant. Plain data. */
export type BroughtTool = SchemaTool | FunctionTool | ActionTool
export type ToolOf<Kind extends BroughtTool['kind']> = Extract<BroughtTool, { readonly kind: Kind }>

interface Brought {
  /** Name of the source that has it. */
  readonly source: string
  /** Name that calls use. */
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
  /** Lagent's description of it when it came: JSON. */
  readonly described: Readonly<Record<string, unknown>>
}

/** A Python function as its docstring describes it. */
export interface PythonFunction {
  readonly name: string
  readonly description: string
  readonly parameters: readonly FunctionParameter[]
  /** Hidden from lists, but found by name. */
  readonly hidden: boolean
}

export interface FunctionParameter {
  readonly name: string
  /** Type as its author wrote it. */
  readonly type: string | null
  readonly description: string
  readonly optional: boolean
  readonly fallback?: string
}

/** New tools that each source takes, by the source's name. */
export interface NewTools {
  /** A tool for this session alone. */
  readonly session: ToolDefinition
  /** A tool for all sessions of the tenant. */
  readonly tenant: ToolDefinition
  readonly functions: { readonly described: PythonFunction; readonly code: string }
  /** Actions of one source of Python; existing ones of the same names are replaced. */
  readonly actions: { readonly source: ActionSource; readonly actions: readonly NewAction[] }
}

export interface ActionSource {
  readonly text: string
  readonly requirements: readonly string[]
}

export type NewAction = Pick<ActionTool, 'name' | 'described'>

/** Kind of trial: `check` tells whether a tool would be taken; `plan` also what a chain would call with that input. */
export type Trial =
  | { readonly only: 'check' }
  | { readonly only: 'plan'; readonly input: Readonly<Record<string, unknown>> }

export interface PutAnswer {
  /** Version of a tenant's tool. */
  readonly version?: number
  /** Plan when it was requested: what a chain would call; null for a tool that is no chain. */
  readonly plan?: DryRun | null
}
