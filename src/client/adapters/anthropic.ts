import type { CallOptions } from '../calls.ts'
import type { Session } from '../session.ts'
import { inOrder, type ToolResult, toolResult } from './tool-result.ts'

/** Block of a message, of those that the Messages API answers. */
interface Block {
  readonly type: string
}

interface ToolUse extends Block {
  readonly id: string
  readonly name: string
  readonly input: unknown
}

/** Types of pictures that the Messages API takes. */
type MediaType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp'

/** Block that answers a `tool_use`, as the Messages API takes it. */
export interface AnthropicToolResult {
  type: 'tool_result'
  tool_use_id: string
  is_error: boolean
  content: (
    | { type: 'text'; text: string }
    | { type: 'image'; source: { type: 'base64'; media_type: MediaType; data: string } }
  )[]
}

/**
 * Makes the calls of a message of Claude, in their order, and answers the content of the user's message that comes next.
 * Empty where the message has no calls: then the agent is done.
 * @throws as {@link toolResult}
 */
export async function anthropicResults(
  session: Session,
  content: readonly Block[],
  options?: CallOptions,
): Promise<AnthropicToolResult[]> {
  const results: AnthropicToolResult[] = []
  await inOrder(
    content,
    () => results,
    async (block) => {
      if (block.type !== 'tool_use') return
      const { id, name, input } = block as ToolUse
      results.push(encode(id, await toolResult(session, name, input, options)))
    },
  )
  return results
}

const encode = (id: string, { text, images, isError }: ToolResult): AnthropicToolResult => ({
  type: 'tool_result',
  tool_use_id: id,
  is_error: isError,
  content: [
    // A text without characters is refused.
    { type: 'text', text: text || '(no output)' },
    ...images.map(({ mediaType, data }) => ({
      type: 'image' as const,
      source: { type: 'base64' as const, media_type: mediaType as MediaType, data },
    })),
  ],
})
