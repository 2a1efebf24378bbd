import type { Parameter, ReturnedValue } from '../description.ts'

/** An action that comes with Lagent, and which tools do its work. */
export interface LagentAction {
  readonly name: string
  /** False: it has one api, `run`, whose description is the action's own. */
  readonly isToolkit: boolean
  readonly description: string
  readonly apis: readonly LagentApi[]
  /** Of one that cannot be called: what to do. */
  readonly instead?: string
}

export interface LagentApi {
  readonly name: string
  /** The tool that does it, and takes the same arguments. */
  readonly tool: string
  /** Where the content of its `ActionReturn` is: the tool's data as JSON, its text, or `data.result`, a list of items. */
  readonly answer: 'json' | 'text' | 'items'
  /** How an answer tells its arguments, where it is not by their names: `{text: command}`, or the code in a fence. */
  readonly argsAs?: 'text' | 'fence'
  /** Whatever fails is HTTP_ERROR there. */
  readonly failsAsHttp?: true
  readonly description: string
  readonly parameters: readonly LagentParameter[]
  /** `return_data`. */
  readonly returned?: readonly Readonly<ReturnedValue>[]
}

export interface LagentParameter extends Readonly<Parameter> {
  readonly required?: true
}
