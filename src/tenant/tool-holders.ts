import { TOOLS_LEASE_MS, TOOLS_LEASE_SLACK_MS } from '../core/limits/usage.ts'
import type { Clock } from '../ports/clock.ts'
import type { Sql } from '../ports/sql.ts'
import { AcknowledgedCompletions } from './acknowledged-completions.ts'
import { tellOrOutlast } from './lease-holders.ts'
import type { ToolCalls } from './tool-calls.ts'
import { ToolRevisions } from './tool-revisions.ts'

interface Informing {
  /** Informs a session of a new revision of the tools. */
  readonly toolsChanged: (session: string, revision: number) => Promise<void>
  readonly logError: (thrown: unknown) => void
}

export interface ToolHolders extends Informing {
  readonly calls: Pick<ToolCalls, 'toolHolders'>
}

/**
 * Informs the sessions that may go by copies of tools and secrets of an earlier revision. When it returns none of them does: each was
 * informed, or its lease has run out.
 */
export async function informToolHolders({ calls, ...informing }: ToolHolders): Promise<void> {
  await inform(calls.toolHolders(), informing)
}

/**
 * Informs the sessions of a tenant that is closed, and gives no lease any more: when it returns none of them goes by a copy of its tools
 * and secrets. Repeated, it informs those whose leases may still last.
 */
export async function informHoldersOfClosed({
  sql,
  clock,
  ...informing
}: Informing & { readonly sql: Sql; readonly clock: Clock }): Promise<void> {
  const since = clock.now() - HELD_MS
  const sessions = new AcknowledgedCompletions(sql).holders(since)
  // Later than that of any lease: none is given for it.
  await inform({ revision: new ToolRevisions(sql).newest() + 1, sessions }, informing)
}

const HELD_MS = TOOLS_LEASE_MS + TOOLS_LEASE_SLACK_MS

const inform = (
  { revision, sessions }: ReturnType<ToolCalls['toolHolders']>,
  { toolsChanged, logError }: Informing,
): Promise<void> =>
  tellOrOutlast({ sessions, lastsMs: HELD_MS, tell: (session) => toolsChanged(session, revision), logError })
