import { failureWith, RefusalError } from '../core/failure.ts'
import type { Caller } from '../tenant/api.ts'
import type { AuditApi } from '../tenant/audit-api.ts'

/** Tools that only pass a call on to another tool, whose own name counts. */
export const PASS_ON: ReadonlySet<string> = new Set(['registered_call', 'own_tool_call', 'python_action_call'])

/** Names of allowed tools that a refusal repeats. */
const NAMED = 20

/** Whether the caller's key may call a tool that it names in the toolbox: by its id, without a version. */
export const mayCall = ({ restrictions }: Caller, tool: string): boolean =>
  restrictions === undefined || restrictions.tools === null || restrictions.tools.includes(tool)

/** Whether the caller's key may call a tool of the server. */
export const mayCallBuiltIn = (by: Caller, tool: string): boolean => mayCall(by, tool) || PASS_ON.has(tool)

/**
 * Throws the refusal of a tool that the caller's key may not call, and notes it in the tenant's audit log. Every call comes here,
 * also one that a chain or another tool makes for its caller.
 * @throws RefusalError `forbidden`
 */
export async function refuseTool(by: Caller, tool: string, audit: Pick<AuditApi, 'noteDenied'>): Promise<never> {
  await audit.noteDenied({ key: by.key, agent: by.agent }, `tool ${tool.slice(0, 100)}`)
  const { tools } = by.restrictions ?? {}
  const allowed = tools?.slice(0, NAMED).join(', ') ?? ''
  const more = tools && tools.length > NAMED ? ` and ${tools.length - NAMED} more` : ''
  const may = tools?.length ? `the tools ${allowed}${more} alone, also inside of chains` : 'no tool'
  throw new RefusalError(
    failureWith('forbidden', `this key may call ${may}; ask whoever minted it for one that may call more`),
  )
}

/** Why a key that is limited to some tools may not make tools: under an allowed name it could make anything. Null for others. */
export const whyNotMake = ({ restrictions }: Caller): string | null =>
  restrictions === undefined || restrictions.tools === null
    ? null
    : 'this key is limited to some tools, so it may not make others; ask whoever minted it for one without that limit'
