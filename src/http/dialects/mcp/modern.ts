import { createMcpHandler, isJsonContentType, isLegacyRequest } from '@modelcontextprotocol/server'
import { MCP_KEEP_ALIVE_MS } from '../../../core/limits/connections.ts'
import type { MakeServer, McpContext } from './context.ts'
import { methodOf } from './scope.ts'
import { listeningTo } from './server/resources/listening.ts'

export { isJsonContentType, isLegacyRequest }

interface Parts {
  readonly context: McpContext
  readonly makeServer: MakeServer
}

/**
 * Answers one request of 2026-07-28. A call is answered by a stream, at whose keep-alive writes the SDK notices that the client
 * left, and cancels.
 */
export async function serveModern(request: Request, body: unknown, { context, makeServer }: Parts): Promise<Response> {
  const streams = methodOf(body) === 'tools/call' && (request.headers.get('Accept') ?? '').includes('text/event-stream')
  const listening = await listeningTo(context, body, () => void handler.close())
  const handler = createMcpHandler(() => makeServer(context), {
    legacy: 'reject',
    responseMode: streams ? 'sse' : 'auto',
    keepAliveMs: MCP_KEEP_ALIVE_MS,
    ...(listening && { bus: listening.bus }),
  })
  return handler.fetch(request, { parsedBody: listening?.body ?? body })
}
