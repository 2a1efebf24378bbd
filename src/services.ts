import { assetBytes } from './adapters/asset.ts'
import { disk } from './adapters/disk.ts'
import { d1KeyStore } from './adapters/keys-d1.ts'
import { cloudflareSemantics } from './adapters/semantics-cloudflare.ts'
import { may, type Principal } from './auth/principal.ts'
import { allowsSession } from './auth/restrictions.ts'
import type { Config } from './config.ts'
import type { CallOrigin } from './core/call-origin.ts'
import { type SessionName, sessionKey, type TenantId } from './core/ids.ts'
import { admittedSession } from './http/admission/admitted-session.ts'
import type { Permit } from './http/admission/permit.ts'
import { refuseSession, refuseWhole, requireTool } from './http/child-keys/refusal.ts'
import { restrictedSession } from './http/child-keys/restricted-session.ts'
import { restrictedTenant } from './http/child-keys/restricted-tenant.ts'
import type { Services } from './http/dialect.ts'
import type { CallKeys } from './http/idempotency/call-keys.ts'
import { NodeNames } from './http/node-names.ts'
import { sessionEnvironment } from './http/session-environment.ts'
import { TenantToolCache } from './http/tenant-tools.ts'
import { ToolFinder } from './http/tool-finder.ts'
import { sessionClient, tenantClient } from './objects.ts'
import { hasOwnPapers, marketFor, outsideHttp, outsideMcpServers, ownPapers, readerFor } from './outside.ts'
import { neighbourTable } from './retrieval/neighbour-table.ts'
import type { SessionApi } from './session/api.ts'
import { catalog } from './tools/catalog.ts'
import { isLong } from './tools/define.ts'

export type ServicesOf = (
  principal: Principal,
  permit: Permit,
  keys?: CallKeys | null,
  origin?: CallOrigin | null,
) => Services

/** Maker of services for one environment, with the caches that its requests share: one for an isolate, or for an object. */
export function createServices(config: Config): ServicesOf {
  const { sandboxFacts, sandboxEnv } = config
  const common = {
    tools: catalog.list(),
    toolkits: catalog.toolkits(),
    environment: sandboxFacts && sessionEnvironment(sandboxFacts, 'PIP_INDEX_URL' in sandboxEnv),
    canDenyInternet: sandboxFacts?.offline !== false,
  }
  const neighbours = neighbourTable(() => assetBytes(config.assets, 'neighbours.bin'))
  const newFinder = () => new ToolFinder(neighbours)
  const registered = new TenantToolCache({
    shared: newFinder(),
    newFinder,
    semantics: config.semantics && cloudflareSemantics(config.semantics),
  })
  const nodes = new NodeNames()
  return (principal, permit, keys = null, origin = null) =>
    servicesOf({ config, nodes, registered, ...common }, principal, permit, { keys, origin })
}

/** A session as one request may use it. */
export function admitted(
  config: Config,
  tenant: TenantId,
  name: SessionName,
  permit: Permit,
  keys: CallKeys | null = null,
  key: string | null = null,
  origin: CallOrigin | null = null,
): SessionApi {
  const isDiskFull = (thrown: unknown) => disk.isToBlame(thrown, config.disk)
  const client = sessionClient(() => config.sessions.getByName(sessionKey(tenant, name)), isDiskFull)
  return admittedSession(client, permit, isLongTool, keys, key, origin)
}

/** Isolate: objects that requests share, of one tenant and of all. */
interface Isolate extends Pick<Services, 'tools' | 'toolkits' | 'environment' | 'canDenyInternet'> {
  readonly config: Config
  readonly nodes: NodeNames
  readonly registered: TenantToolCache
}

/** The one place where a tenant becomes names of objects; a name that a caller chose is always below its tenant. */
function servicesOf(
  { config, nodes, registered, tools, toolkits, environment, canDenyInternet }: Isolate,
  principal: Principal,
  permit: Permit,
  { keys, origin }: { readonly keys: CallKeys | null; readonly origin: CallOrigin | null },
): Services {
  const { tenant: tenantId, keyId, restrictions } = principal
  const isDiskFull = (thrown: unknown) => disk.isToBlame(thrown, config.disk)
  const whole = tenantClient(() => config.tenants.getByName(tenantId), isDiskFull)
  const isForSome = restrictions !== undefined && restrictions.sessions.length > 0
  const tenant = isForSome ? restrictedTenant(whole, restrictions, keyId ?? '') : whole
  const session = (name: SessionName) => {
    if (restrictions && !allowsSession(restrictions, name)) refuseSession(restrictions)
    const whole = admitted(config, tenantId, name, permit, keys, keyId, origin)
    return restrictions ? restrictedSession(whole, restrictions) : whole
  }
  return {
    tools,
    toolkits,
    key: keyId,
    mayAdmin: may(principal, 'admin'),
    session,
    node: async (nodeId) => {
      const name = await nodes.find(tenantId, nodeId, whole.sessions)
      return name === null || (restrictions && !allowsSession(restrictions, name)) ? null : session(name)
    },
    tenant,
    environment,
    internetPolicies: () => d1KeyStore(config.db).internet(tenantId),
    registeredTools: () => registered.of(tenantId, whole.tools),
    canDenyInternet,
    // Made on first use, which is rare: most requests call a tool.
    get http() {
      return outsideHttp(config)
    },
    get mcpServers() {
      return outsideMcpServers(config)
    },
    get reader() {
      return readerFor(config, tenantId)
    },
    get questions() {
      if (restrictions) requireTool(restrictions, 'human_in_loop')
      return tenant.questions
    },
    get market() {
      if (isForSome) refuseWhole('it may not use the marketplace')
      return marketFor(config, tenantId, (tool) => catalog.has(tool))
    },
    get papers() {
      if (isForSome) refuseWhole('it may not use the papers of the tenant by a route')
      return hasOwnPapers(config) ? ownPapers(config, tenantId) : null
    },
    now: () => Date.now(),
  }
}

function isLongTool(name: string): boolean {
  const effect = catalog.effectOf(name)
  return effect !== null && isLong(effect)
}
