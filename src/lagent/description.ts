/** The names of types that Lagent has. A dict, and anything it has no name for, is STRING. */
export type LagentType = 'STRING' | 'NUMBER' | 'FLOAT' | 'BOOLEAN' | 'Array'

export interface Parameter {
  name: string
  type: LagentType
  description: string
}

/** Return value of a call, or one member of it. */
export interface ReturnedValue {
  name?: string
  description: string
  type?: LagentType
}

/** API: one function that can be called. */
export interface ApiDescription {
  name: string
  description: string
  parameters: Parameter[]
  /** Names of the parameters that have to be given. */
  required: string[]
  return_data?: ReturnedValue[]
  /** Format of the arguments; comes from the parser. */
  parameter_description?: string
}

export interface ToolkitDescription {
  name: string
  description: string
  api_list: ApiDescription[]
}

/** Description of a tool, which is its one API, or of a toolkit. */
export type ActionDescription = ApiDescription | ToolkitDescription

export const isToolkitDescription = (description: ActionDescription): description is ToolkitDescription =>
  'api_list' in description

/** The APIs that an action has, by the names they are called by: `run` in a tool. */
export const apisOf = (description: ActionDescription): [string, ApiDescription][] =>
  isToolkitDescription(description)
    ? description.api_list.map((api): [string, ApiDescription] => [api.name, api])
    : [['run', description]]

/** APIs as a model sees them: a tool unchanged, those of a toolkit as `Toolkit.api`. */
export const flattened = (description: ActionDescription): ApiDescription[] =>
  isToolkitDescription(description)
    ? description.api_list.map((api) => ({ ...api, name: `${description.name}.${api.name}` }))
    : [description]
