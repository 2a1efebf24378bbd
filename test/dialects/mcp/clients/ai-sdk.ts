import { createMCPClient } from '@ai-sdk/mcp'
import { answerOf, type ClientKind, textOf } from './client.ts'

/** The Vercel AI SDK's client. */
export const AI_SDK: ClientKind = {
  revision: '2026-07-28',
  cannot: { progress: 'it sends no progressToken, and has no option for one' },
  async connect(url) {
    const client = await createMCPClient({ transport: { type: 'http', url } })
    return {
      tools: async () => (await client.listTools()).tools.map(({ name }) => name),
      call: async (name, args, { signal } = {}) =>
        answerOf(await client.callTool({ name, arguments: { ...args }, ...(signal && { options: { signal } }) })),
      read: async (uri) => textOf(await client.readResource({ uri })),
      close: () => client.close(),
    }
  },
}
