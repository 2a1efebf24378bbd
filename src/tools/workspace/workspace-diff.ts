import * as z from 'zod'
import type { FileDiff } from '../../core/diff/file-diff.ts'
import { hunkText, unifiedDiff } from '../../core/diff/unified.ts'
import { DIFF_CHARS, MAX_DIFF_PAGE_CHARS, MAX_DIFF_PATHS } from '../../core/limits/history.ts'
import { ROOT } from '../../core/workspace-path.ts'
import { maxChars } from '../answer-budget.ts'
import { optional } from '../arguments.ts'
import { callerPath } from '../caller-path.ts'
import { defineTool } from '../define.ts'
import { momentArgument } from '../moment-argument.ts'
import { placeArgument } from './place-argument.ts'

/** Shows what differs between two moments of the task's files. Ours: no published API has it. */
export const workspaceDiff = defineTool({
  name: 'workspace_diff',
  description:
    'Show what differs in the files of the task between two commits, or between a commit and now, as a unified diff; binary ' +
    'files by size and hash. Without arguments: what the newest commit changed; to: N alone: what commit N changed; from: N ' +
    'alone: all changes since commit N. Runs without a sandbox. Returns diff, from, to and files. Numbers of commits come from ' +
    'workspace_history; workspace_restore with commit: FROM takes the changes back.',
  effect: 'read',
  uses: ['fileHistory', 'workspace'],
  input: z.object({
    from: optional(momentArgument).describe(
      'Number of the commit before the changes, from 0, or name of a snapshot. Default: the commit before to',
    ),
    to: optional(momentArgument).describe(
      'Number of the commit after the changes, from 0, or name of a snapshot. Default: the files as they are now',
    ),
    path: placeArgument.describe('File, or directory with all below it, relative to the task root. Default: all files'),
    after: optional(z.string()).describe(
      'Path behind which to go on after a cut answer: its next_after. Default: from the beginning',
    ),
    max_chars: maxChars(DIFF_CHARS, { most: MAX_DIFF_PAGE_CHARS, of: 'the diff' }),
  }),

  async run({ from = null, to = null, path: given, after, max_chars }, { ports: { fileHistory, workspace } }) {
    const path = given === undefined ? ROOT : callerPath(workspace, given)
    const query = { from, to, path, limit: MAX_DIFF_PATHS, chars: max_chars, ...(after !== undefined && { after }) }
    const page = await fileHistory.diff(query)
    const diff = page.files.map(shownDiff).join('')
    const next = page.next === null ? {} : { truncated: true, next_after: page.next }
    const now = to === null ? ' (now)' : ''
    const where = path === ROOT ? '' : ` in ${path}`
    const advice =
      path === ROOT ? '' : `; workspace_history with path ${JSON.stringify(path)} names the commits that changed it`
    const nothing = `nothing differs${where} between commit ${page.from} and commit ${page.to}${now}${advice}`
    const rest =
      page.next === null ? '' : `[cut; more: after ${JSON.stringify(page.next)}, from ${page.from}, to ${page.to}]`
    return {
      text: `${diff}${rest}` || nothing,
      data: {
        from: page.from,
        to: page.to,
        files: page.files.length,
        diff,
        ...next,
        ...(diff === '' && { notes: [nothing] }),
      },
    }
  },
})

/** Unified diff of a file; of one that is too long also the lines that fit. */
const shownDiff = (file: FileDiff): string =>
  `${unifiedDiff([file])}${file.omitted === null ? '' : file.hunks.map((hunk) => `${hunkText(hunk)}\n`).join('')}`
