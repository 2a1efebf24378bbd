import type { CallToolResult, InputRequiredResult, JSONObject, ServerContext, Tool } from '@modelcontextprotocol/server'

/** Tool of the conformance suite's server. */
export interface Fixture {
  readonly tool: Tool
  run(
    given: Readonly<Record<string, unknown>>,
    request: ServerContext,
  ): CallToolResult | InputRequiredResult | Promise<CallToolResult | InputRequiredResult>
}

/** Schemas of arguments, by name. */
export type Properties = Record<string, JSONObject>

/** Makes a fixture. @param properties of its arguments, all of them required */
export function fixture(name: string, description: string, run: Fixture['run'], properties: Properties = {}): Fixture {
  const required = Object.keys(properties)
  const inputSchema = { type: 'object' as const, properties, ...(required.length > 0 && { required }) }
  return { tool: { name, description, inputSchema }, run }
}

export const text = (words: string): CallToolResult => ({ content: [{ type: 'text', text: words }] })

/** Time between two messages of one call, so that a client can tell them apart: the suite wants some 50 ms. */
export const pause = () => new Promise<void>((resolve) => setTimeout(resolve, 50))
