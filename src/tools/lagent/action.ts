/** The five types that Lagent's descriptions know. */
export type LagentType = 'STRING' | 'NUMBER' | 'FLOAT' | 'BOOLEAN' | 'Array'

/** An action that comes with Lagent, and which tools do its work. */
export interface LagentAction {
  readonly name: string
  /** False: it has one api, `run`, whose description is the action's own. */
  readonly isToolkit: boolean
  readonly description: string
  readonly apis: readonly LagentApi[]
}

export interface LagentApi {
  readonly name: string
  /** The tool that does it, and takes the same arguments. */
  readonly tool: string
  /** Where the content of its `ActionReturn` is: the tool's data as JSON, its text, or `data.result`, a list of items. */
  readonly answer: 'json' | 'text' | 'items'
  /** Whatever fails is HTTP_ERROR there. */
  readonly failsAsHttp?: true
  readonly description: string
  readonly parameters: readonly LagentParameter[]
  /** `return_data`. */
  readonly returned?: readonly { readonly name: string; readonly description: string; readonly type?: LagentType }[]
}

export interface LagentParameter {
  readonly name: string
  readonly type: LagentType
  readonly description: string
  readonly required?: true
}
