import type { Moment } from '../core/moment.ts'
import { sha256 } from '../core/sha256.ts'
import { ROOT, type WorkspacePath } from '../core/workspace-path.ts'
import type { BlobStore, ByteRange } from '../ports/blobs.ts'
import type { Clock } from '../ports/clock.ts'
import type { Sql } from '../ports/sql.ts'
import type {
  Change,
  FileEntry,
  ListOptions,
  PastFiles,
  StoreContent,
  Workspace,
  WorkspaceEntry,
  WorkspaceListing,
} from '../ports/workspace.ts'
import { collect, streamOf } from './bytes.ts'
import { CallWorkspace } from './call-workspace.ts'
import { FILE_MODE } from './changeset.ts'
import { Committer } from './committer.ts'
import { Contents, contentMissing } from './contents.ts'
import { requireEditSize } from './edit-size.ts'
import { FilesAt } from './files-at.ts'
import { countStored, type EntryPage, entryPage, type StoredPage, storedPage } from './fork/fork-pages.ts'
import { type ForkedWorkspace, layFork } from './fork/lay-fork.ts'
import { type ContentPage, unsentPage } from './fork/packed-contents.ts'
import { firstAlike, newestAlike } from './history/alike.ts'
import { entriesAsOf, entryAsOf } from './history/as-of.ts'
import { changesShown } from './history/commit-changes.ts'
import { type CommitPage, findCommit, listCommits } from './history/commits.ts'
import { type CommitsAfter, commitsAfter } from './history/commits-after.ts'
import { changedByCalls, changesSince, compareCommits, type Difference } from './history/compare.ts'
import { expireCommits } from './history/expire.ts'
import { keptRange, requireKept } from './history/kept.ts'
import { leaveDirectories } from './history/leave-directories.ts'
import { requireNoneLocked } from './history/locked.ts'
import { commitAt } from './history/moment.ts'
import { noteRestored } from './history/restores.ts'
import { rewind } from './history/rewind.ts'
import { sealCommit } from './history/seal.ts'
import { WorkspaceSnapshots } from './history/snapshots.ts'
import { WorkspaceHistory } from './history/workspace-history.ts'
import { ignoreListOf } from './ignore-list.ts'
import { KnownRows } from './known-rows.ts'
import { followToFile } from './links.ts'
import { WorkspaceLocks } from './locks.ts'
import { allEntries, entriesAt, listEntries } from './manifest.ts'
import type { Reclaimed } from './reclaim-contents.ts'
import type { Restored, RestoreOptions, SyncedWorkspace } from './synced.ts'
import type { VirtualFiles } from './virtual-files.ts'
import type { WaitingContents } from './waiting.ts'
import { WorkspaceAt } from './workspace-at.ts'

export interface WorkspaceParts {
  readonly sql: Sql
  readonly blobs: BlobStore
  readonly clock: Clock
  /** Author of commits made outside of {@link SessionWorkspace.forCall}. */
  readonly callId: () => string
  /** Files that are not stored; none when left out. */
  readonly virtual?: VirtualFiles
  /** Called after each commit. */
  readonly committed?: () => void
  /** Has {@link SessionWorkspace.flush} called in a while, over crashes too: before contents are stored ahead of their commit. */
  readonly flushSoon?: () => Promise<void>
  /** Small contents that a flush leaves in SQLite alone; none when left out. */
  readonly mayWait?: WaitingContents
}

/**
 * Files of one session and their history, one object for all calls of a session. The session's tables must be up to date. After a
 * commit, {@link flush} and {@link expire} are due sooner or later; nothing is lost when they never come.
 */
export class SessionWorkspace implements Workspace {
  readonly locks: WorkspaceLocks
  readonly history: WorkspaceHistory
  readonly snapshots: WorkspaceSnapshots
  readonly #sql: Sql
  readonly #clock: Clock
  readonly #callId: () => string
  readonly #contents: Contents
  readonly #known: KnownRows
  readonly #virtual: VirtualFiles | null
  readonly #committer: Committer
  readonly #flushSoon: () => Promise<void>

  constructor({ sql, blobs, clock, callId, virtual, committed, flushSoon, mayWait }: WorkspaceParts) {
    this.#sql = sql
    this.#clock = clock
    this.#callId = callId
    this.#virtual = virtual ?? null
    this.#flushSoon = flushSoon ?? (async () => {})
    this.#contents = new Contents(sql, blobs, mayWait)
    this.#known = new KnownRows(sql)
    this.locks = new WorkspaceLocks(sql, clock)
    this.#committer = new Committer({
      ...{ sql, clock, contents: this.#contents, known: this.#known, locks: this.locks },
      ...{ committed: committed ?? (() => {}), flushSoon },
    })
    this.history = new WorkspaceHistory(sql, () => this.headSeq())
    this.snapshots = new WorkspaceSnapshots(sql)
  }

  /** The workspace for one call, whose id history names as the author of its commits. */
  forCall(callId: string): SyncedWorkspace {
    return new CallWorkspace(this, callId)
  }

  stat(path: WorkspacePath): WorkspaceEntry | null {
    return this.#known.entryAt(path)
  }

  /** Entries of many paths, as in `SyncedWorkspace.statMany`. */
  statMany(paths: readonly WorkspacePath[]) {
    return entriesAt(this.#sql, paths)
  }

  list(dir: WorkspacePath, options: ListOptions = {}): WorkspaceListing {
    return listEntries(this.#sql, dir, options)
  }

  async read(path: WorkspacePath): Promise<Uint8Array | null> {
    const entry = this.#file(path)
    if (!entry) return this.#unstored(path)
    requireEditSize(path, entry.size)
    return (await this.readBlob(entry.hash)) ?? contentMissing(path)
  }

  async readMany(files: readonly FileEntry[]) {
    const local = this.#contents.locals(files.map(({ hash }) => hash))
    const missing = files.filter(({ hash }) => !local.has(hash))
    const fetched = new Map<string, Uint8Array>()
    await Promise.all(
      missing.map(async ({ hash }) => {
        const content = await this.readBlob(hash)
        if (content) fetched.set(hash, content)
      }),
    )
    this.#contents.keepFetched(Array.from(fetched, ([hash, content]) => ({ hash, content })))
    const contents = files.map(({ hash }) => local.get(hash) ?? fetched.get(hash) ?? null)
    return { contents, fetched: missing.length }
  }

  at(moment: Moment): PastFiles {
    return new WorkspaceAt(this.filesAt(moment), () => this.sandboxOnly())
  }

  sandboxOnly() {
    return ignoreListOf(this)
  }

  async open(
    path: WorkspacePath,
  ): Promise<{ readonly entry: FileEntry; readonly body: ReadableStream<Uint8Array> } | null> {
    const entry = this.#file(path)
    if (!entry) return this.#openUnstored(path)
    const content = (await this.openBlob(entry.hash)) ?? contentMissing(path)
    return { entry, body: content.body }
  }

  /** The whole content with a hash. @returns null when there is none */
  async readBlob(hash: string): Promise<Uint8Array | null> {
    const local = this.#contents.local(hash)
    if (local) return local
    const blob = await this.#contents.open(hash)
    return blob ? collect(blob.body, blob.size) : null
  }

  /** A content of any size as a stream, otherwise as {@link readBlob}. */
  openBlob(
    hash: string,
    range?: ByteRange,
  ): Promise<{ readonly size: number; readonly body: ReadableStream<Uint8Array> } | null> {
    return this.#contents.open(hash, range)
  }

  /** Files as they are now, or as they were at a moment. @throws FailureError `not_found` for a moment that is not kept */
  filesAt(moment: Moment | null): FilesAt {
    const commit = moment === null ? null : commitAt(this.#sql, moment)
    if (commit !== null) requireKept(this.#sql, commit)
    return new FilesAt({
      sql: this.#sql,
      commit,
      // The root has no row, and was always there.
      stat: (path) => (commit === null || path === ROOT ? this.stat(path) : entryAsOf(this.#sql, path, commit)),
      head: () => this.headSeq(),
      content: (hash, range) => this.#contents.open(hash, range),
      unstored: (path) => (commit === null ? this.#unstoredFile(path) : null),
    })
  }

  /**
   * Runs `work`, which may store contents ahead of the commit that refers to them: no content is released before it ends.
   * Contents left without a reference are released in time.
   */
  storing<T>(work: (store: StoreContent) => Promise<T>): Promise<T> {
    return this.#committer.storing(work)
  }

  /** Commits changes, as the port says. @param callId the call that history names as the author */
  commit(changes: readonly Change[], callId = this.#callId()): Promise<void> {
    return this.#committer.commit({ changes, callId, heedsLocks: true })
  }

  /** Commits changes already made elsewhere, which locks do not hold back. */
  takeOver(changes: readonly Change[], callId = this.#callId()): Promise<void> {
    return this.#committer.commit({ changes, callId, heedsLocks: false })
  }

  /** All entries but the root, sorted by path. A commit during the walk may show in the rest of it. */
  entries(): Iterable<WorkspaceEntry> {
    return allEntries(this.#sql)
  }

  /** Number of entries, the root not counted, and total size of the files. */
  totals(): { readonly entries: number; readonly bytes: number } {
    const { entries, bytes } = this.#known.totals
    return { entries, bytes }
  }

  /** Number of directories, the root not counted; null with more than `MAX_COUNTED_ENTRIES` entries. */
  countDirectories(): number | null {
    return this.#known.directories
  }

  /** Refers to contents in the blob store again, from behind a hash, after the tables were set back to an earlier state. May be repeated. */
  reclaim(after: string): Promise<Reclaimed> {
    return this.#contents.reclaim(after)
  }

  /** Number of the newest commit, one more with each; 0 before the first. */
  headSeq(): number {
    return this.#known.totals.head
  }

  /** Paths changed by commits after `seq`, sorted; null when history does not reach back that far. */
  changesSince(seq: number): WorkspacePath[] | null {
    return changesSince(this.#sql, seq)
  }

  /** Files created since a commit, as in `SyncedWorkspace.createdSince`. */
  createdSince(seq: number): WorkspacePath[] | null {
    if (this.changesSince(seq) === null) return null
    return this.compare(seq, this.headSeq()).flatMap(({ before, after }) =>
      before === null && after?.kind === 'file' ? [after.path] : [],
    )
  }

  changedByCalls(callIds: readonly string[] | null, seq: number, limit: number) {
    return changedByCalls(this.#sql, { callIds, seq, limit })
  }

  /** Commits after one, as in `SyncedWorkspace.commitsAfter`. */
  commitsAfter(seq: number, path: WorkspacePath): CommitsAfter {
    return commitsAfter(this.#sql, seq, path)
  }

  /** Commits whose states are kept. */
  keptRange() {
    return keptRange(this.#sql)
  }

  /** Page of commits, newest first. */
  commits(page: { readonly limit: number; readonly before?: number }): CommitPage {
    return listCommits(this.#sql, page)
  }

  /** Entry of a path as of a commit. @throws FailureError `not_found` when commit `seq` is unknown or no longer kept */
  entryAsOf(path: WorkspacePath, seq: number): WorkspaceEntry | null {
    return entryAsOf(this.#sql, path, seq)
  }

  /** Entries at commit `seq`, otherwise as {@link entries}. @throws FailureError `not_found` */
  entriesAsOf(seq: number): Iterable<WorkspaceEntry> {
    return entriesAsOf(this.#sql, seq)
  }

  /** Differences that turn commit `from` into commit `to`. @throws FailureError `not_found` */
  compare(from: number, to: number): Difference[] {
    return compareCommits(this.#sql, from, to)
  }

  /**
   * Restores the state after commit `seq`, or that of one path and all below it, as a new commit; none where nothing differs.
   * @throws FailureError `not_found`; `conflict` for a lock, and for a file that stands where a directory should
   */
  restore(seq: number, options: RestoreOptions = {}, callId = this.#callId()): Restored {
    const { path = ROOT, stays = () => false, dryRun = false, shown = 0 } = options
    this.#contents.requireOpen()
    requireKept(this.#sql, seq)
    const head = this.headSeq()
    const next = head + 1
    return this.#committer.trying(dryRun, () => {
      const target = newestAlike(this.#sql, seq)
      rewind(this.#sql, { target, seq: next, path })
      const stayed = leaveDirectories(this.#sql, next, stays)
      const isWhole = path === ROOT && stayed.length === 0
      const restored = isWhole ? firstAlike(this.#sql, seq) : null
      const takesBack = isWhole && next === target + 2
      if (!sealCommit(this.#sql, { seq: next, callId, at: this.#clock.now(), isOfKnown: true, takesBack, restored }))
        return { commit: head, changed: 0, changes: [], stayed }
      noteRestored(this.#sql, next, { commit: seq, path })
      requireNoneLocked(this.#sql, next, this.locks)
      const changed = findCommit(this.#sql, next)?.changed ?? 0
      const changes = changesShown(this.#sql, { seqs: [next], path: ROOT, head: next, shown }).get(next) ?? []
      return { commit: dryRun ? head : next, changed, changes, stayed }
    })
  }

  /** Number of a moment's commit, which is kept; the newest one for null. @throws FailureError `not_found` */
  commitAt(moment: Moment | null): number {
    const commit = moment === null ? this.headSeq() : commitAt(this.#sql, moment)
    requireKept(this.#sql, commit)
    return commit
  }

  /** Page of the entries as of a commit, for a fork. @throws FailureError `not_found` */
  forkEntries(commit: number, after: string): EntryPage {
    return entryPage(this.#sql, commit, after)
  }

  /** Page of small contents that may not be in the blob store yet, for a fork. They go there now, so that the next fork has none. */
  async forkContents(after: string): Promise<ContentPage> {
    const page = unsentPage(this.#sql, after)
    if (page.parts.length > 0) {
      this.#contents.sendAll()
      await this.#flushSoon()
    }
    return page
  }

  /** Number of contents that the blob store has, or may have, for a fork. */
  countStored(): number {
    return countStored(this.#sql)
  }

  /** Page of the hashes of those contents, for a fork. */
  forkStored(after: string): StoredPage {
    return storedPage(this.#sql, after)
  }

  /** Fills the workspace, which is empty, with the files of another one. @throws FailureError */
  async fillFrom(origin: ForkedWorkspace): Promise<void> {
    try {
      await layFork(this.#sql, origin)
    } finally {
      this.#known.forget()
    }
  }

  /** Drops history past its time or its limits, a batch at a time. @returns true when there is more to drop */
  expire(): boolean {
    return expireCommits(this.#sql, this.#clock.now())
  }

  /** Whether contents wait to be sent to the blob store, or to be released there. */
  needsFlush(): boolean {
    return this.#contents.needsFlush()
  }

  /**
   * Sends a batch of contents to the blob store, and releases contents without a reference. Harmless at any moment.
   * @returns true when there is more to do that can be done now
   * @throws FailureError `upstream`; nothing is lost then
   */
  flush(): Promise<boolean> {
    return this.#contents.flush()
  }

  /** Ends the workspace: waits for work under way, refuses more, and releases all contents. The tables stay. */
  destroy(): Promise<void> {
    return this.#contents.destroy()
  }

  #file(path: WorkspacePath): FileEntry | null {
    return followToFile(path, (at) => this.stat(at))
  }

  /** Content of a virtual file; null where there is none, or something is stored. */
  #unstored(path: WorkspacePath): Uint8Array | null {
    return this.#virtual === null || this.stat(path) ? null : this.#virtual.read(path)
  }

  #openUnstored(path: WorkspacePath) {
    const found = this.#unstoredFile(path)
    return found && { entry: found.entry, body: streamOf(found.content) }
  }

  #unstoredFile(path: WorkspacePath): { readonly entry: FileEntry; readonly content: Uint8Array } | null {
    const content = this.#unstored(path)
    if (!content) return null
    const { length: size } = content
    const entry = {
      path,
      kind: 'file',
      mode: FILE_MODE,
      mtimeMs: this.#clock.now(),
      hash: sha256(content),
      size,
    } as const
    return { entry, content }
  }
}
