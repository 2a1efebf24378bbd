import { MCPServerStreamableHttp } from '@openai/agents'
import { answerOf, type ClientKind, textOf } from './client.ts'

/** The OpenAI Agents SDK's connection to a server over HTTP. */
export const OPENAI_AGENTS: ClientKind = {
  revision: '2026-07-28',
  cannot: { progress: 'it sends no progressToken, and has no option for one' },
  async connect(url) {
    const server = new MCPServerStreamableHttp({ url, name: 'toolyard', cacheToolsList: true })
    await server.connect()
    return {
      tools: async () => (await server.listTools()).map(({ name }) => name),
      call: async (tool, args, { signal } = {}) =>
        answerOf(await server.callToolResult(tool, { ...args }, null, signal && { signal })),
      read: async (uri) => textOf(await server.readResource(uri)),
      close: () => server.close(),
    }
  },
}
