import { assetBytes } from './adapters/asset.ts'
import { d1Database } from './adapters/database-d1.ts'
import { disk } from './adapters/disk.ts'
import { d1KeyStore } from './adapters/keys-d1.ts'
import { cloudflareSemantics } from './adapters/semantics-cloudflare.ts'
import { createAuthenticate } from './auth/authenticate.ts'
import { ChildSigner } from './auth/child-signer.ts'
import { sameSecret } from './auth/constant-time.ts'
import { LinkSigner } from './auth/link-signer.ts'
import { createIsKeyAlive } from './auth/living-key.ts'
import { may, type Principal } from './auth/principal.ts'
import { allowsSession } from './auth/restrictions.ts'
import { type Config, ConfigError, readConfig } from './config.ts'
import { type SessionName, sessionKey, sessionName, type TenantId, tenantId } from './core/ids.ts'
import { admittedSession } from './http/admission/admitted-session.ts'
import { neededSlots } from './http/admission/needed-slots.ts'
import { type Permit, UNCOUNTED } from './http/admission/permit.ts'
import { RequestScheduler } from './http/admission/scheduler.ts'
import { createApp } from './http/app.ts'
import { bearerToken } from './http/authenticate.ts'
import { refuseSession, refuseWhole } from './http/child-keys/refusal.ts'
import { restrictedSession } from './http/child-keys/restricted-session.ts'
import { restrictedTenant } from './http/child-keys/restricted-tenant.ts'
import type { Dialect, Services } from './http/dialect.ts'
import { admin } from './http/dialects/admin/routes.ts'
import { lagent } from './http/dialects/lagent/routes.ts'
import { pages } from './http/dialects/pages/routes.ts'
import { toolcore } from './http/dialects/toolcore/routes.ts'
import { toolserver } from './http/dialects/toolserver/routes.ts'
import type { LinkParts } from './http/dialects/v1/files/link-parts.ts'
import { v1 } from './http/dialects/v1/routes.ts'
import { xagent } from './http/dialects/xagent/routes.ts'
import type { CallKeys } from './http/idempotency/call-keys.ts'
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
import type { LedgerApi } from './tenant/ledger-api.ts'
import { catalog } from './tools/catalog.ts'
import { isLong } from './tools/define.ts'

export interface Server {
  /** @param goOn has work continue when the client leaves */
  fetch(request: Request, goOn?: (work: Promise<unknown>) => void): Promise<Response>
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
      readAsset: (name) => assetBytes(config.assets, name),
      auditOf: (tenant) => tenantClient(() => config.tenants.getByName(tenant)).audit,
    }),
  ({ config }) => pages({ readAsset: (name) => assetBytes(config.assets, name) }),
  () => toolcore, // before the Tool Server: both have `/health`
  () => xagent, // before the Tool Server: both have `/`
  () => lagent,
  () => toolserver,
  ({ config, keys, clock, links }) =>
    v1({
      ...links,
      reader: readerFor(config, null),
      publicPapers: hasOwnPapers(config) ? ownPapers(config, null) : null,
      marketModeration: marketModeration(d1Database(config.db)),
      adminToken: config.adminToken,
      keys,
      clock,
      signer: signerOf(config),
      readAsset: (name) => assetBytes(config.assets, name),
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
  const scheduler = new RequestScheduler({ clock, slots: config.requestSlots })
  const links = linkParts(config, keys, scheduler)
  const app = createApp({
    dialects: DIALECTS.map((dialect) => dialect({ config, keys, clock, links })),
    isLocal: config.isLocal,
    authenticate: createAuthenticate({ keys, clock, signer: signerOf(config), openTenant: config.openTenant }),
    scheduler,
    ownersLedger: (request) => ownersLedger(config, request),
    services: (principal, permit, keys) =>
      servicesOf({ config, nodes, registered, ...common }, principal, permit, keys),
  })
  return { fetch: (request, goOn) => app.fetch(request, goOn), begin: () => warmSpares(config) }
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
function admitted(
  config: Config,
  tenant: TenantId,
  name: SessionName,
  permit: Permit,
  keys: CallKeys | null = null,
  key: string | null = null,
): SessionApi {
  const isDiskFull = (thrown: unknown) => disk.isToBlame(thrown, config.disk)
  const client = sessionClient(() => config.sessions.getByName(sessionKey(tenant, name)), isDiskFull)
  return admittedSession(client, permit, isLongTool, keys, key)
}

/** Ledger of requests that show ADMIN_TOKEN; null for any other. */
async function ownersLedger({ adminToken, tenants }: Config, { headers }: Request): Promise<LedgerApi | null> {
  const sent = bearerToken(headers)
  if (sent === null || adminToken === null || !(await sameSecret(sent, adminToken))) return null
  // A tenant of that id would have the same table, and none of its keys: digests of keys have the caller in them.
  return tenantClient(() => tenants.getByName(OWNER)).ledger
}

const OWNER = 'owner-of-the-server'

/**
 * Warms spare sandboxes, where they are kept for as long as the server runs: at the first request, and not at the first
 * command.
 */
async function warmSpares({ sandboxSpares: { count, keptMs }, leases }: Config): Promise<void> {
  if (count > 0 && keptMs === null) await leasesClient(leases).warmSpares()
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
  keys: CallKeys | null = null,
): Services {
  const { tenant: tenantId, keyId, restrictions } = principal
  const isDiskFull = (thrown: unknown) => disk.isToBlame(thrown, config.disk)
  const whole = tenantClient(() => config.tenants.getByName(tenantId), isDiskFull)
  const isForSome = restrictions !== undefined && restrictions.sessions.length > 0
  const tenant = isForSome ? restrictedTenant(whole, restrictions, keyId ?? '') : whole
  const session = (name: SessionName) => {
    if (restrictions && !allowsSession(restrictions, name)) refuseSession(restrictions)
    const whole = admitted(config, tenantId, name, permit, keys, keyId)
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
    registeredTools: () => registered.of(tenantId, whole.tools),
    canDenyInternet,
    // Made on first use, which is rare: most requests call a tool.
    get http() {
      return outsideHttp(config)
    },
    get reader() {
      return readerFor(config, tenantId)
    },
    get market() {
      if (isForSome) refuseWhole('it may not use the marketplace')
      return marketFor(config, tenantId, (tool) => catalog.has(tool))
    },
    get papers() {
      if (isForSome) refuseWhole('it may not use the papers of the tenant by a route')
      return hasOwnPapers(config) ? ownPapers(config, tenantId) : null
    },
    now: clock.now,
  }
}

/** Signer of child keys; null on a server with no secret that could sign. */
const signerOf = ({ childKeysSecret }: Config) => (childKeysSecret === null ? null : new ChildSigner(childKeysSecret))

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
