import type { CallOptions } from '../calls.ts'
import type { Session } from '../session.ts'
import { inOrder, type ToolResult, toolResult } from './tool-result.ts'

/** Call of a function, as generateContent answers it. */
interface FunctionCall {
  readonly id?: string | undefined
  readonly name?: string | undefined
  readonly args?: unknown
}

/** Part that answers a call, as generateContent takes it. */
export interface GeminiPart {
  functionResponse: {
    id?: string
    name: string
    response: { output: string } | { error: string }
    parts?: { inlineData: { mimeType: string; data: string } }[]
  }
}

/**
 * Makes the calls of an answer of Gemini, in their order, and answers the parts of the user's content that comes next. Empty where
 * the answer has no calls: then the agent is done. Pictures stand in the response of the function, as Gemini 3 and later take them.
 * @throws as {@link toolResult}
 */
export async function geminiResults(
  session: Session,
  calls: readonly FunctionCall[] | null | undefined,
  options?: CallOptions,
): Promise<GeminiPart[]> {
  const parts: GeminiPart[] = []
  await inOrder(
    calls ?? [],
    () => parts,
    async ({ id, name = '', args }) => {
      parts.push(encode({ name, ...(id !== undefined && { id }) }, await toolResult(session, name, args, options)))
    },
  )
  return parts
}

const encode = (call: { id?: string; name: string }, { text, images, isError }: ToolResult): GeminiPart => ({
  functionResponse: {
    ...call,
    response: isError ? { error: text } : { output: text },
    ...(images.length > 0 && {
      parts: images.map(({ mediaType, data }) => ({ inlineData: { mimeType: mediaType, data } })),
    }),
  },
})
