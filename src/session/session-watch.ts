import type { ServedGroup } from '../core/served.ts'
import { workspacePath } from '../core/workspace-path.ts'
import type { SyncedWorkspace } from '../workspace/synced.ts'
import type { SessionWatchApi, WatchRequest, WatchView } from './watch-api.ts'

interface WatchParts {
  readonly workspace: (callId: string) => Pick<SyncedWorkspace, 'commitsAfter' | 'keptRange'>
  /** Tools of calls by call id, of those that are known. */
  readonly toolsOf: (callIds: readonly string[]) => ReadonlyMap<string, string>
}

/** Commits of a session for those who watch it. A look waits for no turn, and writes nothing. */
export class SessionWatch implements ServedGroup<SessionWatchApi> {
  readonly #parts: WatchParts

  constructor(parts: WatchParts) {
    this.#parts = parts
  }

  commits({ after, path: given }: WatchRequest): WatchView {
    const { workspace: open, toolsOf } = this.#parts
    const path = workspacePath(given)
    const workspace = open('')
    const { floor, head } = workspace.keptRange()
    if (after === null) return { state: 'found', commits: [], upTo: head, more: false }
    if (after < floor || after > head) return { state: 'gone', head }
    const { commits, ...rest } = workspace.commitsAfter(after, path)
    const tools = toolsOf(commits.map(({ callId }) => callId))
    const withTool = commits.map(({ callId, ...commit }) => ({
      ...commit,
      author: callId,
      tool: tools.get(callId) ?? null,
    }))
    return { state: 'found', commits: withTool, ...rest }
  }
}
