import type { ServerResponse } from 'node:http'
import { type StandIn, type StandInRequest, startStandIn } from './stand-in.ts'

/** Turn of the model: its text, or the tool that it wants to use. */
export type Turn =
  | { readonly text: string }
  | { readonly tool: string; readonly input: Readonly<Record<string, unknown>> }

export interface MessagesRequest {
  readonly apiKey: string
  /** All texts of the user's first message together. */
  readonly prompt: string
  /** Number of the model's turns before this one. */
  readonly turn: number
  /** Result of the last tool, as text. */
  readonly toolResult: string
  /** Body of the whole request, as it was sent. */
  readonly body: string
}

/** An answer of another status, as the Messages API gives its errors. */
export interface Refusal {
  readonly status: number
  readonly type: string
  readonly message: string
}

/**
 * The Messages API of Anthropic with a script in the place of the model, streaming as the real one does.
 * @see https://docs.anthropic.com/en/api/messages-streaming
 */
export async function startMessagesApi(
  script: (seen: MessagesRequest) => Turn | Refusal | 'silence',
): Promise<StandIn> {
  return startStandIn((request) => {
    if (request.method !== 'POST' || request.url.pathname !== '/v1/messages') return { status: 404, body: '{}' }
    const given = script(read(request))
    if (given === 'silence') return () => undefined
    if ('status' in given) {
      const error = { type: 'error', error: { type: given.type, message: given.message } }
      return { status: given.status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(error) }
    }
    return (response) => stream(response, given)
  })
}

interface Message {
  readonly role: string
  readonly content: string | readonly Block[]
}
interface Block {
  readonly type: string
  readonly text?: string
  readonly content?: unknown
}

function read({ headers, body }: StandInRequest): MessagesRequest {
  const { messages } = JSON.parse(body) as { messages: readonly Message[] }
  const blocks = ({ content }: Message) => (typeof content === 'string' ? [{ type: 'text', text: content }] : content)
  const results = messages.flatMap(blocks).filter(({ type }) => type === 'tool_result')
  return {
    apiKey: String(headers['x-api-key'] ?? ''),
    prompt: messages
      .slice(0, 1)
      .flatMap(blocks)
      .map(({ text = '' }) => text)
      .join('\n'),
    turn: messages.filter(({ role }) => role === 'assistant').length,
    toolResult: textOf(results.at(-1)?.content),
    body,
  }
}

const textOf = (content: unknown): string =>
  Array.isArray(content) ? content.map((block: Block) => block.text ?? '').join('\n') : String(content ?? '')

let messages = 0

function stream(response: ServerResponse, turn: Turn): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const send = (type: string, data: object) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`)
  const id = ++messages
  const usage = { input_tokens: 1000, output_tokens: 1, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 }
  const message = { id: `msg_${id}`, type: 'message', role: 'assistant', model: 'claude-sonnet-4-5-20250929' }
  send('message_start', { message: { ...message, content: [], stop_reason: null, stop_sequence: null, usage } })
  const isText = 'text' in turn
  const [block, delta] = isText
    ? [
        { type: 'text', text: '' },
        { type: 'text_delta', text: turn.text },
      ]
    : [
        { type: 'tool_use', id: `toolu_${id}`, name: turn.tool, input: {} },
        { type: 'input_json_delta', partial_json: JSON.stringify(turn.input) },
      ]
  send('content_block_start', { index: 0, content_block: block })
  send('content_block_delta', { index: 0, delta })
  send('content_block_stop', { index: 0 })
  const stop_reason = isText ? 'end_turn' : 'tool_use'
  send('message_delta', { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 50 } })
  send('message_stop', {})
  response.end()
}
