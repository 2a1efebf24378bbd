import { type Context, Hono } from 'hono'
import { may, type Principal, type Scope } from '../auth/principal.ts'
import { type Failure, FailureError, fail, toFailure } from '../core/failure.ts'
import type { SessionName } from '../core/ids.ts'
import type { Http } from '../ports/http.ts'
import type { Market } from '../ports/market.ts'
import type { PaperStore, Papers } from '../ports/papers.ts'
import type { Reader } from '../ports/reader.ts'
import type { SessionApi } from '../session/api.ts'
import type { Caller, TenantApi } from '../tenant/api.ts'
import type { ToolInfo, ToolkitInfo } from '../tools/registry.ts'
import { rateLimitHeaders } from './rate-limit-headers.ts'
import type { TenantTools } from './tenant-tools.ts'

/** What a dialect may reach of the core, for the principal of one request. */
export interface Services {
  readonly tools: readonly ToolInfo[]
  readonly toolkits: readonly ToolkitInfo[]
  /** What the caller's tenant registered, as it is now. */
  registeredTools(): Promise<TenantTools>
  /** The caller's own session of that name, whether it exists or not; no other tenant's can be named. */
  session(name: SessionName): SessionApi
  /** The caller's own session with that node id; null for another tenant's, as for one that there is not. */
  node(nodeId: string): Promise<SessionApi | null>
  readonly tenant: TenantApi
  /** The public part of the key that asks; null on a local server without keys. */
  readonly key: string | null
  /** Whether that key has the scope `admin`. */
  readonly mayAdmin: boolean
  /** Tools that tenants publish, as the caller sees them. */
  readonly market: Market
  /** The papers that the caller sees, and where its own are put; null when another service has them. */
  readonly papers: (Papers & PaperStore) | null
  /** The guarded way out, for what a caller names by its address. */
  readonly http: Http
  /** Reads files that the caller sends, for its tenant. */
  readonly reader: Reader
  /** Wall-clock milliseconds since 1970. */
  now(): number
}

/** What the app hands to a dialect with each request: the credential was checked already. */
export interface RequestScope {
  /** The refusal of a credential that was sent and is not good, or that is missing. */
  readonly caller: { readonly principal: Principal; readonly services: Services } | { readonly failure: Failure }
  /** Names this request in answers and in the log. Sent as `X-Request-Id` whatever the dialect does. */
  readonly requestId: string
  /** Counts an event stream. @returns what is called at its end @throws FailureError `rate_limited` */
  openStream?(): () => void
  /** Takes what was thrown, for the log; never for the answer. */
  report?(thrown: unknown): void
  /** Says that a 5xx answer tells of what a tool or a caller did, as some clients expect it: the log has no line for it. */
  serverIsWell?(): void
}
export type AppEnv = { Bindings: RequestScope }

/** One wire vocabulary over the one core. */
export interface Dialect {
  readonly name: string
  /**
   * True where a request belongs to this dialect. No two dialects own one path; where two of the published servers have
   * the same one, the dialect that comes first takes those requests that only its own clients send, by their headers.
   */
  owns(path: string, headers: Headers): boolean
  readonly app: Hono<AppEnv>
}

/** An app whose thrown failures, a refused credential among them, come out in the dialect's own words. */
export function dialectApp(render: (c: Context<AppEnv>, failure: Failure) => Response | Promise<Response>) {
  const app = new Hono<AppEnv>({ strict: false })
  app.onError(async (thrown, c) => {
    c.env.report?.(thrown)
    const failure = toFailure(thrown)
    if (failure.data?.missingScope !== undefined) await noteDenied(c)
    const response = await render(c, failure)
    for (const [name, value] of Object.entries(rateLimitHeaders(failure))) response.headers.set(name, value)
    return response
  })
  return app
}

/** For the tenant's audit log, which bounds what a flood of them leaves there. The answer is the same when that fails. */
async function noteDenied(c: Context<AppEnv>): Promise<void> {
  const { caller, report } = c.env
  if ('failure' in caller) return
  const { key, tenant } = caller.services
  // What stands further behind in a path is a tenant's own name of something.
  const route = new URL(c.req.url).pathname.split('/', 3).join('/')
  try {
    await tenant.noteDenied({ key, agent: null }, `${c.req.method} ${route}`)
  } catch (thrown) {
    report?.(thrown)
  }
}

/** Who calls in a session. @param agent what the caller calls itself, where a dialect has a word for it */
export const callerOf = (
  { key, mayAdmin }: Pick<Services, 'key' | 'mayAdmin'>,
  agent: string | null = null,
): Caller => ({
  key,
  agent,
  mayAdmin,
})

/**
 * For routes that read the body before they ask who calls: a request that found no place is not read.
 * @throws FailureError `rate_limited`
 */
export function refuseWhenBusy({ env: { caller } }: Context<AppEnv>): void {
  if ('failure' in caller && caller.failure.code === 'rate_limited') throw new FailureError(caller.failure)
}

/**
 * The services of the caller, if it may do that.
 * @throws FailureError `unauthenticated` without a good key, `forbidden` when the key lacks the scope
 */
export function servicesFor(c: Context<AppEnv>, scope: Scope): Services {
  const { caller } = c.env
  if ('failure' in caller) throw new FailureError(caller.failure)
  if (!may(caller.principal, scope)) {
    fail('forbidden', `this key may not do that: it lacks the scope "${scope}"; ask the owner for a key that has it`, {
      data: { missingScope: scope },
    })
  }
  return caller.services
}
