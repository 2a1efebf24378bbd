/** Facts about tokens that this server shows to clients: RFC 9728. */
export interface ProtectedResource {
  /** Issuer of the tokens that this server takes. */
  readonly issuer: string
  /** Names of this server in tokens; those that are addresses are addresses of it, as its clients reach it. */
  readonly audiences: readonly string[]
}

/** Path of the metadata; that of a resource below the root has the resource's path behind it. */
export const METADATA_PATH = '/.well-known/oauth-protected-resource'

/** Scopes that clients ask the issuer for when they want to work. */
const USUAL_SCOPES = ['read', 'execute'] as const

/** Path of a resource with metadata of its own: `/mcp`, `/mcp/s/{session}`; the root for any other path. */
export const resourcePathOf = (pathname: string): string => /^(\/mcp(?:\/s\/[^/]+)?)\/?$/.exec(pathname)?.[1] ?? ''

/** Metadata of a resource. @param url of the request: says where we are if no audience is an address */
export function metadataOf({ issuer, audiences }: ProtectedResource, path: string, url: URL) {
  return {
    resource: resourceOf(audiences, path) ?? `${url.origin}${path || '/'}`,
    authorization_servers: [issuer],
    scopes_supported: USUAL_SCOPES,
    bearer_methods_supported: ['header'],
    resource_name: 'Toolyard',
  }
}

/** `WWW-Authenticate` of a 401. @param isRefused whether a credential came, and was not good */
export const unauthenticated = (resource: ProtectedResource, url: URL, isRefused: boolean): string =>
  challenge(resource, url, isRefused ? 'invalid_token' : null, USUAL_SCOPES.join(' '))

/** `WWW-Authenticate` of a 403 for a token that lacks a scope. */
export const insufficientScope = (resource: ProtectedResource, url: URL, scope: string): string =>
  challenge(resource, url, 'insufficient_scope', scope)

function challenge({ audiences }: ProtectedResource, url: URL, error: string | null, scope: string): string {
  const path = resourcePathOf(url.pathname)
  const metadata = `${originOf(audiences) ?? url.origin}${METADATA_PATH}${path}`
  const words = [`resource_metadata="${metadata}"`, `scope="${scope}"`]
  return `Bearer realm="toolyard", ${[...(error === null ? [] : [`error="${error}"`]), ...words].join(', ')}`
}

/** The audience that names the path most closely: clients refuse metadata of a resource that does not hold the one they want. */
function resourceOf(audiences: readonly string[], path: string): string | null {
  const addresses = audiences.filter(isAddress)
  const holds = (address: string) => `${path}/`.startsWith(`${pathIn(address)}/`)
  const [closest] = addresses.filter(holds).sort((one, other) => other.length - one.length)
  return closest ?? addresses[0] ?? null
}

function originOf(audiences: readonly string[]): string | null {
  const address = audiences.find(isAddress)
  return address === undefined ? null : new URL(address).origin
}

const pathIn = (address: string) => new URL(address).pathname.replace(/\/$/, '')

const isAddress = (audience: string) => /^https?:\/\//.test(audience) && URL.canParse(audience)
