import type { Actor } from '../core/actor.ts'
import type { Expiry } from '../core/session-settings.ts'
import type { ToolPolicy } from '../registry/definition.ts'
import type { AuditNote } from './audit-log.ts'
import type { EndedCall } from './calls-api.ts'
import type { ChangedTool } from './tools-api.ts'

/** Number of allowed agents that an entry names. */
const NAMED_AGENTS = 20

/** Note of a call, or of several quick ones alike: how it ended and how long it took. */
export const callNote = ({
  callId,
  tool,
  made,
  version,
  startedAt,
  ms,
  failure,
  each,
  ...call
}: EndedCall): AuditNote => ({
  action: 'tool.call',
  by: { key: call.key, agent: call.agent },
  session: call.session,
  subject: tool,
  decision: failure === null ? 'done' : 'failed',
  reason: failure,
  ...(each && { count: each.ms.length }),
  detail: {
    call: callId,
    ...(made !== undefined && { made }),
    ...(version !== undefined && { version }),
    started_at: new Date(startedAt).toISOString(),
    ms,
  },
})

/** Note of a session that a request made, changed or deleted. */
export const sessionNote = (
  action: 'create' | 'update' | 'delete',
  session: string,
  by: Actor,
  detail?: AuditNote['detail'],
): AuditNote => ({
  action: `session.${action}`,
  by,
  session,
  subject: session,
  decision: 'done',
  ...(detail && { detail }),
})

/** Note of a session that was deleted at the end of a lifetime. */
export const expiryNote = (session: string, { at, by }: Expiry): AuditNote => ({
  action: 'session.expire',
  by: { key: null, agent: null },
  session,
  subject: session,
  decision: 'done',
  detail: { lifetime: by, expired_at: new Date(at).toISOString() },
})

/** Notes of the changes; a change without effect has none. */
export function changeNotes(changed: readonly ChangedTool[], by: Actor): AuditNote[] {
  return changed
    .filter(({ outcome }) => outcome !== 'unchanged')
    .map(({ id, op, version, outcome, breaking, staged, policy }) => ({
      action: op === 'put' ? (outcome === 'created' ? 'tool.create' : 'tool.update') : `tool.${op}`,
      by,
      subject: id,
      decision: 'done',
      detail: {
        ...(version !== null && { version }),
        ...(breaking && { breaking }),
        ...(staged && { staged }),
        ...(policy && policyDetail(policy)),
      },
    }))
}

const policyDetail = ({ enabled, allowed_agents }: ToolPolicy) => ({
  enabled,
  allowed_agents: allowed_agents?.slice(0, NAMED_AGENTS) ?? null,
  ...(allowed_agents && allowed_agents.length > NAMED_AGENTS && { allowed_agents_total: allowed_agents.length }),
})
