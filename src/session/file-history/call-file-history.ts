import { fail } from '../../core/failure.ts'
import { VENV_DIR } from '../../core/task-layout.ts'
import { ROOT, type WorkspacePath, workspacePath } from '../../core/workspace-path.ts'
import type {
  ChangesQuery,
  CommitChanges,
  CommitFacts,
  CommitPage,
  CommitQuery,
  DiffPage,
  DiffQuery,
  FileHistory,
  RestoredFiles,
  RestoreRequest,
} from '../../ports/file-history.ts'
import type { Commit } from '../../workspace/history/commits.ts'
import type { SyncedWorkspace } from '../../workspace/synced.ts'
import { fileDiffs } from './file-diffs.ts'

interface Parts {
  /** Workspace whose commits name the call as their author. */
  readonly workspace: SyncedWorkspace
  /** Tools of calls by call id, of those that are known. */
  readonly toolsOf: (callIds: readonly string[]) => ReadonlyMap<string, string>
  /** Ids of calls whose commands run in the sandbox now. */
  readonly runningInSandbox: () => readonly string[]
}

/** A session's file history for one call, in whose turn its methods run. */
export class CallFileHistory implements FileHistory {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  commits({ path, ...query }: CommitQuery): CommitPage {
    const { commits, ...next } = this.#parts.workspace.history.page({ ...query, path: workspacePath(path) })
    const facts = this.#facts(commits)
    return { commits: commits.map(({ changes }, at) => ({ ...(facts[at] as CommitFacts), changes })), ...next }
  }

  changes({ path, commit: moment, ...query }: ChangesQuery): CommitChanges {
    const { workspace } = this.#parts
    const named = { ...query, commit: typeof moment === 'number' ? moment : workspace.commitAt(moment) }
    const { commit, changes, more } = workspace.history.changes({ ...named, path: workspacePath(path) })
    const [facts] = this.#facts([commit])
    return { ...(facts as CommitFacts), changes, more }
  }

  #facts(commits: readonly (Commit & Pick<CommitFacts, 'restored'>)[]): CommitFacts[] {
    const tools = this.#parts.toolsOf(commits.map(({ callId }) => callId))
    return commits.map(({ seq, callId, at, changed, restored }) => ({
      ...{ commit: seq, author: callId, tool: tools.get(callId) ?? null, at, changed, restored },
    }))
  }

  async diff({ from, to, path, limit, after, chars }: DiffQuery): Promise<DiffPage> {
    const { workspace } = this.#parts
    const last = workspace.commitAt(to)
    const first = from === null ? Math.max(0, last - 1) : workspace.commitAt(from)
    const query = { from: first, to: last, path: workspacePath(path), limit, ...(after !== undefined && { after }) }
    const { differences, more } = workspace.history.differences(query)
    const files = await fileDiffs(differences, workspace, chars)
    const isWhole = !more && files.length === differences.length
    return { from: first, to: last, files, next: isWhole ? null : (files.at(-1)?.path ?? null) }
  }

  async restore({ commit: moment, path: given, dryRun, shown }: RestoreRequest): Promise<RestoredFiles> {
    const { workspace } = this.#parts
    const path = workspacePath(given)
    const commit = workspace.commitAt(moment)
    const inSandbox = await workspace.sandboxOnly()
    const stays = (directory: WorkspacePath) => inSandbox.directoryAt(directory) === directory
    if (path !== ROOT && stays(path))
      fail(
        'invalid_input',
        `${path} is in the sandbox alone, and its history is not kept; make it again by the command that made it`,
      )
    if (path !== ROOT && !workspace.stat(path) && !workspace.filesAt(commit).stat(path))
      fail(
        'not_found',
        `there was no ${path} after commit ${commit}, and there is none now; its history names the commits that changed it`,
      )
    const { stayed, ...restored } = workspace.restore(commit, { path, stays, dryRun, shown })
    return {
      ...restored,
      fromCommit: commit,
      notes: [...stayedNote(stayed), ...(dryRun || restored.changed === 0 ? [] : this.#runningNote())],
    }
  }

  #runningNote(): string[] {
    const running = this.#parts.runningInSandbox()
    if (running.length === 0) return []
    return [
      `commands go on in the sandbox (${named(running)}): they keep the files that they have open, and see the restored ones once the next command begins`,
    ]
  }
}

function stayedNote(all: readonly WorkspacePath[]): string[] {
  // That the environment of every sandbox stays is no news.
  const stayed = all.filter((directory) => directory !== VENV_DIR)
  if (stayed.length === 0) return []
  return [`not there then, and left as it is, since its content is in the sandbox alone: ${named(stayed)}`]
}

const MAX_NAMED = 5
const named = (names: readonly string[]) =>
  names.length > MAX_NAMED
    ? `${names.slice(0, MAX_NAMED).join(', ')} and ${names.length - MAX_NAMED} more`
    : names.join(', ')
