import { fail } from '../core/failure.ts'
import { newCallId } from '../core/ids.ts'
import type { WorkspacePath } from '../core/workspace-path.ts'
import type { Effect } from '../tools/define.ts'
import type { SyncedWorkspace } from '../workspace/synced.ts'
import { zipOf } from '../workspace/zip.ts'
import type { Scheduler } from './scheduler.ts'
import { Stopwatch } from './stopwatch.ts'

interface FilesParts {
  readonly scheduler: Scheduler
  readonly workspace: (callId: string) => SyncedWorkspace
  readonly now: () => number
}

/** A session's files for direct requests by people, which are queued among the calls. */
export class SessionFiles {
  readonly #parts: FilesParts

  constructor(parts: FilesParts) {
    this.#parts = parts
  }

  /** A file as a stream. @throws FailureError `not_found` */
  async open(path: WorkspacePath) {
    return this.#turn('read', async (workspace) => {
      if (workspace.stat(path)?.kind === 'directory') fail('invalid_input', `Cannot download directory: ${path}`)
      return (await workspace.open(path)) ?? fail('not_found', `File not found: ${path}`)
    })
  }

  /** Stores a file, in the queue of the calls. */
  async store(path: WorkspacePath, content: Uint8Array): Promise<void> {
    await this.#turn('write', (workspace) => workspace.commit([{ op: 'write', path, content }]))
  }

  /** All files and directories, as a zip that is made while it is read. */
  async archive(): Promise<ReadableStream<Uint8Array>> {
    return this.#turn('read', async (workspace) => zipOf(workspace))
  }

  #turn<T>(effect: Effect, work: (workspace: SyncedWorkspace) => Promise<T>): Promise<T> {
    const { scheduler, workspace, now } = this.#parts
    const callId = newCallId(now())
    return scheduler.run(effect, { callId, stopwatch: new Stopwatch(now) }, () => work(workspace(callId)))
  }
}
