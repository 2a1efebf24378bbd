import type { IncomingMessage, ServerResponse } from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import type { Config } from './config.ts'
import { ApiError, readJson, sendEmpty, sendJson } from './http-reply.ts'
import { asString } from './json.ts'
import { Metrics } from './metrics.ts'
import { decodeInternet, decodeNewSandbox, decodeTimeout } from './new-sandbox.ts'
import { encodeAccess, encodeInfo, encodeListed } from './sandbox-json.ts'
import { listPage } from './sandbox-list.ts'
import type { SandboxRegistry } from './sandbox-registry.ts'
import { sameSecret } from './signature.ts'

type Handler = (call: Call) => Promise<void>

interface Call {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly query: URLSearchParams
  /** The id in the path, `''` where the path has none. */
  readonly id: string
}

/** The settings of a daemon that knows its key. */
export type KeyedConfig = Config & { readonly apiKey: string }

/** Refuses to promise that a sandbox has no network, or a part of it. @throws ApiError 400 where nothing is isolated */
function requireIsolation({ isolation }: Config): void {
  if (isolation === 'none') throw new ApiError(400, 'ISOLATION=none keeps no sandbox from the network')
}

/**
 * Control plane: E2B's REST interface, with and without `/v2`, since the SDK uses both.
 * @see the e2b SDK's `sandboxApi.ts` for its requests and answers
 */
export function controlPlane(
  registry: SandboxRegistry,
  config: KeyedConfig,
  facts: () => Promise<object>,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const routes = routesOf(registry, config, facts)
  return async (request, response) => {
    checkKey(config.apiKey, request)
    const url = new URL(request.url ?? '/', 'http://daemon')
    const [collection = '', id, ...rest] = url.pathname
      .replace(/^\/v2\//, '/')
      .split('/')
      .slice(1)
    const pattern = [collection, ...(id === undefined ? [] : ['{id}']), ...rest].join('/')
    const handler = routes.get(`${request.method} /${pattern}`)
    if (handler === undefined) throw new ApiError(404, `no route for ${request.method} on this path`)
    await handler({ request, response, query: url.searchParams, id: id ?? '' })
  }
}

function routesOf(
  registry: SandboxRegistry,
  config: Config,
  facts: () => Promise<object>,
): ReadonlyMap<string, Handler> {
  const metrics = new Metrics(config)
  const notHere: Handler = async () => {
    throw new ApiError(501, 'the local sandbox host has no snapshots and no fork')
  }

  const create: Handler = async ({ request, response }) => {
    const wanted = decodeNewSandbox(await readJson(request))
    if (wanted.internet !== true) requireIsolation(config)
    const sandbox = await registry.create(wanted)
    sendJson(response, 201, encodeAccess(sandbox))
  }

  const connect: Handler = async ({ request, response, id }) => {
    const body = await readJson(request)
    const sandbox = registry.get(id)
    const resumed = await registry.resume(sandbox, decodeTimeout(body.timeout), body.memory === false)
    sendJson(response, resumed ? 201 : 200, encodeAccess(sandbox))
  }

  const list: Handler = async ({ response, query }) => {
    const { items, nextToken } = listPage(registry.all(), query)
    const headers = nextToken === null ? {} : { 'x-next-token': nextToken }
    sendJson(
      response,
      200,
      items.map((sandbox) => encodeListed(sandbox, config)),
      headers,
    )
  }

  const kill: Handler = async ({ response, id }) => {
    await registry.remove(registry.get(id))
    sendEmpty(response)
  }

  const pause: Handler = async ({ request, response, id }) => {
    const body = await readJson(request)
    if (!(await registry.pause(registry.get(id), body.memory !== false)))
      throw new ApiError(409, `Sandbox ${id} is already paused`)
    sendEmpty(response)
  }

  const setTimeout: Handler = async ({ request, response, id }) => {
    const { timeout } = await readJson(request)
    const sandbox = registry.get(id)
    if (sandbox.record.state !== 'running') throw new ApiError(404, `Sandbox ${id} is not running`)
    sandbox.record.timeoutSeconds = decodeTimeout(timeout)
    sandbox.setEnd(Date.now() + sandbox.record.timeoutSeconds * 1000)
    sendEmpty(response)
  }

  const network: Handler = async ({ request, response, id }) => {
    const body = await readJson(request)
    const sandbox = registry.get(id)
    const wanted = decodeInternet(body.allow_internet_access, body)
    if (wanted !== true) requireIsolation(config)
    if (wanted === false) await sandbox.cutNetwork()
    else if (!isDeepStrictEqual(wanted, sandbox.record.internet))
      throw new ApiError(
        501,
        'the local sandbox host can take the network of a sandbox away, and change it no other way',
      )
    sendEmpty(response)
  }

  return new Map<string, Handler>([
    // Not of E2B's interface: E2B's templates are asked once, when they are built.
    ['GET /environment', async ({ response }) => sendJson(response, 200, await facts())],
    ['POST /sandboxes', create],
    ['GET /sandboxes', list],
    ['GET /sandboxes/{id}', async ({ response, id }) => sendJson(response, 200, encodeInfo(registry.get(id), config))],
    ['DELETE /sandboxes/{id}', kill],
    ['POST /sandboxes/{id}/connect', connect],
    ['POST /sandboxes/{id}/resume', connect],
    ['POST /sandboxes/{id}/pause', pause],
    ['POST /sandboxes/{id}/timeout', setTimeout],
    ['PUT /sandboxes/{id}/network', network],
    [
      'GET /sandboxes/{id}/metrics',
      async ({ response, id }) => sendJson(response, 200, await metrics.read(registry.get(id))),
    ],
    ['POST /sandboxes/{id}/snapshots', notHere],
    ['POST /sandboxes/{id}/fork', notHere],
    ['GET /snapshots', notHere],
    ['DELETE /templates/{id}', notHere],
  ])
}

/** Every user of the machine reaches the daemon's port, and pages in their browsers: the key tells its owner. @throws ApiError 401 */
function checkKey(expected: string, request: IncomingMessage): void {
  const key = asString(request.headers['x-api-key'])
  if (key === null || key === '') throw new ApiError(401, 'X-API-KEY is missing')
  if (!sameSecret(key, expected)) throw new ApiError(401, 'X-API-KEY is wrong')
}
