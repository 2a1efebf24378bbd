import type { Result, ToolCall } from '../../../core/outcome.ts'
import type { ReturnedContent } from '../../../lagent/action-return.ts'
import type { LagentApi } from '../../../lagent/built-in/action.ts'
import type { ActionDescription, ApiDescription } from '../../../lagent/description.ts'
import type { SchemaTool } from '../../../lagent/formats.ts'

/** An action of a caller: a tool, or a named set of them. */
export interface Action {
  readonly name: string
  readonly description: string
  readonly isToolkit: boolean
  /** Apis of the action; a tool has one, named `run`. */
  readonly apis: readonly Api[]
  /** Advice in place of an action that cannot be called. */
  readonly instead?: string
}

export interface Api {
  readonly name: string
  /** Description in Lagent's form, by the api's name. */
  readonly described: ApiDescription
  readonly inputSchema: SchemaTool['inputSchema']
  /** True when its schema describes no arguments, so any are taken. */
  readonly takesAny?: boolean
  /** Kind of its answers for Lagent. */
  readonly answers: Pick<LagentApi, 'answer' | 'failsAsHttp'>
  contentOf(result: Result): readonly ReturnedContent[]
  /** Arguments as an answer shows them, where it does not show them by their names. */
  argsOf?(args: Readonly<Record<string, unknown>>): unknown
  toCall(args: Readonly<Record<string, unknown>>): ToolCall
}

/** The action as Lagent describes it, without what a parser adds. */
export function describeAction({ name, description, isToolkit, apis }: Action): ActionDescription {
  if (isToolkit) return { name, description, api_list: apis.map(({ described }) => described) }
  const [run] = apis
  return run ? { ...run.described, name, description } : { name, description, parameters: [], required: [] }
}

/** Name by which an api is called: a toolkit's as `Toolkit.api`. */
export const nameOf = (action: Action, api: Api) => (action.isToolkit ? `${action.name}.${api.name}` : action.name)
