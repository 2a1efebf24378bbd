import type { ServedGroup } from '../core/served.ts'
import { workspacePath } from '../core/workspace-path.ts'
import type { SyncedWorkspace } from '../workspace/synced.ts'
import type { SessionWatchApi, WatchRequest, WatchView } from './watch-api.ts'

interface WatchParts {
  readonly workspace: (callId: string) => Pick<SyncedWorkspace, 'commitsAfter' | 'keptRange'>
  /** Tool of a call; null for a call that is not known. */
  readonly toolOf: (callId: string) => string | null
}

/** Commits of a session for those who watch it. A look waits for no turn, and writes nothing. */
export class SessionWatch implements ServedGroup<SessionWatchApi> {
  readonly #parts: WatchParts

  constructor(parts: WatchParts) {
    this.#parts = parts
  }

  commits({ after, path: given }: WatchRequest): WatchView {
    const { workspace: open, toolOf } = this.#parts
    const path = workspacePath(given)
    const workspace = open('')
    const { floor, head } = workspace.keptRange()
    if (after === null) return { state: 'found', commits: [], upTo: head, more: false }
    if (after < floor || after > head) return { state: 'gone', head }
    const { commits, ...rest } = workspace.commitsAfter(after, path)
    const tools = new Map<string, string | null>()
    const cachedToolOf = (callId: string) => {
      const known = tools.get(callId)
      const tool = known === undefined ? toolOf(callId) : known
      tools.set(callId, tool)
      return tool
    }
    const withTool = commits.map(({ callId, ...commit }) => ({ ...commit, author: callId, tool: cachedToolOf(callId) }))
    return { state: 'found', commits: withTool, ...rest }
  }
}
