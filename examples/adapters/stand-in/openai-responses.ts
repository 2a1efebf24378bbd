import * as z from 'zod'
import { type Api, type CallResult, type Conversation, must, newId, type Turn } from './conversation.ts'
import { refuse } from './openai-chat.ts'
import { pictureOf } from './picture.ts'
import { checkParameters, checkStrict } from './schemas.ts'
import { callsOf } from './script.ts'

const Text = z.strictObject({
  type: z.enum(['input_text', 'output_text']),
  text: z.string(),
  annotations: z.json().optional(),
  logprobs: z.json().optional(),
})
const Image = z.strictObject({
  type: z.literal('input_image'),
  image_url: z.string(),
  detail: z.enum(['auto', 'low', 'high', 'original']).optional(),
})
const Message = z.strictObject({
  type: z.literal('message').optional(),
  id: z.string().optional(),
  status: z.string().optional(),
  role: z.enum(['user', 'assistant', 'system', 'developer']),
  content: z.union([z.string(), z.array(z.discriminatedUnion('type', [Text, Image]))]),
})
const Call = z.strictObject({
  type: z.literal('function_call'),
  id: z.string().nullish(),
  call_id: z.string(),
  name: z.string(),
  arguments: z.string(),
  status: z.string().nullish(),
})
const Output = z.strictObject({
  type: z.literal('function_call_output'),
  id: z.string().nullish(),
  call_id: z.string(),
  status: z.string().nullish(),
  output: z.union([z.string(), z.array(z.discriminatedUnion('type', [Text, Image]))]),
})
/** An item of an earlier answer, by its id. */
const Reference = z.strictObject({ type: z.literal('item_reference'), id: z.string() })

/** Body of a request, as far as the script needs it. @see https://platform.openai.com/docs/api-reference/responses/create */
const Body = z.looseObject({
  model: z.string(),
  stream: z.literal(false).optional(),
  previous_response_id: z.null().optional(),
  input: z.union([z.string(), z.array(z.union([Message, Call, Output, Reference]))]),
  tools: z.array(
    z.strictObject({
      type: z.literal('function'),
      name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
      description: z.string().max(1_024).optional(),
      parameters: z.json(),
      strict: z.boolean().nullish(),
    }),
  ),
})

/** Conversation of a request to `/responses`. @throws Refusal, ZodError */
function read(json: unknown): Conversation {
  const { input, tools } = Body.parse(json)
  for (const { name, parameters, strict } of tools) {
    checkParameters(name, parameters)
    if (strict) checkStrict(name, parameters)
  }
  const turns: { calls: { id: string; name: string; args: unknown }[]; results: CallResult[] }[] = []
  for (const item of typeof input === 'string' ? [] : input) {
    if ('role' in item) continue
    const last = turns.at(-1)
    if (item.type === 'function_call_output') {
      must(last?.calls.some(({ id }) => id === item.call_id) ?? false, `No tool call found for ${item.call_id}`)
      last?.results.push(resultOf(item))
      continue
    }
    const call = item.type === 'item_reference' ? referred(item.id) : callOf(item)
    if (last && last.results.length === 0) last.calls.push(call)
    else turns.push({ calls: [call], results: [] })
  }
  return { tools: tools.map(({ name }) => name), turns }
}

const callOf = ({ call_id, name, arguments: args }: z.infer<typeof Call>) => ({
  ...{ id: call_id, name, args: JSON.parse(args) as unknown },
})

function referred(id: string) {
  const call = Array.from({ length: 9 }, (_, turn) => callsOf(turn))
    .flat()
    .find((one) => itemId(one.id) === id)
  must(call !== undefined, `Item with id ${id} not found`)
  return call
}

function resultOf({ call_id, output }: z.infer<typeof Output>): CallResult {
  const parts = typeof output === 'string' ? [{ type: 'input_text' as const, text: output }] : output
  return {
    ...{ id: call_id, isError: null },
    text: parts.map((part) => (part.type === 'input_image' ? '' : part.text)).join('\n'),
    pictures: parts.flatMap((part) => (part.type === 'input_image' ? [pictureOf(part.image_url)] : [])),
  }
}

const itemId = (callId: string) => callId.replace('call', 'fc')

/** Answer of the Responses API. */
const write = (turn: Turn, model: string): object => ({
  ...{ id: newId('resp'), object: 'response', created_at: 1_700_000_000, status: 'completed', model, error: null },
  ...{ incomplete_details: null, instructions: null, metadata: {}, parallel_tool_calls: true, tool_choice: 'auto' },
  ...{ tools: [], temperature: 1, top_p: 1 },
  usage: {
    ...{ input_tokens: 1, input_tokens_details: { cached_tokens: 0 }, output_tokens: 1, total_tokens: 2 },
    output_tokens_details: { reasoning_tokens: 0 },
  },
  output:
    'text' in turn
      ? [
          {
            ...{ type: 'message', id: newId('msg'), role: 'assistant', status: 'completed' },
            content: [{ type: 'output_text', text: turn.text, annotations: [] }],
          },
        ]
      : turn.calls.map(({ id, name, args }) => ({
          ...{ type: 'function_call', id: itemId(id), call_id: id, name, status: 'completed' },
          arguments: JSON.stringify(args),
        })),
})

/** Responses API of OpenAI. */
export const RESPONSES: Api = { path: /^\/v1\/responses$/, keys: ['authorization'], read, write, refuse }
