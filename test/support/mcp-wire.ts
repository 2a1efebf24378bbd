import { exports } from 'cloudflare:workers'
import { onTestFinished } from 'vitest'

/** One event of a stream. */
export interface StreamEvent {
  readonly id: string | null
  // biome-ignore lint/suspicious/noExplicitAny: each test knows what it requests for
  readonly message: any
}

interface Sent {
  readonly method?: string
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A request to `/mcp` of the Worker under test, as it is on the wire. */
export const send = (body: unknown, { method = 'POST', path = '/mcp', headers = {} }: Sent = {}) =>
  exports.default.fetch(`http://localhost${path}`, {
    method,
    headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...headers },
    ...(method === 'POST' && { body: JSON.stringify(body) }),
  })

/** A connection of an older revision, begun by hand. */
export async function begin(protocolVersion = '2025-11-25', { capabilities = {}, ...sent }: Sent & Begun = {}) {
  const clientInfo = { name: 'test', version: '1' }
  const params = { protocolVersion, capabilities, clientInfo }
  const answer = await send({ jsonrpc: '2.0', id: 0, method: 'initialize', params }, sent)
  const [first] = await eventsOf(answer)
  const id = answer.headers.get('Mcp-Session-Id') ?? ''
  // The header came with 2025-06-18.
  const version = protocolVersion < '2025-06-18' ? {} : { 'MCP-Protocol-Version': protocolVersion }
  const headers = { ...sent.headers, 'Mcp-Session-Id': id, ...version }
  let requests = 0
  const post = (message: object, more: Readonly<Record<string, string>> = {}) =>
    send({ jsonrpc: '2.0', ...message }, { ...sent, headers: { ...headers, ...more } })
  /** The whole stream of a request. */
  const ask = async (method: string, params: object = {}) => eventsOf(await post({ id: ++requests, method, params }))
  await post({ method: 'notifications/initialized' })
  const get = (more: Readonly<Record<string, string>> = {}) =>
    send(null, { ...sent, method: 'GET', headers: { ...headers, ...more } })
  const end = () => send(null, { ...sent, method: 'DELETE', headers })
  return { id, result: first?.message.result, post, ask, get, end }
}

interface Begun {
  readonly capabilities?: object
}

/** All events of a stream that ends; of a plain answer, the one message. */
async function eventsOf(answer: Response): Promise<StreamEvent[]> {
  if (answer.ok && answer.headers.get('Content-Type')?.startsWith('application/json')) {
    return [{ id: null, message: await answer.json() }]
  }
  const stream = opened(answer)
  const events: StreamEvent[] = []
  for (let event = await stream.next(); event !== null; event = await stream.next()) events.push(event)
  return events
}

/** Reader of a stream's events, without those that have no message. */
export function opened(answer: Response) {
  if (!answer.headers.get('Content-Type')?.includes('text/event-stream'))
    throw new Error(`no stream, but ${answer.status}`)
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  if (!reader) throw new Error('an empty answer')
  let text = ''
  let lastId: string | null = null
  const leave = () => reader.cancel().catch(() => undefined)
  onTestFinished(leave)
  return {
    leave,
    /** Id of the first event, which may have no message. */
    async firstId(): Promise<string> {
      while (!text.includes('\n\n')) text += (await reader.read()).value ?? '\n\n'
      return /^id: (.*)$/m.exec(text)?.[1] ?? ''
    },
    /** The next event; null at the end. */
    async next(): Promise<StreamEvent | null> {
      for (;;) {
        const at = text.indexOf('\n\n')
        if (at !== -1) {
          const lines = text.slice(0, at).split('\n')
          text = text.slice(at + 2)
          const field = (name: string) => lines.find((line) => line.startsWith(name))?.slice(name.length) ?? null
          lastId = field('id: ') ?? lastId
          const data = field('data: ')
          if (data) return { id: lastId, message: JSON.parse(data) }
          continue
        }
        const { value, done } = await reader.read()
        if (done) return null
        text += value
      }
    },
  }
}
