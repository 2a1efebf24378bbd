import type { CallOptions } from '../calls.ts'
import type { Session } from '../session.ts'
import { inOrder, type ToolResult, toolResult } from './tool-result.ts'

/** Item of a response's output. */
interface Item {
  readonly type: string
}

interface FunctionCall extends Item {
  readonly call_id: string
  readonly name: string
  readonly arguments: string
}

/** Part of a result, as the Responses API takes it. */
type OpenAiContent = { type: 'input_text'; text: string } | { type: 'input_image'; image_url: string; detail: 'auto' }

/** Item that answers a `function_call`. */
export interface OpenAiCallOutput {
  type: 'function_call_output'
  call_id: string
  output: OpenAiContent[]
}

/**
 * Makes the calls of a response, in their order, and answers the items that the next request has as its input besides.
 * Empty where the response has no calls: then the agent is done.
 * @throws as {@link toolResult}
 */
export async function openaiResponsesResults(
  session: Session,
  output: readonly Item[],
  options?: CallOptions,
): Promise<OpenAiCallOutput[]> {
  const results: OpenAiCallOutput[] = []
  await inOrder(
    output,
    () => results,
    async (item) => {
      if (item.type !== 'function_call') return
      const { call_id, name, arguments: args } = item as FunctionCall
      const result = await toolResult(session, name, args, options)
      results.push({ type: 'function_call_output', call_id, output: openaiContent(result) })
    },
  )
  return results
}

/** A result as the Responses API takes it. OpenAI has no mark for errors, so the text begins with the word. */
const openaiContent = ({ text, images, isError }: ToolResult): OpenAiContent[] => [
  { type: 'input_text', text: isError ? `Error: ${text}` : text },
  ...images.map(({ mediaType, data }) => ({
    ...{ type: 'input_image' as const, image_url: `data:${mediaType};base64,${data}`, detail: 'auto' as const },
  })),
]
