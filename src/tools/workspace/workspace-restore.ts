import * as z from 'zod'
import { RESTORED_CHANGES_SHOWN } from '../../core/limits/history.ts'
import { ROOT } from '../../core/workspace-path.ts'
import { maxChars } from '../answer-budget.ts'
import { flag, withDefault } from '../arguments.ts'
import { callerPath } from '../caller-path.ts'
import { defineTool } from '../define.ts'
import { momentArgument } from '../moment-argument.ts'
import { placeArgument } from './place-argument.ts'
import { changeFields, changeLines, firstWithin } from './shown-changes.ts'

/** Restores files of the task to a commit, as a new commit. Ours: no published API has it. */
export const workspaceRestore = defineTool({
  name: 'workspace_restore',
  description:
    'Bring back files of the task as they were after a commit: all of them, a directory, or one file. What was not there then ' +
    'is removed. Makes a new commit, so it can be taken back the same way; where nothing differs it makes none. To undo commit ' +
    'N give commit: N-1; workspace_history lists the commits, and dry_run: true shows what would change. Runs without a ' +
    'sandbox; commands see the files from the next one on. Returns commit, changed and changes.',
  effect: 'write',
  uses: ['fileHistory', 'workspace'],
  input: z.object({
    commit: momentArgument.describe(
      'Number of the commit whose files are wanted, from 0: before the first, or name of a snapshot. Required',
    ),
    path: placeArgument.describe(
      'File, or directory with all below it, relative to the task root. Default: all files of the task',
    ),
    dry_run: withDefault(flag, false).describe('True to change nothing, and return what would change. Default false'),
    max_chars: maxChars(),
  }),

  async run({ commit: wanted, path: given, dry_run, max_chars }, { ports: { fileHistory, workspace } }) {
    const path = given === undefined ? ROOT : callerPath(workspace, given)
    const restored = await fileHistory.restore({ commit: wanted, path, dryRun: dry_run, shown: RESTORED_CHANGES_SHOWN })
    const { commit, fromCommit, changed } = restored
    const changes = firstWithin(restored.changes, max_chars)
    const what = path === ROOT ? 'all files' : path
    // Who names the newest commit wants its changes taken back.
    const undoing = fromCommit === commit && commit > 0 ? `; to undo commit ${commit} give commit: ${commit - 1}` : ''
    const how =
      changed === 0
        ? `nothing to do: ${what} as after commit ${fromCommit}; no commit was made${undoing}`
        : dry_run
          ? `would change ${changed}, nothing was changed: ${what} as after commit ${fromCommit}`
          : `restored ${what} as after commit ${fromCommit}, by commit ${commit}; commit ${commit - 1} has what was before: ${changed} changed`
    return {
      text: [how, ...changeLines(changes, changed), ...restored.notes].join('\n'),
      data: {
        message: how,
        commit,
        changed,
        changes: changes.map(changeFields),
        ...(changed > changes.length && { more_changes: changed - changes.length }),
        ...(restored.notes.length > 0 && { notes: restored.notes }),
      },
    }
  },
})
