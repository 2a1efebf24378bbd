import type { ServedGroup } from '../core/served.ts'
import type {
  ChangesQuery,
  CommitChanges,
  CommitPage,
  CommitQuery,
  DiffPage,
  DiffQuery,
  FileHistory,
} from '../ports/file-history.ts'
import type { Effect } from '../tools/define.ts'
import type { SyncedWorkspace } from '../workspace/synced.ts'
import type { FileRestore, FilesRestored, SessionHistoryApi } from './history-api.ts'
import { requestTurn } from './request-turn.ts'
import type { Room } from './room.ts'
import type { Scheduler } from './scheduler.ts'

interface HistoryParts {
  readonly scheduler: Scheduler
  readonly workspace: (callId: string) => SyncedWorkspace
  /** The history as one author uses it. */
  readonly fileHistory: (author: string) => FileHistory
  readonly now: () => number
  readonly room: Pick<Room, 'require'>
  /** Has contents sent to the blob store in a while. */
  readonly flushSoon: () => Promise<void>
}

interface Turn {
  /** Author of the commits of the work; an id of its own when left out, as a call has one. */
  readonly author?: string
  /** Whether the sandbox is looked at, as in {@link CommitQuery}. */
  readonly looks?: boolean | undefined
}

/** History of a session's files for direct requests, which are queued among the calls. */
export class SessionHistory implements ServedGroup<SessionHistoryApi> {
  readonly #parts: HistoryParts

  constructor(parts: HistoryParts) {
    this.#parts = parts
  }

  commits({ looks, ...query }: CommitQuery): Promise<CommitPage> {
    return this.#turn('read', async (history) => history.commits(query), { looks })
  }

  changes(query: ChangesQuery): Promise<CommitChanges> {
    return this.#turn('read', async (history) => history.changes(query))
  }

  diff({ looks, ...query }: DiffQuery): Promise<DiffPage> {
    return this.#turn('read', (history) => history.diff(query), { looks })
  }

  async restore({ author, ifHead, ...request }: FileRestore): Promise<FilesRestored> {
    await this.#parts.room.require()
    const restored = await this.#turn(
      'write',
      async (history): Promise<FilesRestored> => {
        const head = this.#parts.workspace(author).headSeq()
        if (ifHead !== null && ifHead !== head) return { state: 'condition failed', head }
        return { state: 'restored', ...(await history.restore(request)) }
      },
      { author },
    )
    await this.#parts.flushSoon()
    return restored
  }

  #turn<T>(effect: Effect, work: (history: FileHistory) => Promise<T>, { author, looks = true }: Turn = {}) {
    const { scheduler, fileHistory, now } = this.#parts
    const turn = requestTurn(now, looks)
    return scheduler.run(effect, turn, () => work(fileHistory(author ?? turn.callId)))
  }
}
