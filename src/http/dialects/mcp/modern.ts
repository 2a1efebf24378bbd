import { createMcpHandler, isJsonContentType, isLegacyRequest } from '@modelcontextprotocol/server'
import { MCP_KEEP_ALIVE_MS } from '../../../core/limits/connections.ts'
import type { MakeServer, McpContext } from './context.ts'
import { withEarlyError } from './early-error.ts'
import { methodOf } from './scope.ts'
import { type Listen, listeningTo } from './server/resources/listening.ts'

export { isJsonContentType, isLegacyRequest }

interface Parts {
  readonly context: McpContext
  readonly makeServer: MakeServer
  readonly listen?: Listen
}

/**
 * Answers one request of 2026-07-28. A call is answered by a stream, at whose keep-alive writes the SDK notices that the client
 * left, and cancels.
 */
export async function serveModern(
  request: Request,
  body: unknown,
  { context, makeServer, listen = listeningTo }: Parts,
): Promise<Response> {
  const streams = methodOf(body) === 'tools/call' && (request.headers.get('Accept') ?? '').includes('text/event-stream')
  const listening = await listen(context, body, () => void handler.close())
  const handler = createMcpHandler(() => makeServer(context), {
    legacy: 'reject',
    responseMode: streams ? 'sse' : 'auto',
    keepAliveMs: MCP_KEEP_ALIVE_MS,
    ...(listening && { bus: listening.bus }),
  })
  const answer = await handler.fetch(request, { parsedBody: listening?.body ?? body })
  return streams ? withEarlyError(answer) : answer
}
