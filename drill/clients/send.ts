import { once } from 'node:events'
import { type IncomingHttpHeaders, type IncomingMessage, request as open } from 'node:http'

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** The path with its query. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer
}

/** End of a request, as TCP tells it. */
export type Sent =
  | { readonly kind: 'answered'; readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: Buffer }
  /** The request did not reach the server whole, so no tool can have seen it. */
  | { readonly kind: 'unsent' }
  /** The connection ended before the answer did. */
  | { readonly kind: 'cut' }

/** Point at which a client cuts its own connection: amid the request's body, when all is sent, or amid the answer. */
export type Cut = 'request' | 'sent' | 'answer'

/** Longest wait for an answer: more than the longest call that an honest client makes. */
const PATIENCE_MS = 150_000

/** Sends one request over a connection of its own. A cut is made with a reset, as a dying machine's would be. */
export function send(port: number, request: HttpRequest, cut: Cut | null = null): Promise<Sent> {
  const { method, path, headers, body = Buffer.alloc(0) } = request
  return new Promise((resolve) => {
    const client = open({
      ...{ host: '127.0.0.1', port, method, path, agent: false },
      headers: { ...headers, 'Content-Length': body.length },
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    const reset = (outcome: Sent) => {
      resolve(outcome)
      client.socket?.resetAndDestroy()
    }
    client.on('error', (error: NodeJS.ErrnoException) =>
      resolve({ kind: error.code === 'ECONNREFUSED' ? 'unsent' : 'cut' }),
    )
    client.on('response', (response) => {
      if (cut === 'answer') return reset({ kind: 'cut' })
      whole(response).then(resolve, () => resolve({ kind: 'cut' }))
    })
    if (cut === 'request' && body.length > 1) {
      client.write(body.subarray(0, Math.floor(body.length / 2)), () => reset({ kind: 'unsent' }))
    } else {
      client.end(body, () => cut === 'sent' && reset({ kind: 'cut' }))
    }
  })
}

async function whole(response: IncomingMessage): Promise<Sent> {
  const parts: Buffer[] = []
  response.on('data', (part) => parts.push(part))
  await once(response, 'end')
  const { statusCode: status = 0, headers } = response
  return { kind: 'answered', status, headers, body: Buffer.concat(parts) }
}
