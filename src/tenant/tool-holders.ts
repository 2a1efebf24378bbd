import { TOOLS_LEASE_MS, TOOLS_LEASE_SLACK_MS } from '../core/limits/usage.ts'
import { tellOrOutlast } from './lease-holders.ts'
import type { ToolCalls } from './tool-calls.ts'

export interface ToolHolders {
  readonly calls: Pick<ToolCalls, 'toolHolders'>
  /** Informs a session of a new revision of the tools. */
  readonly toolsChanged: (session: string, revision: number) => Promise<void>
  readonly logError: (thrown: unknown) => void
}

/**
 * Informs the sessions that may go by copies of tools and secrets of an earlier revision. When it returns none of them does: each was
 * informed, or its lease has run out.
 */
export async function informToolHolders({ calls, toolsChanged, logError }: ToolHolders): Promise<void> {
  const { revision, sessions } = calls.toolHolders()
  await tellOrOutlast({
    sessions,
    lastsMs: TOOLS_LEASE_MS + TOOLS_LEASE_SLACK_MS,
    tell: (session) => toolsChanged(session, revision),
    logError,
  })
}
