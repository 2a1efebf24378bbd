import {
  type ActionDescription,
  type ApiDescription,
  flattened,
  type LagentType,
  type ToolkitDescription,
} from './description.ts'
import { DEFAULT_LANGUAGE, type Language } from './parameter-description.ts'
import { JsonParser, type ParserClass } from './parsers.ts'
import { toStr } from './python/to-text.ts'
import { type JsonSchema, membersOf, parametersOf } from './schema-types.ts'

/** A tool as most systems know it: the arguments are the JSON Schema of an object. */
export interface SchemaTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonSchema
  /** Schema of the result, where it is known. */
  readonly outputSchema?: JsonSchema
}

/** Lagent's form of descriptions: its text about writing arguments. */
export interface LagentForm {
  /** Default: JsonParser. */
  readonly parser?: ParserClass
  readonly language?: Language
}

export interface OpenAiTool {
  readonly type: 'function'
  readonly function: { readonly name: string; readonly description: string; readonly parameters: JsonSchema }
}

export interface AnthropicTool {
  readonly name: string
  readonly description: string
  readonly input_schema: JsonSchema
}

/** A schema tool in Lagent's form. What JSON Schema says beyond names, types and descriptions has no place there. */
export function toLagent(
  tool: SchemaTool,
  { parser = JsonParser, language = DEFAULT_LANGUAGE }: LagentForm = {},
): ApiDescription {
  const { name, description, inputSchema, outputSchema } = tool
  const returned = outputSchema ? membersOf(outputSchema) : []
  const format = parser.parameterDescription(language)
  return {
    name,
    description,
    ...parametersOf(inputSchema),
    ...(returned.length > 0 && { return_data: returned }),
    ...(format !== null && { parameter_description: format }),
  }
}

/** A named set of schema tools as a toolkit in Lagent's form. */
export const toolkitToLagent = (
  toolkit: { readonly name: string; readonly description: string; readonly tools: readonly SchemaTool[] },
  form: LagentForm = {},
): ToolkitDescription => ({
  name: toolkit.name,
  description: toolkit.description,
  api_list: toolkit.tools.map((tool) => toLagent(tool, form)),
})

/**
 * An action in Lagent's form as schema tools, those of a toolkit by the name `Toolkit.api`. `return_data` is left out.
 * A description of Python's may be anything, as `Annotated[int, 5]` has it; elsewhere it has to be text.
 */
export const fromLagent = (action: ActionDescription): SchemaTool[] =>
  flattened(action).map(({ name, description, parameters, required }) => ({
    name,
    description: toStr(description),
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(
        parameters.map((parameter) => [
          parameter.name,
          {
            ...JSON_TYPES[parameter.type],
            ...(parameter.description !== '' && { description: toStr(parameter.description) }),
          },
        ]),
      ),
      required,
    },
  }))

export const toOpenAi = ({ name, description, inputSchema }: SchemaTool): OpenAiTool => ({
  type: 'function',
  function: { name: functionName(name), description, parameters: inputSchema },
})

export const toAnthropic = ({ name, description, inputSchema }: SchemaTool): AnthropicTool => ({
  name: functionName(name),
  description,
  input_schema: inputSchema,
})

/** Length of a name: both services allow letters, digits, `_` and `-` in one, 64 of them. */
const MAX_FUNCTION_NAME = 64

/** The name that OpenAI and Anthropic can be told: `Kit.add` is `Kit__add` there. */
export const functionName = (name: string) =>
  name
    .replaceAll('.', '__')
    .replaceAll(/[^A-Za-z0-9_-]/g, '_')
    .slice(0, MAX_FUNCTION_NAME)

const JSON_TYPES: Readonly<Record<LagentType, JsonSchema>> = {
  STRING: { type: 'string' },
  NUMBER: { type: 'integer' },
  FLOAT: { type: 'number' },
  BOOLEAN: { type: 'boolean' },
  Array: { type: 'array', items: {} },
}
