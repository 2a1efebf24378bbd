import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { answerOf, type ClientKind, textOf } from './client.ts'

/** `@modelcontextprotocol/sdk` 1.32, of which most clients are made. */
export const SDK_ONE: ClientKind = {
  revision: '2025-11-25',
  cannot: {},
  async connect(url) {
    const client = new Client({ name: 'tests', version: '1' })
    const transport = new StreamableHTTPClientTransport(new URL(url))
    // Its own types disagree where an optional property may not be undefined.
    await client.connect(transport as Transport)
    return {
      tools: async () => (await client.listTools()).tools.map(({ name }) => name),
      async call(name, args, { signal, onProgress } = {}) {
        const options = {
          ...(signal && { signal }),
          ...(onProgress && {
            onprogress: ({ message = '' }: { message?: string | undefined }) => onProgress(message),
          }),
        }
        return answerOf(await client.callTool({ name, arguments: { ...args } }, undefined, options))
      },
      read: async (uri) => textOf(await client.readResource({ uri })),
      async close() {
        await transport.terminateSession()
        await client.close()
      },
    }
  },
}
