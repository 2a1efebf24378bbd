import { createMcpHandler, isJsonContentType, isLegacyRequest, type JSONRPCRequest } from '@modelcontextprotocol/server'
import { MCP_KEEP_ALIVE_MS } from '../../../core/limits/connections.ts'
import type { MakeServer, McpContext } from './context.ts'
import { withEarlyError } from './early-error.ts'
import { plainRequest, servePlain } from './modern-direct.ts'
import { paramMismatch } from './param-headers.ts'
import { methodOf, toolOf } from './scope.ts'
import { mayLast } from './server/calls/run-call.ts'
import { type Listen, listeningTo } from './server/resources/listening.ts'
import { isMetaTool } from './server/tools/meta-tools.ts'
import { findTool } from './server/tools/named-call.ts'
import type { Schema } from './server/tools/offered-tool.ts'
import { SerialisedTools } from './server/tools/serialised-tools.ts'

export { isJsonContentType, isLegacyRequest, plainRequest }

interface Parts {
  /** The request's message where it is a plain one; null for any other. */
  readonly plain: JSONRPCRequest | null
  readonly context: McpContext
  readonly makeServer: MakeServer
  readonly listen?: Listen
  readonly inputSchema?: InputSchema
}

/** Source of schemas of tools' arguments, in place of the product's own; null for a tool that has none. */
export type InputSchema = (tool: string) => Schema | null

/**
 * Answers one request of 2026-07-28. A call that may last is answered by a stream, at whose keep-alive writes the SDK notices that
 * the client left, and cancels; any other by plain JSON, which costs less, and least where the request is a plain one.
 */
export async function serveModern(
  request: Request,
  body: unknown,
  { plain, context: given, makeServer, listen = listeningTo, inputSchema }: Parts,
): Promise<Response> {
  const method = methodOf(body)
  const tool = method === 'tools/call' ? toolOf(body) : ''
  const context = { ...given, findTool: lastFound((name) => findTool(given.services, name)) }
  if (tool !== '' && !isMetaTool(tool)) {
    // A tool that cannot be found is refused in the words of its call.
    const schemaOf = () =>
      context.findTool(tool).then(
        ({ inputSchema }) => inputSchema,
        () => null,
      )
    const refused = paramMismatch(request.headers, body, inputSchema ? inputSchema(tool) : await schemaOf())
    if (refused) return refused
  }
  const takesStreams = (request.headers.get('Accept') ?? '').includes('text/event-stream')
  const streams = tool !== '' && takesStreams && mayLast(context, { tool })
  const serialised = method === 'tools/list' ? new SerialisedTools() : undefined
  const made = { ...context, ...(serialised && { serialised }) }
  if (plain && (tool === '' || !mayLast(context, { tool }))) {
    const answer = await servePlain(plain, { context: made, makeServer })
    if (answer) return serialised ? serialised.putInto(answer) : answer
  }
  const listening = await listen(context, body, () => void handler.close())
  const handler = createMcpHandler(() => makeServer(made), {
    legacy: 'reject',
    responseMode: streams ? 'sse' : 'auto',
    keepAliveMs: MCP_KEEP_ALIVE_MS,
    ...(listening && { bus: listening.bus }),
  })
  const answer = await handler.fetch(request, { parsedBody: listening?.body ?? body })
  if (serialised) return serialised.putInto(answer)
  return streams ? withEarlyError(answer) : answer
}

/** A finder that has the tool that it found last, by the same name, without looking again. */
function lastFound<T>(find: (name: string) => Promise<T>): (name: string) => Promise<T> {
  let last: { readonly name: string; readonly found: Promise<T> } | null = null
  return (name) => {
    if (last?.name !== name) last = { name, found: find(name) }
    return last.found
  }
}
