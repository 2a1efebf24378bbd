import { failureWith } from '../../core/failure.ts'
import { MAX_ANSWERED_FILES } from '../../core/limits/calls.ts'
import type { CallFiles, Outcome } from '../../core/outcome.ts'
import { SESSION, say } from '../../core/saying/saying.ts'
import type { SyncedWorkspace } from '../../workspace/synced.ts'
import type { FileFamily } from './file-family.ts'

/** Outcome of a call whose work continues, as history has it until the end of that work. */
export const asPending = (ran: Outcome): Outcome =>
  ran.kind === 'done'
    ? { kind: 'pending', soFar: ran.result, next: { tool: 'job_output', args: {} }, retryAfterMs: 0 }
    : ran

/**
 * Files that a call changed since a commit, with the calls that it made. Where others worked in the sandbox at the same time, files
 * that any call changed.
 */
export function changedFiles(workspace: SyncedWorkspace, since: number, family: FileFamily | null): CallFiles {
  if (workspace.headSeq() === since) return { files: [], more: 0 }
  const isShared = family?.isShared === true
  const { files, count } = workspace.changedByCalls(
    isShared ? null : (family?.callIds ?? []),
    since,
    MAX_ANSWERED_FILES,
  )
  return { files, more: count - files.length, ...(isShared && { isShared }) }
}

/** Failure of calls whose session was deleted meanwhile. */
export const DELETED = failureWith('not_found', say`the ${SESSION} was deleted while this ran`)
