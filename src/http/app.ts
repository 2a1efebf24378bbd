import type { Authenticate, Authentication } from '../auth/authenticate.ts'
import type { ConsoleSessions, SignedIn } from '../auth/console/console-sessions.ts'
import type { Principal } from '../auth/principal.ts'
import { isTokenKeyId } from '../auth/token.ts'
import type { CallOrigin } from '../core/call-origin.ts'
import { FailureError, toFailure } from '../core/failure.ts'
import type { MemoryRoom } from '../core/memory-room.ts'
import { redact } from '../core/redact.ts'
import { readTraceparent, type TraceContext } from '../core/trace-context.ts'
import type { LedgerApi } from '../tenant/ledger-api.ts'
import { holdingItsBody } from './admission/held-bodies.ts'
import { neededSlots } from './admission/needed-slots.ts'
import { type Permit, UNCOUNTED } from './admission/permit.ts'
import type { RequestScheduler } from './admission/scheduler.ts'
import { untilEnd } from './admission/until-end.ts'
import { type Received, receive } from './authenticate.ts'
import { AttendedCalls, prefersCancel } from './cancel-on-disconnect.ts'
import type { ClientAddress } from './client-address.ts'
import { countedToken, isForOwnOrigin, refuseWithoutCsrf } from './console/cookie.ts'
import { allowOrigin, preflightAnswer } from './cors.ts'
import type { Dialect, RequestScope, Services } from './dialect.ts'
import { answerOnce } from './idempotency/answer-once.ts'
import { CallKeys } from './idempotency/call-keys.ts'
import type { GoOn } from './idempotency/go-on.ts'
import { hasIdempotencyKey } from './idempotency/key.ts'
import { type Log, logError } from './log.ts'
import { insufficientScope, type ProtectedResource, unauthenticated } from './oauth/protected-resource.ts'
import { withOwnHeaders } from './own-headers.ts'
import { failureResponse } from './problem.ts'
import { rateLimitHeaders } from './rate-limit-headers.ts'
import { refuseForeignPage, refuseForged } from './same-machine.ts'
import { whileKeyIsGood } from './while-key-is-good.ts'

interface Parts {
  readonly dialects: readonly Dialect[]
  readonly authenticate: Authenticate
  /** Sessions of the console; without them its cookie means nothing. */
  readonly consoleSessions?: Pick<ConsoleSessions, 'judge' | 'noteUse'> | null
  /** The owner's secret, which a request gets when its sender signed in to the console with it. */
  readonly adminToken?: string | null
  /** Address of a request's client; without it none is known. */
  readonly clientAddress?: ClientAddress
  /** Notes the use of a key. @returns the writing, when one is due */
  noteUse?(keyId: string | null): Promise<void> | null
  /** Services for this caller: its own tenant's and no other's. */
  services(principal: Principal, permit: Permit, keys?: CallKeys | null, origin?: CallOrigin): Services
  /** Ledger of the server's owner for a request of its own; null for any other. */
  ownersLedger?(request: Request): Promise<LedgerApi | null>
  /** Facts about tokens for clients; null on a server that takes none. */
  readonly protectedResource?: ProtectedResource | null
  readonly scheduler: Pick<RequestScheduler, 'enter'>
  /** Room for large bodies; without it there is no limit. */
  readonly bodyRoom?: Pick<MemoryRoom, 'take'>
  /** Whether this server runs on somebody's machine, with no platform before it that judges requests. */
  readonly isLocal: boolean
  readonly log?: Log
  /** Makes traces of requests that come with none; without it they have none. */
  readonly newTrace?: (() => TraceContext) | null
  readonly now?: () => number
}

const PROBES: ReadonlySet<string> = new Set(['/health', '/health/', '/alive'])

/** Sender of a request. */
interface Identified {
  readonly authentication: Authentication
  /** The sender's session of the console; null for a key, and for a cookie that is not good. */
  readonly signedIn: SignedIn | null
  /** Judges the credential again; null for a request without one. */
  readonly again: (() => Promise<Authentication>) | null
}

interface Admitted {
  readonly caller: RequestScope['caller']
  /** Absent for a caller that is refused. */
  readonly permit?: Permit
}

/**
 * The server's app, which hands a request to the dialect that owns its path. Dialects are separate apps and not mounted in one:
 * there, one dialect's middleware would run for its neighbours, and its own error for an unknown path would never be used.
 */
export function createApp({
  dialects,
  authenticate,
  consoleSessions = null,
  adminToken = null,
  clientAddress = () => null,
  noteUse = () => null,
  services,
  ownersLedger = async () => null,
  protectedResource = null,
  scheduler,
  bodyRoom,
  isLocal,
  log = logError,
  newTrace = null,
  now = Date.now,
}: Parts) {
  async function answer(request: Request, requestId: string, goOn: GoOn): Promise<Response> {
    const forged = isLocal ? refuseForged(request.headers) : null
    if (forged) return failureResponse(forged, requestId)
    const preflight = preflightAnswer(request)
    if (preflight) return preflight

    const received = receive(request)
    const { pathname } = received.url
    const dialect = dialects.find(({ owns }) => owns(pathname, request.headers))
    if (!dialect) return Response.json({ detail: 'Not Found' }, { status: 404 })

    let thrown: unknown
    let isWell = false
    let isAtWork = false
    const isKeyed = hasIdempotencyKey(received.request)
    const attended = prefersCancel(request) ? new AttendedCalls(Date.now) : null
    const keys = isKeyed || attended ? new CallKeys(attended) : null
    const address = clientAddress(request)
    const { authentication, signedIn, again } = await identify(request, received, address)
    const served = signedIn && adminToken !== null ? asOwner(received, signedIn, adminToken) : received
    const { caller, permit } = await admit(served, authentication, keys, {
      dialect: dialect.name,
      requestId,
      trace: readTraceparent(request.headers.get('traceparent')) ?? newTrace?.() ?? null,
    })
    const noted = signedIn && consoleSessions?.noteUse(signedIn.session)
    if (noted) goOn(noted)
    if ('principal' in caller) {
      const noted = noteUse(caller.principal.keyId)
      if (noted) goOn(noted)
    }
    const scope: RequestScope = {
      caller,
      ...(signedIn && { signedIn }),
      address,
      requestId,
      goOn,
      ...(permit && {
        openStream: permit.openStream,
        atWork: (answer: Response) => {
          if (!answer.body) return answer
          isAtWork = true
          return new Response(untilEnd(answer.body, permit.release), answer)
        },
      }),
      report: (what) => {
        thrown = what
      },
      serverIsWell: () => {
        isWell = true
      },
    }
    let response: Response
    try {
      const handle = async () =>
        isKeyed && keys
          ? answerOnce({ dialect, request: served.request, scope, keys, ownersLedger, goOn })
          : dialect.app.fetch(served.request, scope)
      const answer = await (attended ? attended.until(request.signal, handle, goOn) : handle())
      response = withOwnHeaders(whileKeyIsGood(answer, { again, now }))
    } catch (what) {
      thrown = what
      isAtWork = false
      response = Response.json({ detail: 'Internal Server Error' }, { status: 500 })
    } finally {
      if (!isAtWork) permit?.release()
    }
    if (protectedResource && response.status === 401 && !response.headers.has('WWW-Authenticate')) {
      const isRefused = received.credentials.length > 0
      response.headers.set('WWW-Authenticate', unauthenticated(protectedResource, received.url, isRefused))
    }
    const missing = protectedResource && 'principal' in caller && missingScope(caller.principal, thrown)
    if (missing && response.status === 403) {
      response.headers.set('WWW-Authenticate', insufficientScope(protectedResource, received.url, missing))
    }
    if ('failure' in caller && response.status === 429) {
      for (const [name, value] of Object.entries(rateLimitHeaders(caller.failure))) response.headers.set(name, value)
    }
    if ((response.status >= 500 && !isWell) || (thrown !== undefined && !(thrown instanceof FailureError))) {
      log({
        message: 'request failed',
        requestId,
        method: request.method,
        route: routeOf(pathname),
        dialect: dialect.name,
        status: response.status,
        ...(thrown === undefined ? {} : { error: redact(describe(thrown)) }),
      })
    }
    return response
  }

  /** Judges the credential: a key, or else the console's cookie, where that counts. Never throws. */
  async function identify(request: Request, received: Received, address: string | null): Promise<Identified> {
    const { credentials } = received
    const token = consoleSessions === null ? null : countedToken(request, received)
    if (token === null || consoleSessions === null) {
      const judge = () => authenticate(credentials, address)
      return { authentication: await judge(), signedIn: null, again: credentials.length > 0 ? judge : null }
    }
    const again = async () => (await consoleSessions.judge(token, address)).authentication
    try {
      const { authentication, signedIn } = await consoleSessions.judge(token, address)
      const forged = signedIn && (await refuseWithoutCsrf(request, signedIn))
      if (forged) return { authentication: { failure: forged }, signedIn: null, again }
      return { authentication, signedIn, again }
    } catch (thrown) {
      return { authentication: { failure: toFailure(thrown) }, signedIn: null, again }
    }
  }

  /** Waits for the tenant's turn. Requests without a good credential do not wait. */
  async function admit(
    { credentials, request, url }: Received,
    caller: Authentication,
    keys: CallKeys | null,
    origin: CallOrigin,
  ): Promise<Admitted> {
    if ('failure' in caller) return { caller }
    const { principal } = caller
    const refused = principal.keyId === null ? refuseForeignPage(url, request.headers) : null
    if (refused) return { caller: { failure: refused } }
    // Health checks also come while the tenant keeps the server busy.
    if (credentials.length === 0 && PROBES.has(url.pathname))
      return { caller: { principal, services: services(principal, UNCOUNTED) } }
    let permit: Permit
    try {
      const { tenant } = principal
      permit = await scheduler.enter(tenant, neededSlots(request))
      if (bodyRoom) permit = holdingItsBody(permit, request, { room: bodyRoom, tenant })
    } catch (thrown) {
      return { caller: { failure: toFailure(thrown) } }
    }
    return {
      caller: { principal, services: services(principal, permit, keys, origin) },
      permit,
    }
  }

  return {
    /** @param goOn has work continue when the client leaves */
    async fetch(request: Request, goOn: GoOn = () => {}): Promise<Response> {
      const requestId = requestIdOf(request)
      const response = await answer(request, requestId, goOn)
      if (!isForOwnOrigin(request)) allowOrigin(request, response.headers)
      response.headers.set('X-Request-Id', requestId)
      response.headers.set('X-Content-Type-Options', 'nosniff')
      // A page reached through /k/<key>/… would name the key to every site it links to.
      response.headers.set('Referrer-Policy', 'no-referrer')
      if (response.status === 401 && !response.headers.has('WWW-Authenticate'))
        response.headers.set('WWW-Authenticate', 'Bearer realm="toolyard"')
      return response
    },
  }
}

/** The request of somebody who signed in as the owner of the server, as if it had come with the owner's token; any other as it is. */
function asOwner(received: Received, { session }: SignedIn, adminToken: string): Received {
  if (session.tenant !== null) return received
  const request = new Request(received.request)
  request.headers.set('Authorization', `Bearer ${adminToken}`)
  return { ...received, request }
}

/** Scope that a token would need for what was refused; null for a refusal of another kind, or of a key. */
function missingScope({ keyId }: Principal, thrown: unknown): string | null {
  if (!isTokenKeyId(keyId) || !(thrown instanceof FailureError)) return null
  const scope = thrown.failure.data?.missingScope
  return scope === 'read' || scope === 'execute' || scope === 'admin' ? scope : null
}

/** Request id: Cloudflare's own, so that both logs can be laid side by side; else a random one. */
function requestIdOf({ headers }: Request): string {
  const ray = headers.get('cf-ray')
  return ray !== null && /^[0-9A-Za-z-]{1,64}$/.test(ray) ? ray : crypto.randomUUID()
}

/** The first two segments of a path. Further ones are a tenant's (task ids, file names), and so is a long one. */
const routeOf = (pathname: string) =>
  pathname
    .split('/', 3)
    .map((name) => (/^[\w.-]{0,32}$/.test(name) ? name : '*'))
    .join('/')

function describe(thrown: unknown): string {
  if (!(thrown instanceof Error)) return typeof thrown
  const { cause, stack } = thrown
  const own = stack ?? `${thrown.name}: ${thrown.message}`
  return cause instanceof Error ? `${own}\ncaused by ${cause.name}: ${cause.message}` : own
}
