import type { Restrictions } from '../../../auth/restrictions.ts'
import { allowsSession } from '../../../auth/restrictions.ts'
import { type SessionName, sessionName } from '../../../core/ids.ts'

/** Session of calls that name none: `mcp`, or for a key of some sessions the first that it may use. */
export const usualSession = (restrictions: Restrictions | undefined): SessionName => sessionFor(USUAL, restrictions)

/** Session of a connection's calls that name none, by the connection's id: its own, as far as the key may have one. */
export const connectionSession = (id: string, restrictions: Restrictions | undefined): SessionName =>
  sessionFor(`${USUAL}_${id.slice(0, 12)}`, restrictions)

function sessionFor(wanted: string, restrictions: Restrictions | undefined): SessionName {
  const usual = sessionName(wanted)
  if (!restrictions || allowsSession(restrictions, usual)) return usual
  const candidates = restrictions.sessions.flatMap(({ names, prefixes }) => [
    ...names,
    ...prefixes.map((prefix) => `${prefix}${wanted}`),
  ])
  return sessionName(candidates.find((name) => allowsSession(restrictions, name)) ?? wanted)
}

const USUAL = 'mcp'
