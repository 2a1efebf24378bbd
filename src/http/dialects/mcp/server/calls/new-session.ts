import { failureWith, orNull } from '../../../../../core/failure.ts'
import type { SessionName } from '../../../../../core/ids.ts'
import type { callInSession } from '../../../../first-call.ts'
import { nearestSession } from '../../../../nearest-session.ts'
import type { McpContext } from '../../context.ts'

/**
 * How a session is made at its first call: the one that the address binds, and the usual one, are; one that a caller names has
 * to be there, since a new one would lack the files that are looked for.
 */
export function newSession(
  { endpoint, usualSession, services }: McpContext,
  session: SessionName,
): Parameters<typeof callInSession>[3] {
  if (session === endpoint.session || (endpoint.session === null && session === usualSession)) return { title: session }
  return {
    title: session,
    async whyNot() {
      const nearest = await orNull(nearestSession(session, services.tenant), 'forbidden')
      const instead =
        nearest === null
          ? 'session_create makes one, and without session the usual one is used'
          : `did you mean ${nearest}?`
      return failureWith('session_not_found', `there is no session ${session.slice(0, 100)}; ${instead}`)
    },
  }
}
