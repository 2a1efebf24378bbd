import { MultiServerMCPClient } from '@langchain/mcp-adapters'
import * as z from 'zod'
import { type Answer, type ClientKind, textOf } from './client.ts'

/** LangChain's adapters, which make tools of LangChain: an error of a tool is thrown. */
export const LANGCHAIN: ClientKind = {
  revision: '2025-11-25',
  cannot: {},
  async connect(url) {
    let onProgress: ((message: string) => void) | undefined
    const client = new MultiServerMCPClient({
      mcpServers: { toolyard: { transport: 'http', url } },
      onProgress: ({ message = '' }) => onProgress?.(message),
    })
    const tools = new Map((await client.getTools()).map((tool) => [tool.name, tool]))
    return {
      tools: async () => [...tools.keys()],
      async call(name, args, { signal, onProgress: hear } = {}) {
        onProgress = hear
        const call = { type: 'tool_call' as const, id: 'call', name, args: { ...args } }
        try {
          return fromMessage(await tools.get(name)?.invoke(call, signal && { signal }))
        } catch (thrown) {
          if (signal?.aborted || !(thrown instanceof Error) || thrown.name !== 'ToolException') throw thrown
          return { isError: true, text: thrown.message, images: [], links: [] }
        }
      },
      read: async (uri) => textOf({ contents: await client.readResource('toolyard', uri) }),
      close: () => client.close(),
    }
  },
}

const PART = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  url: z.string().optional(),
  image_url: z.object({ url: z.string() }).optional(),
})
const MESSAGE = z.looseObject({ content: z.union([z.string(), z.array(PART)]) })

/** A message of LangChain: a lone text is a string, an image a data URL, a link a file at a URL. */
function fromMessage(message: unknown): Answer {
  const { content } = MESSAGE.parse(message)
  if (typeof content === 'string') return { isError: false, text: content, images: [], links: [] }
  return {
    isError: false,
    text: content.flatMap(({ text }) => text ?? []).join('\n'),
    images: content.flatMap(({ image_url }) => {
      const [, mimeType = '', data = ''] = /^data:([^;]+);base64,(.*)$/.exec(image_url?.url ?? '') ?? []
      return image_url ? [{ data, mimeType }] : []
    }),
    links: content.flatMap(({ url }) => url ?? []),
  }
}
