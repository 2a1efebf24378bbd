import { d1KeyStore } from './adapters/keys-d1.ts'
import { createAuthenticate } from './auth/authenticate.ts'
import type { Principal } from './auth/principal.ts'
import { type Config, parseConfig } from './config.ts'
import { sessionKey } from './core/ids.ts'
import { createApp } from './http/app.ts'
import type { Dialect, Services } from './http/dialect.ts'
import { admin } from './http/dialects/admin/routes.ts'
import { logError } from './http/log.ts'
import { problemResponse, toProblem } from './http/problem.ts'
import type { Clock } from './ports/clock.ts'
import type { KeyStore } from './ports/keys.ts'
import type { SessionApi } from './session/api.ts'
import type { TenantApi } from './tenant/api.ts'

export interface Server {
  fetch(request: Request): Promise<Response>
}

interface Shared {
  readonly config: Config
  readonly keys: KeyStore
  readonly clock: Clock
}

/** Who answers which paths: no two own one path. */
const DIALECTS: readonly ((shared: Shared) => Dialect)[] = [
  ({ config, keys, clock }) => admin({ keys, clock, adminToken: config.adminToken }),
]

const clock: Clock = { now: () => Date.now() }

/** The whole server for one environment. Make one per isolate: it holds the cache of keys. */
export function createServer(env: unknown): Server {
  const parsed = parseConfig(env)
  if (!parsed.ok) return refuseToServe(parsed.problems)
  const { config } = parsed
  const keys = d1KeyStore(config.db)
  return createApp({
    dialects: DIALECTS.map((dialect) => dialect({ config, keys, clock })),
    authenticate: createAuthenticate({ keys, clock, openTenant: config.openTenant }),
    services: (principal) => servicesOf(config, principal),
  })
}

/** The one place where a principal becomes names of objects; a name that a caller chose is always below its tenant. */
const servicesOf = ({ sessions, tenants }: Config, { tenant }: Principal): Services => ({
  tools: [],
  session: (name) => sessions.getByName(sessionKey(tenant, name)) as unknown as SessionApi,
  tenant: tenants.getByName(tenant) as unknown as TenantApi,
  now: clock.now,
})

/** A server that is wrongly set up answers nobody, and its log says why. */
function refuseToServe(problems: readonly string[]): Server {
  const message = 'the server is not set up correctly; its log says what to change'
  return {
    async fetch() {
      const requestId = crypto.randomUUID()
      logError({ message: 'configuration refused', requestId, status: 500, error: problems.join('; ') })
      return problemResponse({ ...toProblem({ code: 'internal', message }, requestId), retryable: false })
    },
  }
}
