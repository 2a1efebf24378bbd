import type { WorkspacePath } from '../../core/workspace-path.ts'
import type { ChangedFiles, CommandResult } from '../../ports/runner.ts'
import type { SyncedWorkspace } from '../../workspace/synced.ts'
import { notesOn } from '../sandbox/command-end.ts'
import type { Notices } from '../sandbox/notices.ts'
import { toOutput } from '../sandbox/output.ts'
import type { KeptEnd } from './kept-end.ts'
import type { LastingCommand } from './lasting-store.ts'

/** Circumstances of a command's end. */
interface Circumstances {
  readonly workspace: Pick<SyncedWorkspace, 'stat'>
  readonly changed: ChangedFiles | null
  readonly notices: Notices
  readonly generation: number
}

/** Result of a command whose end its sandbox kept, as its runner would have given it. Secrets are masked there already. */
export function resultOfKept(
  { logs, maxChars }: LastingCommand,
  { ended, isLate, ms }: KeptEnd,
  { workspace, changed, notices, generation }: Circumstances,
): CommandResult {
  const kept = (log: WorkspacePath | undefined) => (log && workspace.stat(log)?.kind === 'file' ? log : null)
  return {
    exitCode: isLate ? -1 : ended.exitCode,
    stdout: toOutput(ended.stdout, kept(logs?.stdout), [], maxChars),
    stderr: toOutput(ended.stderr, kept(logs?.stderr), [], maxChars),
    timedOut: isLate,
    ms,
    ...(changed && { changed }),
    ...notices,
    notes: [...notesOn(ended, !isLate, { isSupervised: true, wasLost: false }), ...notices.notes],
    generation,
  }
}
