import type { WorkspacePath } from '../core/workspace-path.ts'
import type { Locks } from '../ports/locks.ts'
import type { Change, FileEntry, ListOptions, StoreContent } from '../ports/workspace.ts'
import { contentMissing } from './contents.ts'
import type { SyncedWorkspace } from './synced.ts'
import type { SessionWorkspace } from './workspace.ts'

/** A session's workspace as one call has it: its commits are noted under that call's id. Made for each call, so its methods are shared. */
export class CallWorkspace implements SyncedWorkspace {
  readonly #workspace: SessionWorkspace
  readonly #callId: string

  constructor(workspace: SessionWorkspace, callId: string) {
    this.#workspace = workspace
    this.#callId = callId
  }

  get locks(): Locks {
    return this.#workspace.locks
  }

  stat(path: WorkspacePath) {
    return this.#workspace.stat(path)
  }

  list(dir: WorkspacePath, options: ListOptions) {
    return this.#workspace.list(dir, options)
  }

  read(path: WorkspacePath) {
    return this.#workspace.read(path)
  }

  open(path: WorkspacePath) {
    return this.#workspace.open(path)
  }

  commit(changes: readonly Change[]) {
    return this.#workspace.commit(changes, this.#callId)
  }

  takeOver(changes: readonly Change[]) {
    return this.#workspace.takeOver(changes, this.#callId)
  }

  headSeq() {
    return this.#workspace.headSeq()
  }

  changesSince(seq: number) {
    return this.#workspace.changesSince(seq)
  }

  createdSince(seq: number) {
    return this.#workspace.createdSince(seq)
  }

  entries() {
    return this.#workspace.entries()
  }

  async openContent({ hash, path }: FileEntry) {
    return ((await this.#workspace.openBlob(hash)) ?? contentMissing(path)).body
  }

  storing<T>(work: (store: StoreContent) => Promise<T>) {
    return this.#workspace.storing(work)
  }
}
