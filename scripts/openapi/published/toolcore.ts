import { MAX_AGENT_CHARS } from '../../../src/core/limits/registry.ts'
import { JSON_ANSWER, type PublishedDocument, publishedDocument, wholeObject } from './published-document.ts'

const text = { type: 'string' } as const
const number = { type: 'number' } as const
const anyObject = { type: 'object', additionalProperties: true } as const
const hours = {
  name: 'period_hours',
  in: 'query',
  description: 'Hours before now.',
  schema: { type: 'integer', minimum: 1, maximum: 720, default: 24 },
} as const
const microdao = {
  name: 'microdao_id',
  in: 'query',
  description: 'Use in this microDAO alone.',
  schema: text,
} as const

const listed = {
  id: text,
  name: text,
  description: text,
  input_schema: { ...anyObject, description: 'JSON Schema of the arguments.' },
  executor: { ...text, description: '`http`, `python`, `chain`, or `builtin` for a tool of the server.' },
}
const usedTool = {
  tool_id: { type: ['string', 'null'] },
  tool_name: { type: ['string', 'null'] },
  calls: { type: 'integer' },
  success_rate: number,
  avg_latency_ms: number,
} as const
/** Source: Toolcore's three routes and its usage engine's two; the wire facts are those of its tests here. */
export const TOOLCORE: PublishedDocument = publishedDocument({
  title: 'Toolyard for clients of Toolcore',
  description:
    "Toolcore's registry and its usage engine, as its clients know them. Every request shows a key as `X-Internal-Secret`; a server on your own machine takes any.",
  tag: { name: 'toolcore', description: 'Tools that agents of microDAOs call.' },
  security: 'X-Internal-Secret',
  schemas: {
    ListedTool: wholeObject(listed),
    ToolDefinition: wholeObject({
      ...listed,
      output_schema: { ...anyObject, description: 'JSON Schema of the result.' },
      target: { ...text, description: 'URL, module or steps.' },
      allowed_agents: { type: ['array', 'null'], items: text, description: 'Null for all agents.' },
      timeout: { type: ['number', 'null'], description: 'Seconds.' },
      enabled: { type: 'boolean' },
    }),
    ToolCall: {
      type: 'object',
      properties: {
        tool_id: text,
        agent_id: { ...text, maxLength: MAX_AGENT_CHARS },
        microdao_id: text,
        args: { ...anyObject, default: {} },
        context: { type: ['object', 'null'], additionalProperties: true, default: {} },
      },
      required: ['tool_id', 'agent_id', 'microdao_id'],
    },
    ToolCallResult: wholeObject({
      ok: { type: 'boolean', description: 'Whether the tool worked.' },
      result: { type: ['object', 'null'], description: 'What it returned; any other value stands under `result`.' },
      error: { type: ['string', 'null'], description: 'What was wrong, and what to do.' },
      tool_id: text,
      latency_ms: number,
    }),
    UsedTool: wholeObject(usedTool),
    Usage: wholeObject({
      summary: anyObject,
      models: { type: 'array', items: anyObject },
      agents: { type: 'array', items: anyObject },
      tools: { type: 'array', items: { $ref: '#/components/schemas/UsedTool' } },
    }),
  },
  operations: [
    {
      ...{ method: 'get', path: '/health', id: 'health', summary: 'Look whether the server runs' },
      description: 'Without `X-Internal-Secret` this path is the Tool Server’s.',
      answer: JSON_ANSWER(wholeObject({ status: text, service: text, tools: { type: 'integer' } })),
      example: {},
    },
    {
      ...{ method: 'get', path: '/internal/tools', id: 'listTools', summary: 'List the tools that an agent may call' },
      parameters: [{ name: 'agent_id', in: 'query', description: 'Tools of this agent alone.', schema: text }],
      answer: JSON_ANSWER(
        wholeObject({
          tools: { type: 'array', items: { $ref: '#/components/schemas/ListedTool' } },
          total: { type: 'integer' },
        }),
      ),
      example: { query: { agent_id: 'agent:sofia' } },
    },
    {
      ...{ method: 'get', path: '/internal/tools/{tool_id}', id: 'getTool', summary: 'Get the definition of a tool' },
      parameters: [{ name: 'tool_id', in: 'path', description: 'Id of the tool.', required: true, schema: text }],
      answer: JSON_ANSWER({ $ref: '#/components/schemas/ToolDefinition' }),
      more: ['404'],
      example: { params: { tool_id: 'calculate' } },
    },
    {
      ...{ method: 'post', path: '/internal/tools/call', id: 'callTool', summary: 'Call a tool' },
      description: 'A tool that failed is answered 200 with `ok: false`; a call that may not be made, 403.',
      body: { $ref: '#/components/schemas/ToolCall' },
      answer: JSON_ANSWER({ $ref: '#/components/schemas/ToolCallResult' }),
      more: ['422'],
      example: {
        body: {
          ...{ tool_id: 'calculate', agent_id: 'agent:sofia', microdao_id: 'microdao:7' },
          args: { expression: '6 * 7' },
        },
      },
    },
    {
      ...{ method: 'get', path: '/internal/usage/tools', id: 'toolUsage', summary: 'Get the use of each tool' },
      parameters: [hours, microdao],
      answer: JSON_ANSWER(wholeObject({ tools: { type: 'array', items: { $ref: '#/components/schemas/UsedTool' } } })),
      more: ['422'],
      example: { query: { period_hours: '24' } },
    },
    {
      ...{ method: 'get', path: '/internal/usage/summary', id: 'usageSummary', summary: 'Get the use of all tools' },
      parameters: [hours, microdao],
      answer: JSON_ANSWER({ $ref: '#/components/schemas/Usage' }),
      more: ['422'],
      example: { query: { microdao_id: 'microdao:7' } },
    },
  ],
})
