import { assetBytes, assetResponse } from './adapters/asset.ts'
import { consoleSessionsD1 } from './adapters/console-sessions-d1.ts'
import { d1Database } from './adapters/database-d1.ts'
import { invitationsD1 } from './adapters/invitations-d1.ts'
import { d1KeyStore } from './adapters/keys-d1.ts'
import { isolateMetrics } from './adapters/observed/metrics.ts'
import { plansD1 } from './adapters/plans-d1.ts'
import { createAuthenticate } from './auth/authenticate.ts'
import { ChildSigner } from './auth/child-signer.ts'
import { ClosedTenants } from './auth/closed-tenants.ts'
import { ConsoleSessions } from './auth/console/console-sessions.ts'
import { sameSecret } from './auth/constant-time.ts'
import { KeyUse } from './auth/key-use.ts'
import { LinkSigner } from './auth/link-signer.ts'
import { createIsKeyAlive } from './auth/living-key.ts'
import { StateKey } from './auth/state-key.ts'
import { TokenJudge, TokenTenants } from './auth/token.ts'
import { type Config, ConfigError, readConfig } from './config.ts'
import { type SessionName, sessionKey, sessionName, tenantId } from './core/ids.ts'
import { BODY_ROOM_BYTES, BODY_WAIT_MS, MAX_WAITING_BODIES, TENANT_BODY_ROOM_BYTES } from './core/limits/memory.ts'
import { MemoryRoom } from './core/memory-room.ts'
import { SERVER_VERSION } from './core/server-version.ts'
import { holdingItsBody } from './http/admission/held-bodies.ts'
import { neededSlots } from './http/admission/needed-slots.ts'
import { UNCOUNTED } from './http/admission/permit.ts'
import { RequestScheduler } from './http/admission/scheduler.ts'
import { createApp } from './http/app.ts'
import { bearerToken } from './http/authenticate.ts'
import { type ClientAddress, clientAddressBy } from './http/client-address.ts'
import type { Dialect } from './http/dialect.ts'
import { admin } from './http/dialects/admin/routes.ts'
import { consoleDialect } from './http/dialects/console/routes.ts'
import { lagent } from './http/dialects/lagent/routes.ts'
import { mcp } from './http/dialects/mcp/routes.ts'
import { metrics } from './http/dialects/metrics/routes.ts'
import { oauth } from './http/dialects/oauth/routes.ts'
import { pages } from './http/dialects/pages/routes.ts'
import { toolcore } from './http/dialects/toolcore/routes.ts'
import { toolserver } from './http/dialects/toolserver/routes.ts'
import type { LinkParts } from './http/dialects/v1/files/link-parts.ts'
import { v1 } from './http/dialects/v1/routes.ts'
import { xagent } from './http/dialects/xagent/routes.ts'
import { logError } from './http/log.ts'
import { problemResponse, toProblem } from './http/problem.ts'
import { marketModeration } from './market/moderation.ts'
import { connectionClient, leasesClient, ownedSessionClient, tenantClient, tenantOwnerClient } from './objects.ts'
import { traceMaker } from './observers.ts'
import { hasOwnPapers, ownPapers, papersMove, readerFor, tokenCheck } from './outside.ts'
import type { Clock } from './ports/clock.ts'
import type { KeyStore } from './ports/keys.ts'
import { admitted, createServices } from './services.ts'
import type { LedgerApi } from './tenant/ledger-api.ts'

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
  readonly closed: ClosedTenants
  readonly consoleSessions: ConsoleSessions
}

/** Dialects, each with its own paths. */
const DIALECTS: readonly ((shared: Shared) => Dialect)[] = [
  ({ config, keys, clock, closed }) =>
    admin({
      keys,
      plans: plansD1(d1Database(config.db)),
      invitations: invitationsD1(d1Database(config.db)),
      clock,
      closed,
      openTenant: config.openTenant,
      staying: stayingOf(config),
      // A stub belongs to the request in which it was made.
      spares: { poolsChanged: () => leasesClient(config.leases).poolsChanged() },
      ownedTenant: (tenant) => tenantOwnerClient(() => config.tenants.getByName(tenant)),
      listsOf: (tenant) => tenantClient(() => config.tenants.getByName(tenant)),
      ownedSession: (tenant, name) =>
        ownedSessionClient(() => config.sessions.getByName(sessionKey(tenant, name as SessionName))),
      adminToken: config.adminToken,
      canDenyInternet: config.sandboxFacts?.offline !== false,
      readAsset: (name) => assetBytes(config.assets, name),
      usageOf: (tenant) => tenantClient(() => config.tenants.getByName(tenant)).usage,
      movePapers: papersMove(config),
      auditOf: (tenant) => tenantClient(() => config.tenants.getByName(tenant)).audit,
      checkJurisdiction: config.checkJurisdiction,
    }),
  ({ config }) => pages({ readAsset: (name) => assetBytes(config.assets, name) }),
  ({ config, clock, consoleSessions }) =>
    consoleDialect({
      sessions: consoleSessions,
      clock,
      readPage: (path, headers) => assetResponse(config.assets, path, headers),
    }),
  () => toolcore, // before the Tool Server: both have `/health`
  () => xagent, // before the Tool Server: both have `/`
  () => lagent,
  ({ config: { isLocal, connections, secretsKey } }) =>
    mcp({
      isLocal,
      connections: { getByName: (name) => connectionClient(() => connections.getByName(name)) },
      stateKey: secretsKey === null ? null : new StateKey(secretsKey),
    }),
  () => toolserver,
  ({ config, keys, clock, links, consoleSessions }) =>
    v1({
      ...links,
      consoleSessions,
      consoleSessionStore: consoleSessionsD1(d1Database(config.db)),
      reader: readerFor(config, null),
      publicPapers: hasOwnPapers(config) ? ownPapers(config, null) : null,
      marketModeration: marketModeration(d1Database(config.db)),
      adminToken: config.adminToken,
      keys,
      clock,
      signer: signerOf(config),
      invitations: invitationsD1(d1Database(config.db)),
      staying: stayingOf(config),
      auditOf: (tenant) => tenantClient(() => config.tenants.getByName(tenant)).audit,
      readAsset: (name) => assetBytes(config.assets, name),
    }),
]

const BODY_ROOM = {
  bytes: BODY_ROOM_BYTES,
  ownBytes: TENANT_BODY_ROOM_BYTES,
  waiting: MAX_WAITING_BODIES,
  waitMs: BODY_WAIT_MS,
}
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
  const scheduler = new RequestScheduler({ clock, slots: config.requestSlots })
  const bodyRoom = new MemoryRoom(BODY_ROOM, clock.now)
  const tokenTenants = config.oauth && new TokenTenants(keys, clock)
  const tokens =
    config.oauth && tokenTenants
      ? new TokenJudge({ check: tokenCheck(config, config.oauth, reportIssuer), tenants: tokenTenants })
      : null
  const closed = new ClosedTenants()
  const use = new KeyUse({ keys, clock })
  const clientAddress = clientAddressBy(config.clientAddressHeader)
  const links = linkParts(config, keys, { scheduler, bodyRoom, tokenTenants, closed, clientAddress })
  const authenticate = createAuthenticate({
    keys,
    clock,
    closed,
    signer: signerOf(config),
    tokens,
    openTenant: config.openTenant,
  })
  const consoleSessions = new ConsoleSessions({
    store: consoleSessionsD1(d1Database(config.db)),
    keys,
    authenticate,
    clock,
    closed,
    openTenant: config.openTenant,
    adminToken: config.adminToken,
    audit: (tenant, note, by) => tenantClient(() => config.tenants.getByName(tenant)).audit.noteSignIn(note, by),
  })
  const app = createApp({
    dialects: [
      ...(config.oauth ? [oauth(config.oauth)] : []),
      ...metricsOf(config),
      ...DIALECTS.map((dialect) => dialect({ config, keys, clock, links, closed, consoleSessions })),
    ],
    protectedResource: config.oauth,
    isLocal: config.isLocal,
    authenticate,
    consoleSessions,
    adminToken: config.adminToken,
    clientAddress,
    noteUse: (keyId) => use.note(keyId),
    scheduler,
    bodyRoom,
    ownersLedger: (request) => ownersLedger(config, request),
    services: createServices(config),
    newTrace: traceMaker(config),
  })
  return { fetch: (request, goOn) => app.fetch(request, goOn), begin: () => warmSpares(config) }
}

/** Links to files: a request by one has the rights of the key that made it, on one session. */
function linkParts(
  config: Config,
  keys: KeyStore,
  {
    scheduler,
    bodyRoom,
    tokenTenants,
    closed,
    clientAddress,
  }: {
    readonly scheduler: RequestScheduler
    readonly bodyRoom: MemoryRoom
    readonly tokenTenants: TokenTenants | null
    readonly closed: ClosedTenants
    readonly clientAddress: ClientAddress
  },
): LinkParts {
  const isAlive = createIsKeyAlive({ keys, clock, tokenTenants, closed, openTenant: config.openTenant })
  return {
    linkSigner: config.secretsKey === null ? null : new LinkSigner(config.secretsKey),
    linked: async ({ tenant, session, key, method }, request, isOwn) => {
      if (!(await isAlive(tenant, key, method === 'upload' ? 'execute' : 'read', clientAddress(request)))) return null
      const tenantOfLink = tenantId(tenant)
      // A request of the tenant itself has had its turn, and must not wait for another one that it holds.
      const enter = async () => {
        const permit = await scheduler.enter(tenantOfLink, neededSlots(request))
        return holdingItsBody(permit, request, { room: bodyRoom, tenant: tenantOfLink })
      }
      const permit = isOwn ? UNCOUNTED : await enter()
      return { session: admitted(config, tenantOfLink, sessionName(session), permit), release: () => permit.release() }
    },
  }
}

/** Logs why the keys of the issuer could not be had: answers do not say it. */
const reportIssuer = (thrown: unknown) =>
  logError({
    message: 'keys of the token issuer could not be fetched',
    status: 503,
    ...(thrown instanceof Error && { error: thrown.message }),
  })

/** Ledger of requests that show ADMIN_TOKEN; null for any other. */
async function ownersLedger({ adminToken, tenants }: Config, { headers }: Request): Promise<LedgerApi | null> {
  const sent = bearerToken(headers)
  if (sent === null || adminToken === null || !(await sameSecret(sent, adminToken))) return null
  // A tenant of that id would have the same table, and none of its keys: digests of keys have the caller in them.
  return tenantClient(() => tenants.getByName(OWNER)).ledger
}

/** `/metrics`, where the settings switch it on. */
function metricsOf({ observing: { metricsToken }, adminToken, leases }: Config): readonly Dialect[] {
  if (metricsToken === null) return []
  const tokens = adminToken === null ? [metricsToken] : [metricsToken, adminToken]
  const running = () => leasesClient(leases).countRunning()
  return [metrics({ tokens, text: async () => isolateMetrics.text(SERVER_VERSION, await running().catch(() => null)) })]
}

const OWNER = 'owner-of-the-server'
/** Ids of tenants that the server itself needs. */
const stayingOf = ({ openTenant }: Config) => (openTenant === null ? [OWNER] : [OWNER, openTenant])

/**
 * Warms spare sandboxes, where they are kept for as long as the server runs: at the first request, and not at the first
 * command.
 */
async function warmSpares({ sandboxSpares: { count, keptMs }, leases }: Config): Promise<void> {
  if (count > 0 && keptMs === null) await leasesClient(leases).warmSpares()
}

/** Signer of child keys; null on a server with no secret that could sign. */
const signerOf = ({ childKeysSecret }: Config) => (childKeysSecret === null ? null : new ChildSigner(childKeysSecret))

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
