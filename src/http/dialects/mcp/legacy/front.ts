import { MAX_INITIALIZE_CHARS } from '../../../../core/limits/connections.ts'
import { INVALID_REQUEST, rpcError, SERVER_ERROR, SESSION_NOT_FOUND } from '../errors.ts'
import { methodOf } from '../scope.ts'
import { encodeHandover, HANDOVER, type Handover } from './handover.ts'

/** Objects of connections, by name. */
export interface Connections {
  getByName(name: string): { fetch(request: Request): Promise<Response> }
}

interface Parts extends Handover {
  readonly connections: Connections
}

/** Answer to a request for a connection that is not there, or is another key's: its client begins again. */
export const connectionNotFound = () =>
  rpcError(404, SESSION_NOT_FOUND, 'Session not found: it ended or is of another key; send initialize again')

/**
 * Hands a request of the revisions with sessions to its connection's object, which `initialize` makes.
 * @param body null for GET and DELETE
 */
export async function serveLegacy(
  request: Request,
  body: { readonly text: string; readonly value: unknown } | null,
  { connections, ...handover }: Parts,
): Promise<Response> {
  const sent = request.headers.get('Mcp-Session-Id')
  const begins = body !== null && methodOf(body.value) === 'initialize'
  if (begins && body.text.length > MAX_INITIALIZE_CHARS) {
    return rpcError(413, INVALID_REQUEST, `initialize is larger than ${MAX_INITIALIZE_CHARS} characters`)
  }
  if (!begins && sent === null) {
    return rpcError(400, SERVER_ERROR, 'Bad Request: Mcp-Session-Id header is required; send initialize first')
  }
  if (sent !== null && !/^[0-9a-f]{32}$/.test(sent)) return connectionNotFound()
  const id = begins ? newConnectionId() : sent
  const headers = new Headers(request.headers)
  for (const secret of ['Authorization', 'X-API-Key', 'X-Internal-Secret', 'Content-Length']) headers.delete(secret)
  headers.set('Mcp-Session-Id', id ?? '')
  headers.set(HANDOVER, encodeHandover(handover))
  const { method, signal } = request
  const inner = new Request('http://connection/', { method, headers, signal, ...(body && { body: body.text }) })
  return connections.getByName(`${handover.principal.tenant}/${id}`).fetch(inner)
}

const newConnectionId = () => crypto.randomUUID().replaceAll('-', '')
