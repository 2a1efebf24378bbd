import { decodeHosts, type Internet } from './egress/host-list.ts'
import { ApiError } from './http-reply.ts'
import { asNumber, asObject, asString, asStringMap, type Json } from './json.ts'
import { DEFAULT_TIMEOUT_SECONDS, MAX_HOSTS, MAX_MAP_BYTES, MAX_MAP_ENTRIES, MAX_TIMEOUT_SECONDS } from './limits.ts'
import type { NewSandbox } from './sandbox-registry.ts'

/** E2B's name for every address. */
export const ALL_TRAFFIC = '0.0.0.0/0'

/** Reads the body of `POST /v2/sandboxes`. What cannot be honoured is refused, never ignored. @throws ApiError 400 */
export function decodeNewSandbox(body: Json): NewSandbox {
  if (Array.isArray(body.volumeMounts) && body.volumeMounts.length > 0) throw unsupported('volumeMounts')
  if (asObject(body.mcp) !== null) throw unsupported('mcp')
  if (asObject(body.iam) !== null) throw unsupported('iam')
  const network = asObject(body.network) ?? {}
  return {
    templateId: asString(body.templateID) ?? 'base',
    metadata: boundedMap('metadata', body.metadata),
    envVars: boundedMap('envVars', body.envVars),
    internet: decodeInternet(body.allow_internet_access, network),
    onTimeout: body.autoPause === true ? 'pause' : 'kill',
    keepMemory: body.autoPauseMemory !== false,
    autoResume: asObject(body.autoResume)?.enabled === true,
    timeoutSeconds: decodeTimeout(body.timeout),
    publicTraffic: network.allowPublicTraffic !== false,
  }
}

/** Seconds; E2B's default when absent. @throws ApiError 400 */
export function decodeTimeout(value: unknown): number {
  if (value === undefined || value === null) return DEFAULT_TIMEOUT_SECONDS
  const seconds = asNumber(value)
  if (seconds === null || seconds < 0) throw new ApiError(400, 'timeout must be a number of seconds')
  if (seconds > MAX_TIMEOUT_SECONDS)
    throw new ApiError(400, `timeout cannot be greater than ${MAX_TIMEOUT_SECONDS / 3600} hours`)
  return seconds
}

/**
 * Reads an internet policy. E2B can filter by address, too; here it is everything, nothing, or hosts by name.
 * @param allowed E2B's `allow_internet_access`, which is another word for denying everything
 * @throws ApiError 400 for any other policy
 */
export function decodeInternet(allowed: unknown, network: Json): Internet {
  const denied = Array.isArray(network.denyOut) ? network.denyOut : []
  const listed = Array.isArray(network.allowOut) ? network.allowOut : []
  if (Object.keys(asObject(network.rules) ?? {}).length > 0) throw unsupported('network.rules')
  if (asObject(network.egressProxy) !== null) throw unsupported('network.egressProxy')
  if (denied.length === 0 && allowed !== false) return true
  if (denied.length > 0 && !denied.includes(ALL_TRAFFIC)) throw unsupported('network.denyOut other than of everything')
  if (listed.length === 0) return false
  const hosts = decodeHosts(listed)
  if (hosts === null) throw unsupported(`network.allowOut other than ${MAX_HOSTS} host names, or *.names`)
  return hosts
}

function boundedMap(name: string, value: unknown): ReadonlyMap<string, string> {
  const map = asStringMap(value)
  let bytes = 0
  for (const [key, text] of map) bytes += Buffer.byteLength(key) + Buffer.byteLength(text)
  if (map.size > MAX_MAP_ENTRIES || bytes > MAX_MAP_BYTES) {
    throw new ApiError(400, `${name} may have ${MAX_MAP_ENTRIES} entries and ${MAX_MAP_BYTES} bytes`)
  }
  if ([...map].some(([key, text]) => key.includes('\0') || text.includes('\0')))
    throw new ApiError(400, `${name} cannot hold NUL`)
  return map
}

function unsupported(what: string): ApiError {
  return new ApiError(400, `the local sandbox host does not support ${what}`)
}
