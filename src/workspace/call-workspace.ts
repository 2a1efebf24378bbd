import type { WorkspacePath } from '../core/workspace-path.ts'
import type { Locks } from '../ports/locks.ts'
import type { Change, FileEntry, ListOptions, StoreContent } from '../ports/workspace.ts'
import { contentMissing } from './contents.ts'
import type { SyncedWorkspace } from './synced.ts'

/** The workspace shared by all calls of a session. */
interface SharedWorkspace extends Omit<SyncedWorkspace, 'commit' | 'takeOver' | 'openContent' | 'changedByCall'> {
  changedByCall(callId: string, seq: number, limit: number): ReturnType<SyncedWorkspace['changedByCall']>
  commit(changes: readonly Change[], callId: string): Promise<void>
  takeOver(changes: readonly Change[], callId: string): Promise<void>
  openBlob(hash: string): Promise<{ readonly body: ReadableStream<Uint8Array> } | null>
}

/**
 * A session's workspace for one call, whose id history names as the author of its commits. Made for each call, so its methods are
 * shared.
 */
export class CallWorkspace implements SyncedWorkspace {
  readonly #workspace: SharedWorkspace
  readonly #callId: string

  constructor(workspace: SharedWorkspace, callId: string) {
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

  readMany(files: readonly FileEntry[]) {
    return this.#workspace.readMany(files)
  }

  sandboxOnly() {
    return this.#workspace.sandboxOnly()
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

  changedByCall(seq: number, limit: number) {
    return this.#workspace.changedByCall(this.#callId, seq, limit)
  }

  entries() {
    return this.#workspace.entries()
  }

  filesAt(commit: number | null) {
    return this.#workspace.filesAt(commit)
  }

  commits(page: { readonly limit: number; readonly before?: number }) {
    return this.#workspace.commits(page)
  }

  async openContent({ hash, path }: FileEntry) {
    return ((await this.#workspace.openBlob(hash)) ?? contentMissing(path)).body
  }

  storing<T>(work: (store: StoreContent) => Promise<T>) {
    return this.#workspace.storing(work)
  }
}
