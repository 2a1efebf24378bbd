import type { Context } from 'hono'
import { getCookie } from 'hono/cookie'
import type { Scope } from '../../../auth/principal.ts'
import type { ToolCall } from '../../../core/outcome.ts'
import type { SessionApi } from '../../../session/api.ts'
import { type AppEnv, callerOf, type Services, servicesFor } from '../../dialect.ts'

export const COOKIE = 'node_id'

const MAX_SHOWN_CHARS = 100

/** Node id that the request shows, and its form in errors: an absent one is Python's `None`. */
export function shownNode(c: Context<AppEnv>): { readonly id: string | null; readonly shown: string } {
  const given = getCookie(c, COOKIE)
  const id = given !== undefined && /^[0-9a-f]{64}$/.test(given) ? given : null
  return { id, shown: given === undefined ? 'None' : given.slice(0, MAX_SHOWN_CHARS) }
}

/**
 * Visits the node that the request shows, with a call or without; this counts as use of the node. The cookie alone opens
 * nothing: it is looked up among the nodes of the caller's tenant only.
 * @returns the refusal when there is no such node or it does not run: nothing was called then
 */
export async function visitNode(c: Context<AppEnv>, services: Services, call?: ToolCall) {
  const { id, shown } = shownNode(c)
  const session = id === null ? null : await services.node(id)
  const visit = session && id !== null ? await session.visit(id, call, callerOf(services)) : null
  if (!session || !visit) return { refusal: c.json({ detail: invalidNode(shown) }, 403) }
  if (visit.state !== 'running') return { refusal: c.json({ detail: `node is not running: ${shown}` }, 503) }
  return { session, outcome: visit.outcome }
}

/** A route on the session of the node that the request shows, if it runs. */
export const onNode =
  (scope: Scope, answer: (session: SessionApi, c: Context<AppEnv>) => Response | Promise<Response>) =>
  async (c: Context<AppEnv>): Promise<Response> => {
    const { refusal, session } = await visitNode(c, servicesFor(c, scope))
    return refusal ?? answer(session, c)
  }

export const invalidNode = (shown: string) => `invalid node_id: ${shown}`

/** Session cookie for a browser or an HTTP library on the same host; no other attribute: over http `Secure` would lose it. */
export const setCookie = (nodeId: string) => `${COOKIE}=${nodeId}; Path=/; SameSite=lax`
