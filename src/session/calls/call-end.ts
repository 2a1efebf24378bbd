import { failureWith } from '../../core/failure.ts'
import { MAX_ANSWERED_FILES } from '../../core/limits/calls.ts'
import type { CallFiles, Outcome } from '../../core/outcome.ts'
import { SESSION, say } from '../../core/saying/saying.ts'
import type { SyncedWorkspace } from '../../workspace/synced.ts'

/** Outcome of a call whose work continues, as history has it until the end of that work. */
export const asPending = (ran: Outcome): Outcome =>
  ran.kind === 'done'
    ? { kind: 'pending', soFar: ran.result, next: { tool: 'job_output', args: {} }, retryAfterMs: 0 }
    : ran

/** Files that the call of a workspace changed since a commit. */
export function changedFiles(workspace: SyncedWorkspace, since: number): CallFiles {
  if (workspace.headSeq() === since) return { files: [], more: 0 }
  const { files, count } = workspace.changedByCall(since, MAX_ANSWERED_FILES)
  return { files, more: count - files.length }
}

/** Failure of calls whose session was deleted meanwhile. */
export const DELETED = failureWith('not_found', say`the ${SESSION} was deleted while this ran`)
