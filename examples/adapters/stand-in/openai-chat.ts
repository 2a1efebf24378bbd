import * as z from 'zod'
import { type Api, type CallResult, type Conversation, must, newId, type PastTurn, type Turn } from './conversation.ts'
import { pictureOf } from './picture.ts'
import { checkParameters, checkStrict } from './schemas.ts'
import { callsOf } from './script.ts'

const Text = z.strictObject({ type: z.literal('text'), text: z.string() })
const Image = z.strictObject({
  type: z.literal('image_url'),
  image_url: z.strictObject({ url: z.string(), detail: z.enum(['auto', 'low', 'high']).optional() }),
})
const Part = z.discriminatedUnion('type', [Text, Image])
const Called = z.strictObject({
  id: z.string(),
  type: z.literal('function'),
  function: z.strictObject({ name: z.string(), arguments: z.string() }),
})
const Texts = z.union([z.string(), z.array(Text)])
const Message = z.discriminatedUnion('role', [
  z.looseObject({ role: z.enum(['system', 'developer']), content: Texts }),
  z.looseObject({ role: z.literal('user'), content: z.union([z.string(), z.array(Part)]) }),
  z.looseObject({ role: z.literal('assistant'), content: Texts.nullish(), tool_calls: z.array(Called).nullish() }),
  // Pictures are refused here: they go into messages of the user.
  z.strictObject({ role: z.literal('tool'), tool_call_id: z.string(), content: Texts }),
])
type Message = z.infer<typeof Message>

/** Body of a request, as far as the script needs it. @see https://platform.openai.com/docs/api-reference/chat/create */
const Body = z.looseObject({
  model: z.string(),
  stream: z.literal(false).optional(),
  messages: z.array(Message),
  tools: z.array(
    z.strictObject({
      type: z.literal('function'),
      function: z.strictObject({
        name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
        description: z.string().max(1_024).optional(),
        parameters: z.json(),
        strict: z.boolean().nullish(),
      }),
    }),
  ),
})

/** Conversation of a request to `/chat/completions`. @throws Refusal, ZodError */
function read(json: unknown): Conversation {
  const { messages, tools } = Body.parse(json)
  for (const { function: called } of tools) {
    checkParameters(called.name, called.parameters)
    if (called.strict) checkStrict(called.name, called.parameters)
  }
  const turns = messages.flatMap((message, at): PastTurn[] => {
    if (message.role !== 'assistant') return []
    if (!message.tool_calls?.length) return turnInWords(message, messages.slice(at + 1))
    const calls = message.tool_calls.map(({ id, function: { name, arguments: args } }) => ({
      ...{ id, name, args: JSON.parse(args) as unknown },
    }))
    const results = messages.slice(at + 1, at + 1 + calls.length).map(resultOf)
    return [{ calls, results: withPictures(results, messages.slice(at + 1 + calls.length)) }]
  })
  return { tools: tools.map(({ function: { name } }) => name), turns }
}

function resultOf(message: Message): CallResult {
  must(message.role === 'tool', 'tool_call_ids did not have response messages directly behind the assistant’s')
  return { id: message.tool_call_id, isError: null, text: textOf(message.content), pictures: [] }
}

/** Results with the pictures of the message of the user behind them, of which nobody knows to which of the calls each belongs. */
function withPictures(results: readonly CallResult[], [next]: readonly Message[]): CallResult[] {
  const parts = next?.role === 'user' && Array.isArray(next.content) ? next.content : []
  const pictures = parts.flatMap((part) => (part.type === 'image_url' ? [pictureOf(part.image_url.url)] : []))
  return results.map((result, at) => (at === 0 ? { ...result, pictures } : result))
}

/**
 * Turn of an agent of smolagents, which sends calls and results again as texts: `Calling tools:` with the calls as Python has them, then
 * `Observation:` or `Error:`, and pictures. One text has the results of all calls.
 */
function turnInWords({ content }: Message, behind: readonly Message[]): PastTurn[] {
  const words = textOf(content ?? '')
  if (!words.startsWith('Calling tools:')) return []
  const end = behind.findIndex(({ role }) => role === 'assistant')
  const answers = behind.slice(0, end === -1 ? undefined : end)
  const text = answers.map((answer) => textOf(answer.content ?? '')).join('\n')
  const parts = answers.flatMap((answer) =>
    answer.role === 'user' && Array.isArray(answer.content) ? answer.content : [],
  )
  const pictures = parts.flatMap((part) => (part.type === 'image_url' ? [pictureOf(part.image_url.url)] : []))
  const [, turn = ''] = /'id': 'call_(\d+)_0'/.exec(words) ?? []
  const calls = callsOf(Number(turn))
  const missing = calls.filter(
    ({ id, name }) => !words.includes(`'id': '${id}'`) || !words.includes(`'name': '${name}'`),
  )
  must(turn !== '' && missing.length === 0, `calls of the script are not in: ${words}`)
  const results = calls.map((_, at) => ({ id: null, isError: null, text, pictures: at === 0 ? pictures : [] }))
  return [{ calls, results }]
}

const textOf = (content: string | readonly object[]): string =>
  typeof content === 'string' ? content : content.map((part) => ('text' in part ? part.text : '')).join('\n')

/** Answer of Chat Completions. */
const write = (turn: Turn, model: string): object => ({
  ...{ id: newId('chatcmpl'), object: 'chat.completion', created: 1_700_000_000, model },
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  choices: [
    {
      index: 0,
      logprobs: null,
      finish_reason: 'text' in turn ? 'stop' : 'tool_calls',
      message: {
        ...{ role: 'assistant', refusal: null, content: 'text' in turn ? turn.text : null },
        ...('calls' in turn && { tool_calls: turn.calls.map(encodeCall) }),
      },
    },
  ],
})

const encodeCall = ({ id, name, args }: { id: string; name: string; args: object }) => ({
  ...{ id, type: 'function', function: { name, arguments: JSON.stringify(args) } },
})

/** Error as OpenAI's APIs give it. */
export const refuse = (message: string): object => ({
  error: { message, type: 'invalid_request_error', param: null, code: null },
})

/** Chat Completions of OpenAI. */
export const CHAT: Api = { path: /^\/v1\/chat\/completions$/, keys: ['authorization'], read, write, refuse }
