import type { Moment } from '../core/moment.ts'
import type { WorkspacePath } from '../core/workspace-path.ts'
import type { Locks } from '../ports/locks.ts'
import type { Change, FileEntry, ListOptions, StoreContent } from '../ports/workspace.ts'
import { contentMissing } from './contents.ts'
import type { Restored, RestoreOptions, SyncedWorkspace } from './synced.ts'

/** The workspace shared by all calls of a session. */
interface SharedWorkspace extends Omit<SyncedWorkspace, 'commit' | 'takeOver' | 'openContent' | 'restore'> {
  commit(changes: readonly Change[], callId: string): Promise<void>
  takeOver(changes: readonly Change[], callId: string): Promise<void>
  restore(seq: number, options: RestoreOptions, callId: string): Restored
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

  statMany(paths: readonly WorkspacePath[]) {
    return this.#workspace.statMany(paths)
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

  at(moment: Moment) {
    return this.#workspace.at(moment)
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

  get history() {
    return this.#workspace.history
  }

  restore(seq: number, options: RestoreOptions) {
    return this.#workspace.restore(seq, options, this.#callId)
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

  changedByCalls(callIds: readonly string[] | null, seq: number, limit: number) {
    return this.#workspace.changedByCalls(callIds, seq, limit)
  }

  entries() {
    return this.#workspace.entries()
  }

  commitAt(moment: Moment | null) {
    return this.#workspace.commitAt(moment)
  }

  filesAt(moment: Moment | null) {
    return this.#workspace.filesAt(moment)
  }

  commits(page: { readonly limit: number; readonly before?: number }) {
    return this.#workspace.commits(page)
  }

  commitsAfter(seq: number, path: WorkspacePath) {
    return this.#workspace.commitsAfter(seq, path)
  }

  keptRange() {
    return this.#workspace.keptRange()
  }

  async openContent({ hash, path }: Pick<FileEntry, 'path' | 'hash'>) {
    return ((await this.#workspace.openBlob(hash)) ?? contentMissing(path)).body
  }

  storing<T>(work: (store: StoreContent) => Promise<T>) {
    return this.#workspace.storing(work)
  }
}
