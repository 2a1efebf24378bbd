import { jsonAnswer, type StandInAnswer, type StandInRequest, standIn } from '../../support/stand-in.ts'

/** Message of a client. */
export interface Message {
  readonly id?: number
  readonly method: string
  readonly params?: {
    readonly name?: string
    readonly cursor?: string
    readonly arguments?: Record<string, unknown>
    readonly _meta?: { readonly progressToken?: string }
  }
}

/** A server's tools and answers, which a test may change. */
export interface Script {
  tools: unknown[]
  /** Fields of the list besides its tools. */
  page?: (message: Message) => object
  /** Result of a call, or an answer of its own making. */
  call: (message: Message, request: StandInRequest) => object | { readonly raw: StandInAnswer }
  /** An answer in place of any other. */
  instead?: (message: Message, request: StandInRequest) => StandInAnswer | null
}

export const aTool = (name: string, more: object = {}) => ({
  name,
  description: `Does ${name}.`,
  inputSchema: { type: 'object', properties: { city: { type: 'string' } } },
  ...more,
})

export const textResult = (text: string) => ({ content: [{ type: 'text', text }] })

/** Server of revision 2026-07-28 on this machine that says whatever its script does. */
export async function scriptedServer(given: Partial<Script> = {}) {
  const script: Script = { tools: [aTool('now')], call: () => textResult('sunny'), ...given }
  const server = await standIn((request) => {
    const message = JSON.parse(request.body || '{"method":""}') as Message
    const own = script.instead?.(message, request)
    if (own) return own
    const result = (fields: object) =>
      jsonAnswer({ jsonrpc: '2.0', id: message.id, result: { resultType: 'complete', ...fields } })
    switch (message.method) {
      case 'server/discover':
        return result({
          supportedVersions: ['2026-07-28'],
          capabilities: { tools: {} },
          ttlMs: 0,
          cacheScope: 'private',
        })
      case 'tools/list':
        return result({ tools: script.tools, ttlMs: 0, cacheScope: 'private', ...script.page?.(message) })
      case 'tools/call': {
        const answer = script.call(message, request)
        return 'raw' in answer ? (answer.raw as StandInAnswer) : result(answer)
      }
      default:
        return { status: 202 }
    }
  })
  return { script, server, url: `${server.url}/mcp`, host: server.host }
}
