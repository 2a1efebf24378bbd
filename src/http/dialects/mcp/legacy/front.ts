import { MAX_INITIALIZE_CHARS } from '../../../../core/limits/connections.ts'
import type { MakeServer, McpContext } from '../context.ts'
import { INVALID_REQUEST, rpcError, SERVER_ERROR, SESSION_NOT_FOUND } from '../errors.ts'
import { methodOf } from '../scope.ts'
import { connectionSession } from '../usual-session.ts'
import { directRequest, serveDirect } from './direct.ts'
import { encodeHandover, HANDOVER, type Handover } from './handover.ts'
import type { KnownConnections } from './known-connections.ts'

/** Objects of connections, by name. */
export interface Connections {
  getByName(name: string): { fetch(request: Request): Promise<Response> }
}

/** Body of a POST, and what is needed to answer it without its connection's object. */
interface Posted {
  readonly text: string
  readonly value: unknown
  readonly makeServer: MakeServer
  readonly means: Pick<McpContext, 'services' | 'goOn' | 'report'>
}

interface Parts extends Handover {
  readonly connections: Connections
  readonly known: KnownConnections
}

/** Answer to a request for a connection that is not there, or is another key's: its client begins again. */
export const connectionNotFound = () =>
  rpcError(404, SESSION_NOT_FOUND, 'Session not found: it ended or is of another key; send initialize again')

/**
 * Answers a request of the revisions with sessions: by itself where nothing of the connection is needed but that it is there, and by the
 * connection's object, which `initialize` makes, where more is.
 * @param posted null for GET and DELETE
 */
export async function serveLegacy(
  request: Request,
  posted: Posted | null,
  { connections, known, ...handover }: Parts,
): Promise<Response> {
  const sent = request.headers.get('Mcp-Session-Id')
  const begins = posted !== null && methodOf(posted.value) === 'initialize'
  if (begins && posted.text.length > MAX_INITIALIZE_CHARS) {
    return rpcError(413, INVALID_REQUEST, `initialize is larger than ${MAX_INITIALIZE_CHARS} characters`)
  }
  if (!begins && sent === null) {
    return rpcError(400, SERVER_ERROR, 'Bad Request: Mcp-Session-Id header is required; send initialize first')
  }
  if (sent !== null && !/^[0-9a-f]{32}$/.test(sent)) return connectionNotFound()
  const id = begins || sent === null ? newConnectionId() : sent
  const { principal, endpoint, origin } = handover
  const name = `${principal.tenant}/${id}`
  const object = connections.getByName(name)

  if (posted && !begins) {
    const { means, makeServer } = posted
    const usualSession = connectionSession(id, principal.restrictions)
    const context: McpContext = { era: 'legacy', endpoint, origin, usualSession, ...means }
    const message = directRequest(request, posted.value, context)
    if (message) {
      const owner = JSON.stringify([principal.keyId, endpoint])
      if (!known.has(name, owner)) {
        const look = await object.fetch(innerRequest({ id, handover: { ...handover, isLook: true } }))
        if (!look.ok) return look
        known.add(name, owner)
      }
      return serveDirect(request, message, { context, makeServer })
    }
  }

  const answer = await object.fetch(innerRequest({ id, handover, request, text: posted?.text }))
  if (request.method === 'DELETE') known.remove(name)
  return answer
}

interface Inner {
  readonly id: string
  readonly handover: Handover
  /** Request that is handed on, without its credential; none where the object is only looked at. */
  readonly request?: Request
  readonly text?: string | undefined
}

function innerRequest({ id, handover, request, text }: Inner): Request {
  const headers = new Headers(request?.headers)
  for (const secret of ['Authorization', 'X-API-Key', 'X-Internal-Secret', 'Content-Length']) headers.delete(secret)
  headers.set('Mcp-Session-Id', id)
  headers.set(HANDOVER, encodeHandover(handover))
  const { method = 'GET', signal } = request ?? {}
  return new Request('http://connection/', {
    method,
    headers,
    ...(signal && { signal }),
    ...(text !== undefined && { body: text }),
  })
}

const newConnectionId = () => crypto.randomUUID().replaceAll('-', '')
