import * as z from 'zod'
import { type Api, type CallResult, type Conversation, must, newId, type PastTurn, type Turn } from './conversation.ts'
import { checkParameters } from './schemas.ts'

const Text = z.strictObject({ type: z.literal('text'), text: z.string().min(1) })
const Image = z.strictObject({
  type: z.literal('image'),
  source: z.strictObject({
    type: z.literal('base64'),
    media_type: z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
    data: z.base64(),
  }),
})
const ToolUse = z.strictObject({ type: z.literal('tool_use'), id: z.string(), name: z.string(), input: z.json() })
const Result = z.strictObject({
  type: z.literal('tool_result'),
  tool_use_id: z.string(),
  is_error: z.boolean().optional(),
  content: z.union([z.string(), z.array(z.discriminatedUnion('type', [Text, Image]))]),
})
const Block = z.discriminatedUnion('type', [Text, Image, ToolUse, Result])

/** Body of a request. @see https://docs.anthropic.com/en/api/messages */
const Body = z.strictObject({
  model: z.string(),
  max_tokens: z.int().min(1),
  messages: z.array(
    z.strictObject({ role: z.enum(['user', 'assistant']), content: z.union([z.string(), z.array(Block)]) }),
  ),
  tools: z.array(
    z.strictObject({
      name: z.string().regex(/^[a-zA-Z0-9_-]{1,128}$/),
      description: z.string(),
      input_schema: z.looseObject({ type: z.literal('object') }),
    }),
  ),
})

/** Conversation of a request to `/v1/messages`. @throws Refusal, ZodError */
function read(json: unknown): Conversation {
  const { messages, tools } = Body.parse(json)
  for (const { name, input_schema } of tools) checkParameters(name, input_schema)
  const turns: PastTurn[] = []
  for (const [at, { role, content }] of messages.entries()) {
    const blocks = typeof content === 'string' ? [] : content
    const calls = blocks.filter((block) => block.type === 'tool_use')
    must(calls.length === 0 || role === 'assistant', 'tool_use stands in a message of the user')
    if (calls.length === 0) continue
    const next = messages[at + 1]?.content
    const results = (Array.isArray(next) ? next : []).slice(0, calls.length).map(resultOf)
    turns.push({ calls: calls.map(({ id, name, input }) => ({ id, name, args: input })), results })
  }
  return { tools: tools.map(({ name }) => name), turns }
}

function resultOf(block: z.infer<typeof Block>): CallResult {
  must(block.type === 'tool_result', 'tool_use ids were found without tool_result blocks immediately after')
  const { tool_use_id: id, is_error: isError = false, content } = block
  const blocks = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content
  return {
    ...{ id, isError },
    text: blocks.map((part) => (part.type === 'text' ? part.text : '')).join('\n'),
    pictures: blocks.flatMap((part) =>
      part.type === 'image' ? [{ mediaType: part.source.media_type, base64: part.source.data }] : [],
    ),
  }
}

/** Answer of the Messages API. */
const write = (turn: Turn, model: string): object => ({
  ...{ id: newId('msg'), type: 'message', role: 'assistant', model, stop_sequence: null },
  stop_reason: 'text' in turn ? 'end_turn' : 'tool_use',
  usage: { input_tokens: 1, output_tokens: 1 },
  content:
    'text' in turn
      ? [{ type: 'text', text: turn.text }]
      : turn.calls.map(({ id, name, args }) => ({ type: 'tool_use', id, name, input: args })),
})

/** Error as the Messages API gives it. */
const refuse = (message: string): object => ({
  type: 'error',
  error: { type: 'invalid_request_error', message },
})

/** Messages API of Anthropic. */
export const ANTHROPIC: Api = { path: /^\/v1\/messages$/, keys: ['authorization', 'x-api-key'], read, write, refuse }
