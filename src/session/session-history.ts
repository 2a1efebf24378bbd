import { newCallId } from '../core/ids.ts'
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
import type { Room } from './room.ts'
import type { Scheduler } from './scheduler.ts'
import { Stopwatch } from './stopwatch.ts'

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

/** History of a session's files for direct requests, which are queued among the calls. */
export class SessionHistory implements ServedGroup<SessionHistoryApi> {
  readonly #parts: HistoryParts

  constructor(parts: HistoryParts) {
    this.#parts = parts
  }

  commits(query: CommitQuery): Promise<CommitPage> {
    return this.#turn('read', async (history) => history.commits(query))
  }

  changes(query: ChangesQuery): Promise<CommitChanges> {
    return this.#turn('read', async (history) => history.changes(query))
  }

  diff(query: DiffQuery): Promise<DiffPage> {
    return this.#turn('read', (history) => history.diff(query))
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
      author,
    )
    await this.#parts.flushSoon()
    return restored
  }

  #turn<T>(effect: Effect, work: (history: FileHistory) => Promise<T>, author?: string): Promise<T> {
    const { scheduler, fileHistory, now } = this.#parts
    const callId = newCallId(now())
    return scheduler.run(effect, { callId, stopwatch: new Stopwatch(now) }, () => work(fileHistory(author ?? callId)))
  }
}
