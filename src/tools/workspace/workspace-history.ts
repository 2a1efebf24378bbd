import * as z from 'zod'
import { COMMIT_CHANGES_SHOWN, MAX_LISTED_CHANGES, MAX_TOOL_COMMITS } from '../../core/limits/history.ts'
import type { Moment } from '../../core/moment.ts'
import { ROOT } from '../../core/workspace-path.ts'
import type { CommitFacts, FileHistory } from '../../ports/file-history.ts'
import { maxChars } from '../answer-budget.ts'
import { integer, optional } from '../arguments.ts'
import { callerPath } from '../caller-path.ts'
import { commitNumber } from '../commit-number.ts'
import { defineTool } from '../define.ts'
import { momentArgument } from '../moment-argument.ts'
import { placeArgument } from './place-argument.ts'
import { changeFields, changeLines, firstWithin } from './shown-changes.ts'

/** Commits that are listed where no number is given. */
const USUAL_COMMITS = 20

/** Lists commits of the task's files, or the changes of one. Ours: no published API has it. */
export const workspaceHistory = defineTool({
  name: 'workspace_history',
  description:
    'List who changed which files of the task, newest first: each commit with its number, time, call and tool, and what it ' +
    'created, modified or deleted, changes by commands included. Runs without a sandbox. Returns commits. Then workspace_diff ' +
    'with to: N shows what commit N changed, file_read with as_of: N a file as it was after it, and workspace_restore with ' +
    'commit: N-1 brings back the files as they were before it. Kept for a week.',
  effect: 'read',
  uses: ['fileHistory', 'workspace'],
  input: z.object({
    path: placeArgument.describe('File, or directory with all below it, relative to the task root. Default: all files'),
    commit: optional(momentArgument).describe(
      'Number of one commit, from 1, or name of its snapshot: list its changes, all of them. Default: many commits',
    ),
    limit: optional(integer.pipe(z.int().min(1)))
      .transform((given) => Math.min(given ?? USUAL_COMMITS, MAX_TOOL_COMMITS))
      .describe(`Number of commits to list, at most ${MAX_TOOL_COMMITS}. Default ${USUAL_COMMITS}`),
    before: optional(commitNumber).describe(
      'Number of the commit, from 1, before which to go on: next_before of the answer before. Default: begin with the newest',
    ),
    after: optional(z.string()).describe(
      'Path behind which to go on with the changes of commit: its next_after. Default: from the beginning',
    ),
    max_chars: maxChars(),
  }),

  async run({ path: given, commit, limit, before, after, max_chars }, { ports: { fileHistory, workspace } }) {
    const path = given === undefined ? ROOT : callerPath(workspace, given)
    if (commit !== undefined) return oneCommit(fileHistory, { commit, path, after, chars: max_chars })
    const page = fileHistory.commits({
      path,
      limit,
      shown: COMMIT_CHANGES_SHOWN,
      ...(before !== undefined && { before }),
    })
    const all = page.commits.map((one) => ({
      ...factsOf(one),
      changes: one.changes.map(changeFields),
      ...(one.changed > one.changes.length && { more_changes: one.changed - one.changes.length }),
    }))
    const commits = firstWithin(all, max_chars)
    const next = commits.length < all.length ? commits.at(-1)?.commit : page.next
    const lines = page.commits
      .slice(0, commits.length)
      .flatMap((one) => [headline(one), ...changeLines(one.changes, one.changed)])
    const rest = next === undefined ? [] : [`[older ones: before ${next}]`]
    const none =
      given === undefined ? 'no file was changed in the last week' : `no commit of the last week changed ${given}`
    return {
      text: [...lines, ...rest].join('\n') || none,
      data: { commits, ...(next !== undefined && { next_before: next }), ...(all.length === 0 && { notes: [none] }) },
    }
  },
})

function oneCommit(
  history: FileHistory,
  {
    commit,
    path,
    after,
    chars,
  }: {
    readonly commit: Moment
    readonly path: string
    readonly after: string | undefined
    readonly chars: number
  },
) {
  const found = history.changes({ commit, path, limit: MAX_LISTED_CHANGES, ...(after !== undefined && { after }) })
  const shown = firstWithin(found.changes, chars)
  const last = shown.at(-1)
  const next = last && (found.more || shown.length < found.changes.length) ? { next_after: last.path } : {}
  const rest = 'next_after' in next ? [`[more: after ${JSON.stringify(next.next_after)}]`] : []
  return {
    text: [headline(found), ...changeLines(shown, shown.length), ...rest].join('\n'),
    data: { ...factsOf(found), changes: shown.map(changeFields), ...next },
  }
}

const factsOf = ({ commit, author, tool, at, changed, restored }: CommitFacts) => ({
  commit,
  at: new Date(at).toISOString(),
  ...(tool !== null && { tool }),
  by: author,
  changed,
  ...(restored && { restored: { commit: restored.commit, ...(restored.path !== ROOT && { path: restored.path }) } }),
})

const headline = ({ commit, author, tool, at, changed, restored }: CommitFacts) => {
  const words = restored ? `${restored.path || 'all files'} back to commit ${restored.commit}, ` : ''
  return `commit ${commit}  ${new Date(at).toISOString()}  ${tool === null ? author : `${tool} (${author})`}: ${words}${changed} changed`
}
