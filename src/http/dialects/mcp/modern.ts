import { createMcpHandler, isJsonContentType, isLegacyRequest } from '@modelcontextprotocol/server'
import { MCP_KEEP_ALIVE_MS } from '../../../core/limits/connections.ts'
import type { MakeServer, McpContext } from './context.ts'
import { withEarlyError } from './early-error.ts'
import { methodOf, toolOf } from './scope.ts'
import { mayLast } from './server/calls/run-call.ts'
import { type Listen, listeningTo } from './server/resources/listening.ts'
import { SerialisedTools } from './server/tools/serialised-tools.ts'

export { isJsonContentType, isLegacyRequest }

interface Parts {
  readonly context: McpContext
  readonly makeServer: MakeServer
  readonly listen?: Listen
}

/**
 * Answers one request of 2026-07-28. A call that may last is answered by a stream, at whose keep-alive writes the SDK notices that
 * the client left, and cancels; any other by plain JSON, which costs less.
 */
export async function serveModern(
  request: Request,
  body: unknown,
  { context, makeServer, listen = listeningTo }: Parts,
): Promise<Response> {
  const method = methodOf(body)
  const takesStreams = (request.headers.get('Accept') ?? '').includes('text/event-stream')
  const streams = method === 'tools/call' && takesStreams && mayLast(context, { tool: toolOf(body) })
  const listening = await listen(context, body, () => void handler.close())
  const serialised = method === 'tools/list' ? new SerialisedTools() : undefined
  const handler = createMcpHandler(() => makeServer({ ...context, ...(serialised && { serialised }) }), {
    legacy: 'reject',
    responseMode: streams ? 'sse' : 'auto',
    keepAliveMs: MCP_KEEP_ALIVE_MS,
    ...(listening && { bus: listening.bus }),
  })
  const answer = await handler.fetch(request, { parsedBody: listening?.body ?? body })
  if (serialised) return serialised.putInto(answer)
  return streams ? withEarlyError(answer) : answer
}
