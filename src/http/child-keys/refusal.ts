import type { AllowedSessions, Restrictions } from '../../auth/restrictions.ts'
import { fail } from '../../core/failure.ts'

/** Names that a refusal repeats of each list. */
const NAMED = 10

/** Scope that no child key has, so that the refusal is noted in the tenant's audit log. */
const NOTED = { data: { missingScope: 'all sessions' } }

/**
 * Refuses a session. The sentence is the same whether there is such a session or not.
 * @throws FailureError `forbidden`
 */
export function refuseSession({ sessions }: Restrictions): never {
  const may = sessions.map(sayAllowed).join(', of these ')
  fail('forbidden', `this key may use ${may} alone; ask whoever minted it for a key for more`, NOTED)
}

/** Refuses what concerns the whole tenant. @throws FailureError `forbidden` */
export function refuseWhole(what: string): never {
  fail(
    'forbidden',
    `this key is limited to some sessions or tools, so ${what}; ask whoever minted it for one without that limit`,
    NOTED,
  )
}

/** Refuses what is for callers of a tool, where a key may not call it. @throws FailureError `forbidden` */
export function requireTool({ tools }: Pick<Restrictions, 'tools'>, tool: string): void {
  if (tools !== null && !tools.includes(tool)) refuseWhole(`it may do that only with the tool ${tool}`)
}

function sayAllowed({ names, prefixes }: AllowedSessions): string {
  if (prefixes.length === 0) return `the sessions ${listed(names)}`
  const alike = `whose names begin with ${listed(prefixes)}`
  return names.length === 0 ? `the sessions ${alike}` : `the sessions ${listed(names)} and those ${alike}`
}

const listed = (names: readonly string[]) =>
  names
    .slice(0, NAMED)
    .map((name) => JSON.stringify(name))
    .join(', ') + (names.length > NAMED ? ` and ${names.length - NAMED} more` : '')
