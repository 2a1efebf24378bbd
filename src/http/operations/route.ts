import type { Context, Hono } from 'hono'
import * as z from 'zod'
import type { Scope } from '../../auth/principal.ts'
import { type AppEnv, type Services, servicesFor } from '../dialect.ts'
import { parseInput, readInput } from '../input.ts'
import { type Credential, type Guard, type GuardedOperation, isRaw, type Method, type Operation } from './operation.ts'
import { refuseBody, refuseUnknownQuery } from './unknown-parts.ts'

/** An operation at its place. `path` is Hono's: `/v1/sessions/:session/files/:path{.+}`. */
export interface Route {
  readonly method: Method
  readonly path: string
  readonly operation: GuardedOperation
  /** Credentials of which a request needs one, and the scope that a key needs. */
  readonly credentials: readonly Credential[]
  readonly scope?: Scope
}

/** Parts of a request, checked by the operation's schemas. A raw body is left to the handler. */
interface Given<Query extends z.ZodType, Body extends z.ZodType> {
  readonly query: z.output<Query>
  readonly body: z.output<Body>
}

type Handle<More, Path extends string, Query extends z.ZodType, Body extends z.ZodType> = (
  c: Context<AppEnv, Path>,
  given: Given<Query, Body> & More,
) => Response | Promise<Response>

const routes = new WeakMap<Hono<AppEnv>, Route[]>()

/**
 * Adds an operation to an app: checks the caller's scope, the query and the body, in this order, and then handles the request. What the
 * operation does not take is refused by its name. The handler's answers must be among those of the operation; tests compare them.
 * @throws (while serving) FailureError `unauthenticated`, `forbidden`, `invalid_input`, `limit_exceeded`
 */
export function route<Path extends string, Query extends z.ZodType, Body extends z.ZodType>(
  app: Hono<AppEnv>,
  method: Method,
  path: Path,
  { scope, ...operation }: Operation<Query, Body>,
  handle: Handle<{ readonly services: Services }, Path, Query, Body>,
): void {
  const guard: Guard<Services> = { credentials: ['key'], scope, allow: (c) => servicesFor(c, scope) }
  guardedRoute(app, method, path, guard, operation, (c, { allowed, ...given }) =>
    handle(c, { services: allowed, ...given }),
  )
}

/** Adds an operation whose callers a guard judges; otherwise as {@link route}. `allowed` is what the guard returned. */
export function guardedRoute<Path extends string, Query extends z.ZodType, Body extends z.ZodType, Allowed>(
  app: Hono<AppEnv>,
  method: Method,
  path: Path,
  { allow, credentials, scope }: Guard<Allowed>,
  operation: GuardedOperation<Query, Body>,
  handle: Handle<{ readonly allowed: Allowed }, Path, Query, Body>,
): void {
  const { query, body, parse, bodyIsOptional } = operation
  const described = { method, path, operation: operation as unknown as GuardedOperation, credentials }
  routes.set(app, [...(routes.get(app) ?? []), { ...described, ...(scope && { scope }) }])
  const checked = body === undefined || Array.isArray(body) || isRaw(body as Body) ? undefined : (body as Body)
  const known = query instanceof z.ZodObject ? Object.keys(query.shape) : []
  app.on(method.toUpperCase(), path, async (c: Context<AppEnv, Path>) => {
    const allowed = await allow(c)
    const sent = query || c.req.url.includes('?') ? c.req.query() : {}
    refuseUnknownQuery(sent, known)
    if (body === undefined) await refuseBody(c.req.raw)
    const given = {
      query: query && parseInput(sent, query),
      body: checked && (await readInput(c.req.raw, checked, { parse, isOptional: bodyIsOptional })),
    }
    return handle(c, { allowed, ...given } as Given<Query, Body> & { readonly allowed: Allowed })
  })
}

/** Operations of an app, in the order in which they were added. */
export const routesOf = (app: Hono<AppEnv>): readonly Route[] => routes.get(app) ?? []
