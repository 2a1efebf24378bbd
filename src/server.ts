import { assetBytes } from './adapters/asset.ts'
import { d1Database } from './adapters/database-d1.ts'
import { disk } from './adapters/disk.ts'
import { d1KeyStore } from './adapters/keys-d1.ts'
import { cloudflareSemantics } from './adapters/semantics-cloudflare.ts'
import { createAuthenticate } from './auth/authenticate.ts'
import { LinkSigner } from './auth/link-signer.ts'
import { createIsKeyAlive } from './auth/living-key.ts'
import { may, type Principal } from './auth/principal.ts'
import { type Config, ConfigError, readConfig } from './config.ts'
import { type SessionName, sessionKey, sessionName, type TenantId, tenantId } from './core/ids.ts'
import { admittedSession } from './http/admission/admitted-session.ts'
import { neededSlots } from './http/admission/needed-slots.ts'
import { type Permit, UNCOUNTED } from './http/admission/permit.ts'
import { RequestScheduler } from './http/admission/scheduler.ts'
import { createApp } from './http/app.ts'
import type { Dialect, Services } from './http/dialect.ts'
import { admin } from './http/dialects/admin/routes.ts'
import { lagent } from './http/dialects/lagent/routes.ts'
import { toolcore } from './http/dialects/toolcore/routes.ts'
import { toolserver } from './http/dialects/toolserver/routes.ts'
import type { LinkParts } from './http/dialects/v1/files/link-parts.ts'
import { v1 } from './http/dialects/v1/routes.ts'
import { xagent } from './http/dialects/xagent/routes.ts'
import { logError } from './http/log.ts'
import { NodeNames } from './http/node-names.ts'
import { problemResponse, toProblem } from './http/problem.ts'
import { sessionEnvironment } from './http/session-environment.ts'
import { TenantToolCache } from './http/tenant-tools.ts'
import { ToolFinder } from './http/tool-finder.ts'
import { marketModeration } from './market/moderation.ts'
import { leasesClient, sessionClient, tenantClient } from './objects.ts'
import { hasOwnPapers, marketFor, outsideHttp, ownPapers, readerFor } from './outside.ts'
import type { Clock } from './ports/clock.ts'
import type { KeyStore } from './ports/keys.ts'
import { neighbourTable } from './retrieval/neighbour-table.ts'
import type { SessionApi } from './session/api.ts'
import { catalog } from './tools/catalog.ts'
import { isLong } from './tools/define.ts'

export interface Server {
  fetch(request: Request): Promise<Response>
  /** Work that is done once in an isolate, while its first request is answered. */
  begin(): Promise<void>
}

interface Shared {
  readonly config: Config
  readonly keys: KeyStore
  readonly clock: Clock
  readonly links: LinkParts
}

/** Dialects, each with its own paths. */
const DIALECTS: readonly ((shared: Shared) => Dialect)[] = [
  ({ config, keys, clock }) =>
    admin({
      keys,
      clock,
      adminToken: config.adminToken,
      auditOf: (tenant) => tenantClient(() => config.tenants.getByName(tenant)).audit,
    }),
  () => toolcore, // before the Tool Server: both have `/health`
  () => xagent, // before the Tool Server: both have `/`
  () => lagent,
  () => toolserver,
  ({ config, links }) =>
    v1({
      ...links,
      reader: readerFor(config, null),
      publicPapers: hasOwnPapers(config) ? ownPapers(config, null) : null,
      marketModeration: marketModeration(d1Database(config.db)),
      adminToken: config.adminToken,
    }),
]

const clock: Clock = { now: () => Date.now() }

/** The whole server for one environment. Make one per isolate: it holds the cache of keys. */
export function createServer(env: unknown): Server {
  try {
    return serve(readConfig(env))
  } catch (thrown) {
    if (thrown instanceof ConfigError) return refuseToServe(thrown)
    throw thrown
  }
}

function serve(config: Config): Server {
  const keys = d1KeyStore(config.db)
  const { sandboxFacts, sandboxEnv } = config
  const common = {
    tools: catalog.list(),
    toolkits: catalog.toolkits(),
    environment: sandboxFacts && sessionEnvironment(sandboxFacts, 'PIP_INDEX_URL' in sandboxEnv),
  }
  const neighbours = neighbourTable(() => assetBytes(config.assets, 'neighbours.bin'))
  const newFinder = () => new ToolFinder(neighbours)
  const registered = new TenantToolCache({
    shared: newFinder(),
    newFinder,
    semantics: config.semantics && cloudflareSemantics(config.semantics),
  })
  const nodes = new NodeNames()
  const scheduler = new RequestScheduler({ clock, slots: config.requestSlots })
  const links = linkParts(config, keys, scheduler)
  const app = createApp({
    dialects: DIALECTS.map((dialect) => dialect({ config, keys, clock, links })),
    isLocal: config.isLocal,
    authenticate: createAuthenticate({ keys, clock, openTenant: config.openTenant }),
    scheduler,
    services: (principal, permit) => servicesOf({ config, nodes, registered, ...common }, principal, permit),
  })
  return { fetch: (request) => app.fetch(request), begin: () => warmSpares(config) }
}

/** Links to files: a request by one has the rights of the key that made it, on one session. */
function linkParts(config: Config, keys: KeyStore, scheduler: RequestScheduler): LinkParts {
  const isAlive = createIsKeyAlive({ keys, clock, openTenant: config.openTenant })
  return {
    linkSigner: config.secretsKey === null ? null : new LinkSigner(config.secretsKey),
    linked: async ({ tenant, session, key, method }, request, isOwn) => {
      if (!(await isAlive(tenant, key, method === 'upload' ? 'execute' : 'read'))) return null
      const tenantOfLink = tenantId(tenant)
      // A request of the tenant itself has had its turn, and must not wait for another one that it holds.
      const permit = isOwn ? UNCOUNTED : await scheduler.enter(tenantOfLink, neededSlots(request))
      return { session: admitted(config, tenantOfLink, sessionName(session), permit), release: () => permit.release() }
    },
  }
}

/** A session as one request may use it. */
function admitted(config: Config, tenant: TenantId, name: SessionName, permit: Permit): SessionApi {
  const isDiskFull = (thrown: unknown) => disk.isToBlame(thrown, config.disk)
  const client = sessionClient(() => config.sessions.getByName(sessionKey(tenant, name)), isDiskFull)
  return admittedSession(client, permit, isLongTool)
}

/**
 * Warms spare sandboxes, where they are kept for as long as the server runs: at the first request, and not at the first
 * command.
 */
async function warmSpares({ sandboxSpares: { count, keptMs }, leases }: Config): Promise<void> {
  if (count > 0 && keptMs === null) await leasesClient(leases).warmSpares()
}

/** Isolate: objects that requests share, of one tenant and of all. */
interface Isolate extends Pick<Services, 'tools' | 'toolkits' | 'environment'> {
  readonly config: Config
  readonly nodes: NodeNames
  readonly registered: TenantToolCache
}

/** The one place where a tenant becomes names of objects; a name that a caller chose is always below its tenant. */
function servicesOf(
  { config, nodes, registered, tools, toolkits, environment }: Isolate,
  principal: Principal,
  permit: Permit,
): Services {
  const { tenant: tenantId, keyId } = principal
  const isDiskFull = (thrown: unknown) => disk.isToBlame(thrown, config.disk)
  const tenant = tenantClient(() => config.tenants.getByName(tenantId), isDiskFull)
  const session = (name: SessionName) => admitted(config, tenantId, name, permit)
  return {
    tools,
    toolkits,
    key: keyId,
    mayAdmin: may(principal, 'admin'),
    session,
    node: async (nodeId) => {
      const name = await nodes.find(tenantId, nodeId, tenant.sessions)
      return name === null ? null : session(name)
    },
    tenant,
    environment,
    registeredTools: () => registered.of(tenantId, tenant.tools),
    // Made on first use, which is rare: most requests call a tool.
    get http() {
      return outsideHttp(config)
    },
    get reader() {
      return readerFor(config, tenantId)
    },
    get market() {
      return marketFor(config, tenantId, (tool) => catalog.has(tool))
    },
    get papers() {
      return hasOwnPapers(config) ? ownPapers(config, tenantId) : null
    },
    now: clock.now,
  }
}

function isLongTool(name: string): boolean {
  const effect = catalog.effectOf(name)
  return effect !== null && isLong(effect)
}

/** Server with a configuration error: it answers no request, and its log says why. */
function refuseToServe(error: ConfigError): Server {
  const message = 'the server is not set up correctly; its log says what to change'
  return {
    async fetch() {
      const requestId = crypto.randomUUID()
      logError({ message: 'configuration refused', requestId, status: 500, error: error.message })
      return problemResponse({ ...toProblem({ code: 'internal', message }, requestId), retryable: false })
    },
    async begin() {},
  }
}
