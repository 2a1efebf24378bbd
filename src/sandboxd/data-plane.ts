import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { AgentClient } from './agent-client.ts'
import { ApiError } from './http-reply.ts'
import { notRunning, proxyRequest, proxyUpgrade } from './proxy.ts'
import type { Sandbox } from './sandbox.ts'
import type { SandboxRegistry } from './sandbox-registry.ts'
import { isExpired, isSignedBy, sameSecret } from './signature.ts'

const ENVD_PORT = 49983
const INTERPRETER_PORT = 49999

/** Target of a request: a sandbox and one of its ports. */
export interface Target {
  readonly sandboxId: string
  readonly port: number
}

/**
 * Reads the target: from E2B's two headers, or from the host name `PORT-ID.localhost` that a browser can use. `null` means
 * that the request is for the daemon itself.
 */
export function targetOf(request: IncomingMessage): Target | null {
  const id = request.headers['e2b-sandbox-id']
  if (typeof id === 'string') return { sandboxId: id, port: portNumber(request.headers['e2b-sandbox-port']) }
  const [, port, sandboxId] = /^(\d{1,5})-([a-z0-9]+)\.localhost(?::\d+)?$/i.exec(request.headers.host ?? '') ?? []
  return port === undefined || sandboxId === undefined ? null : { sandboxId, port: portNumber(port) }
}

/** Serves a request to a sandbox. @throws ApiError 401 */
export async function serveTarget(
  registry: SandboxRegistry,
  target: Target,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const sandbox = registry.find(target.sandboxId)
  if (sandbox === null) return notRunning(response, target.sandboxId)
  if (!isAllowed(sandbox, target.port, request))
    throw new ApiError(401, 'unauthorized: the access token is missing or wrong')
  await pass(registry, sandbox, target.port, request, response)
}

/** Serves a signed URL, which names no sandbox: the one whose token made the signature is meant. @throws ApiError 401 */
export async function serveSigned(
  registry: SandboxRegistry,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const query = new URL(request.url ?? '/', 'http://daemon').searchParams
  const sandbox = registry.all().find(({ record }) => isSignedBy(record.accessToken, request.method ?? 'GET', query))
  if (sandbox === undefined) throw new ApiError(401, 'invalid signature')
  if (isExpired(query)) throw new ApiError(401, 'signature is already expired')
  await pass(registry, sandbox, ENVD_PORT, request, response)
}

/** Serves an upgrade to a sandbox. @throws ApiError */
export async function serveUpgrade(
  registry: SandboxRegistry,
  target: Target,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): Promise<void> {
  const sandbox = registry.get(target.sandboxId)
  if (!isAllowed(sandbox, target.port, request)) throw new ApiError(401, 'unauthorized')
  const client = await awake(registry, sandbox)
  if (client === null) throw new ApiError(502, 'the sandbox does not run')
  sandbox.track(socket, () => socket.destroy())
  proxyUpgrade(client, target.port, request, socket, head)
}

async function pass(
  registry: SandboxRegistry,
  sandbox: Sandbox,
  port: number,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  // Asking whether it runs must not wake it.
  const isQuestion = port === ENVD_PORT && request.url === '/health'
  const client = isQuestion ? sandbox.client : await awake(registry, sandbox)
  if (client === null) return notRunning(response, sandbox.record.id)
  sandbox.track(response, proxyRequest(client, sandbox.record.id, port, request, response))
}

/**
 * The way to a sandbox's agent, after waking one that was paused. One that died stays so until its owner connects: whoever had
 * processes in it would take another machine for the one that had them.
 */
async function awake(registry: SandboxRegistry, sandbox: Sandbox): Promise<AgentClient | null> {
  const { autoResume, hasDied, timeoutSeconds } = sandbox.record
  if (sandbox.client === null && autoResume && !hasDied) await registry.resume(sandbox, timeoutSeconds)
  return sandbox.client
}

/** E2B's SDK sends the access token to its agent, but only the traffic token to the interpreter's `/contexts`. */
function isAllowed({ record }: Sandbox, port: number, request: IncomingMessage): boolean {
  const has = (header: string, secret: string) => {
    const value = request.headers[header]
    return typeof value === 'string' && sameSecret(value, secret)
  }
  if (has('x-access-token', record.accessToken)) return true
  if (port === ENVD_PORT) return false
  if (port !== INTERPRETER_PORT && record.publicTraffic) return true
  return has('e2b-traffic-access-token', record.trafficToken)
}

function portNumber(text: string | string[] | undefined): number {
  const port = Number(text ?? ENVD_PORT)
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : ENVD_PORT
}
