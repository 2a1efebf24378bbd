import type { Parameter, ReturnedValue } from '../description.ts'

/** Action that comes with Lagent, and the tools that do its work. */
export interface LagentAction {
  readonly name: string
  /** False for an action with one api, `run`, whose description is the action's own. */
  readonly isToolkit: boolean
  readonly description: string
  readonly apis: readonly LagentApi[]
  /** Advice in place of an action that cannot be called. */
  readonly instead?: string
}

export interface LagentApi {
  readonly name: string
  /** The tool that does it, and takes the same arguments. */
  readonly tool: string
  /** Source of the content of the `ActionReturn`: the tool's data as JSON, its text, or `data.result`, a list of items. */
  readonly answer: 'json' | 'text' | 'items'
  /** Form of the arguments in an answer, where it is not by their names: `{text: command}`, or the code in a fence. */
  readonly argsAs?: 'text' | 'fence'
  /** True where every failure is HTTP_ERROR. */
  readonly failsAsHttp?: true
  readonly description: string
  readonly parameters: readonly LagentParameter[]
  /** `return_data`. */
  readonly returned?: readonly Readonly<ReturnedValue>[]
}

export interface LagentParameter extends Readonly<Parameter> {
  readonly required?: true
}
