import { fail } from '../core/failure.ts'
import { newCallId } from '../core/ids.ts'
import type { ServedGroup } from '../core/served.ts'
import { baseName, workspacePath } from '../core/workspace-path.ts'
import type { Effect } from '../tools/define.ts'
import type { SyncedWorkspace } from '../workspace/synced.ts'
import { zipOf } from '../workspace/zip.ts'
import type { Download, SessionFilesApi } from './api.ts'
import type { Room } from './room.ts'
import type { Scheduler } from './scheduler.ts'
import { Stopwatch } from './stopwatch.ts'

interface FilesParts {
  readonly scheduler: Scheduler
  readonly workspace: (callId: string) => SyncedWorkspace
  readonly now: () => number
  readonly room: Pick<Room, 'require'>
  /** Has contents sent to the blob store in a while. */
  readonly flushSoon: () => Promise<void>
}

/** A session's files for direct requests by people, which are queued among the calls. */
export class SessionFiles implements ServedGroup<SessionFilesApi> {
  readonly #parts: FilesParts

  constructor(parts: FilesParts) {
    this.#parts = parts
  }

  async download(given: string): Promise<Download> {
    const path = workspacePath(given)
    return this.#turn('read', async (workspace) => {
      if (workspace.stat(path)?.kind === 'directory') fail('invalid_input', `Cannot download directory: ${path}`)
      const { entry, body } = (await workspace.open(path)) ?? fail('not_found', `File not found: ${path}`)
      return { name: baseName(path), size: entry.size, body }
    })
  }

  async archive(): Promise<Download> {
    return this.#turn('read', async (workspace) => ({ name: 'workspace.zip', size: null, body: zipOf(workspace) }))
  }

  async upload(given: string, content: Uint8Array): Promise<void> {
    await this.#parts.room.require()
    const path = workspacePath(given)
    await this.#turn('write', (workspace) => workspace.commit([{ op: 'write', path, content }]))
    await this.#parts.flushSoon()
  }

  #turn<T>(effect: Effect, work: (workspace: SyncedWorkspace) => Promise<T>): Promise<T> {
    const { scheduler, workspace, now } = this.#parts
    const callId = newCallId(now())
    return scheduler.run(effect, { callId, stopwatch: new Stopwatch(now) }, () => work(workspace(callId)))
  }
}
