import type { Toolyard } from '../toolyard.ts'
import type { RequestOptions } from '../transport.ts'

/** Definition of a tool in each form, as the types of the providers' packages take it. */
export interface Definitions {
  readonly openai: { type: 'function'; function: OpenAiFunction }
  readonly openai_responses: { type: 'function' } & OpenAiFunction
  readonly anthropic: {
    name: string
    description: string
    input_schema: { type: 'object'; [keyword: string]: unknown }
  }
  readonly gemini: { name: string; description: string; parameters: object }
  readonly mcp: { name: string; description: string; inputSchema: { type: 'object'; [keyword: string]: unknown } }
}

interface OpenAiFunction {
  name: string
  description: string
  parameters: { [keyword: string]: unknown }
  strict: boolean
}

/** Tools that are wanted: those of these names, of a toolkit, or that fit a question; all without any of them. */
export interface WantedTools {
  readonly names?: readonly string[]
  readonly toolkit?: string
  readonly q?: string
  /** Name of the agent that would call. */
  readonly agent?: string
  /** OpenAI's strict form, for tools that have one. */
  readonly strict?: boolean
}

/** Definitions of tools as a provider of models takes them. @throws ApiError, such as for a name that no tool has; ConnectionError */
export async function definitions<Format extends keyof Definitions>(
  toolyard: Toolyard,
  format: Format,
  { names, ...wanted }: WantedTools = {},
  options?: RequestOptions,
): Promise<Definitions[Format][]> {
  const query = {
    ...wanted,
    format,
    ...(names && { names: names.join(',') }),
  }
  const found: unknown[] = []
  for await (const definition of toolyard.pages('GET /v1/tools', { query }, options)) found.push(definition)
  return found as Definitions[Format][]
}
