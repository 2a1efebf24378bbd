import { type Context, type ErrorHandler, Hono } from 'hono'
import type { SignedIn } from '../auth/console/console-sessions.ts'
import { may, type Principal, type Scope } from '../auth/principal.ts'
import { type Failure, FailureError, fail, toFailure } from '../core/failure.ts'
import type { SessionName } from '../core/ids.ts'
import type { TenantInternet } from '../core/tenant-internet.ts'
import type { Http } from '../ports/http.ts'
import type { Market } from '../ports/market.ts'
import type { McpServers } from '../ports/mcp-servers.ts'
import type { PaperStore, Papers } from '../ports/papers.ts'
import type { Reader } from '../ports/reader.ts'
import type { SessionApi } from '../session/api.ts'
import type { Caller, OpenQuestionsApi, TenantApi } from '../tenant/api.ts'
import type { ToolInfo, ToolkitInfo } from '../tools/registry.ts'
import type { GoOn } from './idempotency/go-on.ts'
import { rateLimitHeaders } from './rate-limit-headers.ts'
import type { SessionEnvironment } from './session-environment.ts'
import type { TenantTools } from './tenant-tools.ts'

/** Parts of the core that a dialect may use, for the principal of one request. */
export interface Services {
  readonly tools: readonly ToolInfo[]
  readonly toolkits: readonly ToolkitInfo[]
  /** Current tools that the caller's tenant registered. */
  registeredTools(): Promise<TenantTools>
  /** The caller's own session of that name, existing or not; no other tenant's can be named. */
  session(name: SessionName): SessionApi
  /** The caller's own session with that node id; null for another tenant's as for an unknown one. */
  node(nodeId: string): Promise<SessionApi | null>
  readonly tenant: TenantApi
  /** Environment of commands in the caller's sessions; null where it is not known. */
  readonly environment: SessionEnvironment | null
  /** Internet policies of the caller's tenant. */
  internetPolicies(): Promise<TenantInternet>
  /** False where it is known that no sandbox can be kept from the network, or from a part of it. */
  readonly canDenyInternet: boolean
  /** Public part of the caller's key; null on a local server without keys. */
  readonly key: string | null
  /** Whether that key has the scope `admin`. */
  readonly mayAdmin: boolean
  /** Open questions to people, which a key that calls `human_in_loop` may list. */
  readonly questions: OpenQuestionsApi
  /** Published tools, as the caller sees them. */
  readonly market: Market
  /** Papers that the caller sees, and the store of its own; null when another service has them. */
  readonly papers: (Papers & PaperStore) | null
  /** Guarded HTTP, for addresses that a caller names. */
  readonly http: Http
  /** Remote MCP servers, for addresses that a caller names. */
  readonly mcpServers: McpServers
  /** Parser of files that the caller sends, for its tenant. */
  readonly reader: Reader
  /** Wall-clock milliseconds since 1970. */
  now(): number
}

/** Context of each request from the app to a dialect. Its credential is checked already. */
export interface RequestScope {
  /** Caller of the request, or the refusal of a bad or missing credential. */
  readonly caller: { readonly principal: Principal; readonly services: Services } | { readonly failure: Failure }
  /** The caller's session of the console, where the request came by its cookie. */
  readonly signedIn?: SignedIn
  /** IP address of the client; null or absent where it is not known. */
  readonly address?: string | null
  /** Name of this request in answers and in the log. Sent as `X-Request-Id` in every dialect. */
  readonly requestId: string
  /**
   * Counts an event stream.
   * @returns a function to call at its end
   * @throws FailureError `rate_limited`
   */
  openStream?(): () => void
  /** The answer, until whose end the request counts as at work: a stream is returned before the work is done. */
  atWork?(answer: Response): Response
  /** Has work continue when the client leaves; without it, work may end with its request. */
  readonly goOn?: GoOn
  /** Logs a thrown value; answers never show it. */
  report?(thrown: unknown): void
  /** Marks a 5xx answer as one about a tool or a caller, as some clients expect it: the log has no line for it. */
  serverIsWell?(): void
}
export type AppEnv = { Bindings: RequestScope }

/** One wire vocabulary over the one core. */
export interface Dialect {
  readonly name: string
  /**
   * Whether a request belongs to this dialect. No two dialects own one path; where two of the published servers share one,
   * the dialect that comes first takes the requests that only its own clients send, by their headers.
   */
  owns(path: string, headers: Headers): boolean
  /**
   * How the idempotency key of a request that may change something is kept: `with calls` for one that makes calls of a session and
   * changes nothing else, `not` for one that only reads, by whatever method. Any other is kept with its answer.
   */
  keepsKey?(path: string): 'with calls' | 'not' | undefined
  readonly app: DialectApp
}

type Render = (c: Context<AppEnv>, failure: Failure) => Response | Promise<Response>

/** Dialect's app, which renders thrown failures, a refused credential among them, in the dialect's own form. */
export const dialectApp = (render: Render) => new DialectApp(render)

/** An app that can answer a failure that none of its routes threw. */
export class DialectApp extends Hono<AppEnv> {
  readonly #refusing = new Hono<AppEnv>()

  constructor(render: Render) {
    super({ strict: false })
    const onError: ErrorHandler<AppEnv> = async (thrown, c) => {
      c.env.report?.(thrown)
      const failure = toFailure(thrown)
      if (failure.data?.missingScope !== undefined) await noteDenied(c)
      const response = await render(c, failure)
      for (const [name, value] of Object.entries(rateLimitHeaders(failure))) response.headers.set(name, value)
      return response
    }
    this.onError(onError)
    this.#refusing.onError(onError)
    this.#refusing.all('*', (c) => {
      throw new FailureError((c.env as Refused).refused)
    })
  }

  /** Answer to a request that is refused before any route sees it, in the dialect's own form. */
  async refuse(request: Request, scope: RequestScope, refused: Failure): Promise<Response> {
    return this.#refusing.fetch(request, { ...scope, refused } satisfies Refused)
  }
}

type Refused = RequestScope & { readonly refused: Failure }

/**
 * Records a denial in the tenant's audit log, which bounds what a flood of them leaves there. The answer is the same when that
 * fails.
 */
async function noteDenied(c: Context<AppEnv>): Promise<void> {
  const { caller, report } = c.env
  if ('failure' in caller) return
  const { key, tenant } = caller.services
  // Further segments of a path are a tenant's own names.
  const route = new URL(c.req.url).pathname.split('/', 3).join('/')
  try {
    await tenant.audit.noteDenied({ key, agent: null }, `${c.req.method} ${route}`)
  } catch (thrown) {
    report?.(thrown)
  }
}

/**
 * Caller of a session's calls.
 * @param agent the caller's own name, where a dialect has a field for it
 */
export const callerOf = (
  { key, mayAdmin }: Pick<Services, 'key' | 'mayAdmin'>,
  agent: string | null = null,
): Caller => ({
  key,
  agent,
  mayAdmin,
})

/**
 * Refuses a request without a permit before its body is read, for routes that read the body before they check the
 * credential.
 * @throws FailureError `rate_limited`
 */
export function refuseWhenBusy({ env: { caller } }: Context<AppEnv>): void {
  if ('failure' in caller && caller.failure.code === 'rate_limited') throw new FailureError(caller.failure)
}

/**
 * Services of the caller, if it has the scope.
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
