import { fail } from '../core/failure.ts'
import { MAX_EDIT_BYTES, MAX_FILE_BYTES, MAX_INLINE_BLOB_BYTES } from '../core/limits/workspace.ts'
import { sha256 } from '../core/sha256.ts'
import { ROOT, type WorkspacePath } from '../core/workspace-path.ts'
import type { BlobStore, ByteRange } from '../ports/blobs.ts'
import type { Clock } from '../ports/clock.ts'
import type { Sql } from '../ports/sql.ts'
import type {
  Change,
  FileEntry,
  ListOptions,
  StoreContent,
  StoredContent,
  Workspace,
  WorkspaceEntry,
  WorkspaceListing,
} from '../ports/workspace.ts'
import { collect, streamOf } from './bytes.ts'
import { CallWorkspace } from './call-workspace.ts'
import { Changeset, FILE_MODE, type HashedChange } from './changeset.ts'
import { Contents, contentMissing, type HashedContent } from './contents.ts'
import { FilesAt } from './files-at.ts'
import {
  type CommitPage,
  changedByCall,
  changesSince,
  compareCommits,
  type Difference,
  entriesAsOf,
  entryAsOf,
  expireCommits,
  listCommits,
  requireKept,
  rewind,
  sealCommit,
} from './history.ts'
import { ignoreListOf } from './ignore-list.ts'
import { KnownRows } from './known-rows.ts'
import { followToFile } from './links.ts'
import { WorkspaceLocks } from './locks.ts'
import { allEntries, listEntries } from './manifest.ts'
import { commitSmallWrite } from './small-write.ts'
import type { SyncedWorkspace } from './synced.ts'
import type { VirtualFiles } from './virtual-files.ts'

export interface WorkspaceParts {
  readonly sql: Sql
  readonly blobs: BlobStore
  readonly clock: Clock
  /** Author of commits made outside of {@link SessionWorkspace.forCall}. */
  readonly callId: () => string
  /** Files that are not stored; none when left out. */
  readonly virtual?: VirtualFiles
}

type Content = Extract<Change, { op: 'write' }>['content']

/**
 * Files of one session and their history, one object for all calls of a session. The session's tables must be up to date. After a
 * commit, {@link flush} and {@link expire} are due sooner or later; nothing is lost when they never come.
 */
export class SessionWorkspace implements Workspace {
  readonly locks: WorkspaceLocks
  readonly #sql: Sql
  readonly #clock: Clock
  readonly #callId: () => string
  readonly #contents: Contents
  readonly #known: KnownRows
  readonly #virtual: VirtualFiles | null

  constructor({ sql, blobs, clock, callId, virtual }: WorkspaceParts) {
    this.#sql = sql
    this.#clock = clock
    this.#callId = callId
    this.#virtual = virtual ?? null
    this.#contents = new Contents(sql, blobs)
    this.#known = new KnownRows(sql)
    this.locks = new WorkspaceLocks(sql, clock)
  }

  /** The workspace for one call, whose id history names as the author of its commits. */
  forCall(callId: string): SyncedWorkspace {
    return new CallWorkspace(this, callId)
  }

  stat(path: WorkspacePath): WorkspaceEntry | null {
    return this.#known.entryAt(path)
  }

  list(dir: WorkspacePath, options: ListOptions = {}): WorkspaceListing {
    return listEntries(this.#sql, dir, options)
  }

  async read(path: WorkspacePath): Promise<Uint8Array | null> {
    const entry = this.#file(path)
    if (!entry) return this.#unstored(path)
    if (entry.size > MAX_EDIT_BYTES) {
      fail(
        'limit_exceeded',
        `${path} has ${entry.size} bytes; at most ${MAX_EDIT_BYTES} can be read whole (MAX_EDIT_BYTES); download it, or read a part of it in the sandbox`,
      )
    }
    return (await this.readBlob(entry.hash)) ?? contentMissing(path)
  }

  async readMany(files: readonly FileEntry[]) {
    const local = this.#contents.locals(files.map(({ hash }) => hash))
    const contents = await Promise.all(files.map(async ({ hash }) => local.get(hash) ?? this.readBlob(hash)))
    return { contents, fetched: files.filter(({ hash }) => !local.has(hash)).length }
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

  /** Files as they are now, or as they were after a commit. @throws FailureError `not_found` for a commit that is not kept */
  filesAt(commit: number | null): FilesAt {
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
    return this.#contents.working(() => this.#contents.storing(() => work((content) => this.#store(content))))
  }

  async #store(content: Parameters<StoreContent>[0]): Promise<StoredContent> {
    if (!(content instanceof Uint8Array)) {
      requireFileSize('the content', content.size)
      return { hash: await this.#contents.sendStream(content.stream, content.size), size: content.size }
    }
    const blob = { hash: sha256(content), content }
    if (smallContent(content)) this.#contents.keepAhead(blob)
    else await this.#contents.send([blob])
    return { hash: blob.hash, size: content.length }
  }

  /** Commits changes, as the port says. @param callId the call that history names as the author */
  commit(changes: readonly Change[], callId = this.#callId()): Promise<void> {
    return this.#commit({ changes, callId, heedsLocks: true })
  }

  /** Commits changes already made elsewhere, which locks do not hold back. */
  takeOver(changes: readonly Change[], callId = this.#callId()): Promise<void> {
    return this.#commit({ changes, callId, heedsLocks: false })
  }

  async #commit(commit: Commit): Promise<void> {
    const { changes } = commit
    for (const change of changes) requireValid(change)
    if (this.#commitSmall(commit)) return
    const large = changes.flatMap((change) =>
      change.op === 'write' && !('hash' in change.content) && !smallContent(change.content) ? [change.content] : [],
    )
    if (large.length === 0) return this.#commitHashed(commit, hashAll(changes))

    await this.storing(async () => {
      this.#rehearse(commit)
      const hashes = hashAll(changes)
      await this.#contents.send(
        large.flatMap((content) => {
          const hash = hashes.get(content)
          return content instanceof Uint8Array && hash ? [{ hash, content }] : []
        }),
      )
      for (const content of large) {
        if (content instanceof Uint8Array) continue
        hashes.set(content, await this.#contents.sendStream(content.stream, content.size))
      }
      this.#commitHashed(commit, hashes)
    })
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

  /** Files changed by one call's commits after `seq`, as in `SyncedWorkspace.changedByCall`. */
  changedByCall(callId: string, seq: number, limit: number) {
    return changedByCall(this.#sql, { callId, seq, limit })
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

  /** Restores the state after commit `seq`, as a new commit. @throws FailureError `not_found` */
  restore(seq: number, callId = this.#callId()): void {
    this.#contents.requireOpen()
    this.#changing(() => {
      const next = this.headSeq() + 1
      rewind(this.#sql, seq, next)
      sealCommit(this.#sql, { seq: next, callId, at: this.#clock.now() })
    })
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
   * @returns true when there is more to do
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

  #commitHashed({ changes, callId, heedsLocks }: Commit, hashes: ReadonlyMap<Content, string>): void {
    this.#contents.requireOpen()
    const inline = new Map<string, HashedContent>()
    this.#changing(() => {
      if (heedsLocks) this.locks.requireAllFree(changes)
      const at = this.#clock.now()
      const seq = this.headSeq() + 1
      const changeset = new Changeset(this.#sql, seq, at)
      for (const change of changes) {
        const hashed = this.#withHash(change, hashes)
        changeset.apply(hashed)
        const small = change.op === 'write' ? smallContent(change.content) : null
        if (small && hashed.op === 'write') inline.set(hashed.hash, { hash: hashed.hash, content: small })
      }
      const referred = sealCommit(this.#sql, { seq, callId, at })
      this.#contents.keep([...inline.values()].filter(({ hash }) => referred?.has(hash)))
    })
  }

  /** Commits one small file, if the commit is that. @returns whether it was, and is done */
  #commitSmall({ changes: [change, ...others], callId, heedsLocks }: Commit): boolean {
    const content = change?.op === 'write' && others.length === 0 ? smallContent(change.content) : null
    if (change?.op !== 'write' || content === null) return false
    this.#contents.requireOpen()
    if (heedsLocks) this.locks.requireFree(change.path)
    const { path, mode, mtimeMs } = change
    const write = { path, content, mode, mtimeMs }
    try {
      return commitSmallWrite(this.#sql, this.#known, write, { callId, at: this.#clock.now() })
    } catch (thrown) {
      this.#known.forget()
      throw thrown
    }
  }

  /** Runs work that may change any row of the tables, as one transaction. */
  #changing(work: () => void): void {
    try {
      this.#sql.transaction(work)
    } finally {
      this.#known.forget()
    }
  }

  /** Checks a commit in advance and throws its error, so that a commit that cannot succeed sends nothing. */
  #rehearse({ changes, heedsLocks }: Commit): void {
    const standIns = new Map<Content, string>()
    for (const change of changes) {
      if (change.op === 'write') standIns.set(change.content, `rehearsal-${standIns.size}`)
    }
    try {
      this.#changing(() => {
        if (heedsLocks) this.locks.requireAllFree(changes)
        const at = this.#clock.now()
        const seq = this.headSeq() + 1
        const changeset = new Changeset(this.#sql, seq, at)
        for (const change of changes) changeset.apply(this.#withHash(change, standIns))
        sealCommit(this.#sql, { seq, callId: 'rehearsal', at })
        throw new RehearsalEnded()
      })
    } catch (thrown) {
      if (!(thrown instanceof RehearsalEnded)) throw thrown
    }
  }

  #withHash(change: Change, hashes: ReadonlyMap<Content, string>): HashedChange {
    if (change.op !== 'write') return change
    const { content, ...rest } = change
    if ('hash' in content) {
      const size = this.#contents.sizeOf(content.hash)
      if (size === null) fail('conflict', `the content stored for ${change.path} is no longer there; store it again`)
      return { ...rest, hash: content.hash, size }
    }
    const hash = hashes.get(content)
    if (hash === undefined) throw new Error(`the content of ${change.path} was not hashed`)
    return { ...rest, hash, size: sizeOf(content) }
  }
}

interface Commit {
  readonly changes: readonly Change[]
  readonly callId: string
  readonly heedsLocks: boolean
}

class RehearsalEnded extends Error {}

const sizeOf = (content: Content) => (content instanceof Uint8Array ? content.length : content.size)

/** Content to commit in SQLite; null when it goes to the blob store first or is stored already. */
const smallContent = (content: Content) =>
  content instanceof Uint8Array && content.length <= MAX_INLINE_BLOB_BYTES ? content : null

function requireValid(change: Change): void {
  const paths = change.op === 'move' ? [change.from, change.to] : [change.path]
  for (const path of paths) {
    // SQLite keeps text as UTF-8, which has no lone surrogates: the name would come back as another one.
    if (!path.isWellFormed()) fail('invalid_input', 'a name in the path is not valid Unicode')
  }
  if (change.op === 'write') requireFileSize(change.path, sizeOf(change.content))
}

function requireFileSize(what: string, size: number): void {
  if (!Number.isSafeInteger(size) || size < 0) fail('invalid_input', `the size of ${what} is not a number of bytes`)
  if (size > MAX_FILE_BYTES) {
    fail(
      'limit_exceeded',
      `${what} has ${size} bytes; a file may have at most ${MAX_FILE_BYTES} (MAX_FILE_BYTES); split it`,
    )
  }
}

function hashAll(changes: readonly Change[]): Map<Content, string> {
  const hashes = new Map<Content, string>()
  for (const change of changes) {
    if (change.op === 'write' && change.content instanceof Uint8Array) {
      hashes.set(change.content, sha256(change.content))
    }
  }
  return hashes
}
