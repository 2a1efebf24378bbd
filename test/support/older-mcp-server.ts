import { jsonAnswer, type StandIn, type StandInAnswer, type StandInRequest, startStandIn } from './stand-in.ts'

/** MCP server of revision 2025-06-18 on this machine, which keeps sessions: its one tool counts the calls of a session. */
export interface OlderServer extends StandIn {
  /** Calls by session, of those that were not ended. */
  readonly sessions: Map<string, number>
  /** Sessions that were ended, in order. */
  readonly ended: string[]
  /** Answer to the end of a session. */
  onEnd: StandInAnswer
  /** Hears of a call that is never answered: one with the word `slow`. One with the word `asking` asks its client, refuses the answer, and fails. */
  onSlow: () => void
}

interface Message {
  readonly id?: number
  readonly method?: string
  readonly params?: { readonly name?: string; readonly arguments?: { readonly word?: string } }
}

const TOOL = { name: 'count', description: 'Counts.', inputSchema: { type: 'object' } }

/** Listens until its `stop`. */
export async function startOlderServer(): Promise<OlderServer> {
  const sessions = new Map<string, number>()
  /** Ends the calls that asked their client something. */
  const questions: (() => void)[] = []
  const state = { sessions, ended: [] as string[], onEnd: { status: 204 } as StandInAnswer, onSlow: () => undefined }
  const answered = ({ method, headers, body }: StandInRequest): StandInAnswer => {
    const session = String(headers['mcp-session-id'] ?? '')
    if (method === 'DELETE') {
      if (sessions.delete(session)) server.ended.push(session)
      return server.onEnd
    }
    const message = JSON.parse(body) as Message
    const result = (fields: object, more: Record<string, string> = {}) =>
      jsonAnswer({ jsonrpc: '2.0', id: message.id, result: fields }, 200, more)
    const failed = (code: number, status: number) =>
      jsonAnswer({ jsonrpc: '2.0', id: message.id ?? null, error: { code, message: 'no' } }, status)
    if (message.method === 'initialize') {
      const id = crypto.randomUUID()
      sessions.set(id, 0)
      const serverInfo = { name: 'older', version: '1' }
      return result(
        { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo },
        { 'mcp-session-id': id },
      )
    }
    const calls = sessions.get(session)
    if (calls === undefined) return failed(-32_000, session === '' ? 400 : 404)
    if (message.id === undefined) return { status: 202 }
    if (message.method === undefined) {
      for (const end of questions.splice(0)) setImmediate(end)
      return { status: 404 }
    }
    if (message.method === 'tools/list') return result({ tools: [TOOL] })
    if (message.method !== 'tools/call') return failed(-32_601, 200)
    const { word } = message.params?.arguments ?? {}
    if (word === 'wrong') return failed(-32_602, 200)
    if (word === 'slow') return () => server.onSlow()
    sessions.set(session, calls + 1)
    if (word === 'asking') {
      return (response) => {
        const say = (fields: object) => response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', ...fields })}\n\n`)
        response.writeHead(200, { 'Content-Type': 'text/event-stream' })
        questions.push(() => {
          say({ id: message.id, error: { code: -32_603, message: 'it fails' } })
          response.end()
        })
        say({ id: 99, method: 'ping' })
      }
    }
    return result({ content: [{ type: 'text', text: `call ${calls + 1}` }] })
  }
  const server: OlderServer = Object.assign(await startStandIn(answered), state)
  return server
}
