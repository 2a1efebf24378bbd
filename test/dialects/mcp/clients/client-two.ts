import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { answerOf, type ClientKind, textOf } from './client.ts'

/** `@modelcontextprotocol/client` 2.4, which finds out what its server speaks. */
export const CLIENT_TWO: ClientKind = {
  revision: '2026-07-28',
  cannot: {},
  async connect(url) {
    const client = new Client({ name: 'tests', version: '1' }, { versionNegotiation: { mode: 'auto' } })
    await client.connect(new StreamableHTTPClientTransport(new URL(url)))
    return {
      tools: async () => (await client.listTools()).tools.map(({ name }) => name),
      async call(name, args, { signal, onProgress } = {}) {
        const options = {
          ...(signal && { signal }),
          ...(onProgress && {
            onprogress: ({ message = '' }: { message?: string | undefined }) => onProgress(message),
          }),
        }
        return answerOf(await client.callTool({ name, arguments: { ...args } }, options))
      },
      read: async (uri) => textOf(await client.readResource({ uri })),
      close: () => client.close(),
    }
  },
}
