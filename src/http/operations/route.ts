import type { Context, Hono } from 'hono'
import type * as z from 'zod'
import { type AppEnv, type Services, servicesFor } from '../dialect.ts'
import { parseInput, readInput } from '../input.ts'
import { isRaw, type Method, type Operation } from './operation.ts'

/** An operation at its place. `path` is Hono's: `/v1/sessions/:session/files/:path{.+}`. */
export interface Route {
  readonly method: Method
  readonly path: string
  readonly operation: Operation
}

/** What a request gave, checked by the operation's schemas. A raw body is left to the handler. */
interface Given<Query extends z.ZodType, Body extends z.ZodType> {
  readonly services: Services
  readonly query: z.output<Query>
  readonly body: z.output<Body>
}

const routes = new WeakMap<Hono<AppEnv>, Route[]>()

/**
 * Adds an operation to an app: checks the caller's scope, the query and the body, in this order, and then handles the request. The
 * handler's answers must be among those of the operation; a test compares them.
 * @throws (while serving) FailureError `unauthenticated`, `forbidden`, `invalid_input`, `limit_exceeded`
 */
export function route<Query extends z.ZodType, Body extends z.ZodType>(
  app: Hono<AppEnv>,
  method: Method,
  path: string,
  operation: Operation<Query, Body>,
  handle: (c: Context<AppEnv>, given: Given<Query, Body>) => Response | Promise<Response>,
): void {
  const { scope, query, body, parse } = operation
  const known = routes.get(app) ?? []
  routes.set(app, [...known, { method, path, operation: operation as unknown as Operation }])
  app.on(method.toUpperCase(), path, async (c) => {
    const services = servicesFor(c, scope)
    const given = {
      services,
      query: query && parseInput(c.req.query(), query),
      body: body && !isRaw(body) ? await readInput(c.req.raw, body, parse) : undefined,
    }
    return handle(c, given as Given<Query, Body>)
  })
}

/** Operations of an app, in the order in which they were added. */
export const routesOf = (app: Hono<AppEnv>): readonly Route[] => routes.get(app) ?? []
