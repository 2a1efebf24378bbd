import type { Restrictions } from '../../../auth/restrictions.ts'
import { allowsSession } from '../../../auth/restrictions.ts'
import { type SessionName, sessionName } from '../../../core/ids.ts'

/** Session of calls that name none: `mcp`, or for a key of some sessions the first that it may use. */
export function usualSession(restrictions: Restrictions | undefined): SessionName {
  const usual = sessionName(USUAL)
  if (!restrictions || allowsSession(restrictions, usual)) return usual
  const candidates = restrictions.sessions.flatMap(({ names, prefixes }) => [
    ...names,
    ...prefixes.map((prefix) => `${prefix}${USUAL}`),
  ])
  return sessionName(candidates.find((name) => allowsSession(restrictions, name)) ?? USUAL)
}

const USUAL = 'mcp'
