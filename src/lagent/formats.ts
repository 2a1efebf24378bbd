import { type ActionDescription, type ApiDescription, flattened, type LagentType } from './description.ts'
import { JSON_FORMAT, type Language } from './parameter-description.ts'
import { type JsonSchema, parametersOf } from './schema-types.ts'

/** A tool as most systems know it: the arguments are the JSON Schema of an object. */
export interface SchemaTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonSchema
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
export function toLagent(tool: SchemaTool, options: { readonly language?: Language } = {}): ApiDescription {
  const { name, description, inputSchema } = tool
  return {
    name,
    description,
    ...parametersOf(inputSchema),
    parameter_description: JSON_FORMAT[options.language ?? 'en'],
  }
}

/** An action in Lagent's form as schema tools, those of a toolkit by the name `Toolkit.api`. `return_data` is left out. */
export const fromLagent = (action: ActionDescription): SchemaTool[] =>
  flattened(action).map(({ name, description, parameters, required }) => ({
    name,
    description,
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(
        parameters.map((parameter) => [
          parameter.name,
          {
            ...JSON_TYPES[parameter.type],
            ...(parameter.description !== '' && { description: parameter.description }),
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

/** Both services allow letters, digits, `_` and `-` in a name, 64 of them. */
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
