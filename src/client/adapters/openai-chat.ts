import type { CallOptions } from '../calls.ts'
import type { Session } from '../session.ts'
import { inOrder, type ToolImage, toolResult } from './tool-result.ts'

/** Message of an assistant, as Chat Completions answers it. */
interface AssistantMessage {
  readonly tool_calls?: readonly ToolCall[] | null | undefined
}

interface ToolCall {
  readonly id: string
  readonly type: string
  readonly function?: { readonly name: string; readonly arguments: string }
}

/** Picture, and the call that it is from. */
interface Shown {
  readonly from: string
  readonly image: ToolImage
}

/** Message that answers a call, or shows the pictures of the calls before it. */
export type ChatResult =
  | { role: 'tool'; tool_call_id: string; content: string }
  | { role: 'user'; content: ({ type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } })[] }

/**
 * Makes the calls of a message, in their order, and answers the messages that come next. Empty where the message has no calls: then
 * the agent is done. Messages of tools take text alone: a message of the user's shows the pictures of all of them, behind the last one.
 * @throws as {@link toolResult}
 */
export async function openaiChatResults(
  session: Session,
  { tool_calls }: AssistantMessage,
  options?: CallOptions,
): Promise<ChatResult[]> {
  const results: ChatResult[] = []
  const shown: Shown[] = []
  const answered = () =>
    shown.length === 0 ? results : [...results, { role: 'user' as const, content: shown.flatMap(picture) }]
  await inOrder(tool_calls ?? [], answered, async ({ id, function: called }) => {
    if (!called) return
    const { text, images, isError } = await toolResult(session, called.name, called.arguments, options)
    results.push({ role: 'tool', tool_call_id: id, content: isError ? `Error: ${text}` : text })
    shown.push(...images.map((image) => ({ from: `${called.name} ${called.arguments}`, image })))
  })
  return answered()
}

const picture = ({ from, image: { mediaType, data } }: Shown) => [
  { type: 'text' as const, text: `The picture of ${from}:` },
  { type: 'image_url' as const, image_url: { url: `data:${mediaType};base64,${data}` } },
]
