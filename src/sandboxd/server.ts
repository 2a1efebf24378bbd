import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { controlPlane, type KeyedConfig } from './control-plane.ts'
import { serveSigned, serveTarget, serveUpgrade, targetOf } from './data-plane.ts'
import { ApiError, sendEmpty, sendError } from './http-reply.ts'
import { messageOf } from './json.ts'
import { HEADERS_TIMEOUT_MS, KEEP_ALIVE_MS, MAX_CONNECTIONS, MAX_HEADER_BYTES } from './limits.ts'
import type { SandboxRegistry } from './sandbox-registry.ts'

/** The one HTTP server: E2B's control plane and every sandbox's data plane, told apart by headers. */
export function createDaemonServer(
  registry: SandboxRegistry,
  config: KeyedConfig,
  facts: () => Promise<object>,
  log: (line: string) => void,
): Server {
  const control = controlPlane(registry, config, facts)

  const route = async (request: IncomingMessage, response: ServerResponse) => {
    checkHost(request)
    const target = targetOf(request)
    if (target !== null) return serveTarget(registry, target, request, response)
    const url = request.url ?? '/'
    if (url.startsWith('/files?')) return serveSigned(registry, request, response)
    if (url === '/health') return sendEmpty(response)
    return control(request, response)
  }

  const upgrade = async (request: IncomingMessage, socket: Socket, head: Buffer) => {
    checkHost(request)
    const target = targetOf(request)
    if (target !== null) return await serveUpgrade(registry, target, request, socket, head)
    socket.destroy()
  }

  const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES }, (request, response) => {
    route(request, response).catch((error: unknown) => {
      // The text may be a system error; it names no file contents, commands or variables.
      if (!(error instanceof ApiError)) log(`request failed: ${messageOf(error)}`)
      sendError(response, error)
    })
  })
  server.on('upgrade', (request, socket: Socket, head) => {
    socket.on('error', () => socket.destroy())
    upgrade(request, socket, head).catch(() => socket.destroy())
  })
  server.maxConnections = MAX_CONNECTIONS
  server.headersTimeout = HEADERS_TIMEOUT_MS
  server.keepAliveTimeout = KEEP_ALIVE_MS
  // Uploads may take as long as they need.
  server.requestTimeout = 0
  return server
}

/**
 * Refuses requests by another name than this machine's: a web page whose own name resolves to 127.0.0.1 must not reach the
 * daemon.
 * @throws ApiError 403
 */
function checkHost(request: IncomingMessage): void {
  const name = (request.headers.host ?? '').replace(/:\d+$/, '').toLowerCase()
  if (name === '127.0.0.1' || name === 'localhost' || name === '[::1]' || /^\d{1,5}-[a-z0-9]+\.localhost$/.test(name))
    return
  throw new ApiError(403, 'this host name is not served')
}
