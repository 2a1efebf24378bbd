import { fail } from '../core/failure.ts'
import {
  COMMIT_SLICE_BYTES,
  COMMIT_SLICE_CONTENTS,
  MAX_COMMIT_CHANGES_AT_ONCE,
  MAX_FILE_BYTES,
  MAX_INLINE_BLOB_BYTES,
} from '../core/limits/workspace.ts'
import { sha256 } from '../core/sha256.ts'
import type { Clock } from '../ports/clock.ts'
import type { Sql } from '../ports/sql.ts'
import type { Change, StoreContent, StoredContent } from '../ports/workspace.ts'
import type { HashedContent } from './bytes.ts'
import type { HashedChange } from './changeset.ts'
import type { Contents } from './contents.ts'
import { sealCommit } from './history/seal.ts'
import type { KnownRows } from './known-rows.ts'
import type { WorkspaceLocks } from './locks.ts'
import { applyAll } from './many-entries.ts'
import { commitSmallWrite } from './small-write.ts'

interface CommitterParts {
  readonly sql: Sql
  readonly clock: Clock
  readonly contents: Contents
  readonly known: KnownRows
  readonly locks: WorkspaceLocks
  /** Called after each commit. */
  readonly committed: () => void
  /** Has contents without a reference released in a while, over crashes too: before contents are stored ahead of their commit. */
  readonly flushSoon?: (() => Promise<void>) | undefined
}

type Content = Extract<Change, { op: 'write' }>['content']

/** Commits of a workspace: contents first, then one transaction on the manifest. */
export class Committer {
  readonly #parts: CommitterParts
  readonly #contents: Contents
  readonly #known: KnownRows

  constructor(parts: CommitterParts) {
    this.#parts = parts
    this.#contents = parts.contents
    this.#known = parts.known
  }

  /** Runs work that stores contents ahead of their commit, as `SessionWorkspace.storing`. */
  storing<T>(work: (store: StoreContent) => Promise<T>): Promise<T> {
    return this.#contents.working(() => this.#contents.storing(() => work((content) => this.#store(content))))
  }

  async #store(content: Parameters<StoreContent>[0]): Promise<StoredContent> {
    await this.#parts.flushSoon?.()
    if (!(content instanceof Uint8Array)) {
      requireFileSize('the content', content.size)
      return { hash: await this.#contents.sendStream(content.stream, content.size), size: content.size }
    }
    const blob = { hash: sha256(content), content }
    if (smallContent(content)) this.#contents.keepAhead([blob])
    else await this.#contents.send([blob])
    return { hash: blob.hash, size: content.length }
  }

  /** Commits changes, or none of them. @throws FailureError as `Workspace.commit` */
  async commit(commit: Commit): Promise<void> {
    const { changes } = commit
    for (const change of changes) requireValid(change)
    if (this.#commitSmall(commit)) return
    const large = changes.flatMap((change) =>
      change.op === 'write' && !('hash' in change.content) && !smallContent(change.content) ? [change.content] : [],
    )
    const isLong = changes.length > MAX_COMMIT_CHANGES_AT_ONCE
    if (large.length === 0 && !isLong) return this.#commitHashed(commit, hashAll(changes))

    await this.storing(async () => {
      await this.#parts.flushSoon?.()
      if (large.length > 0) this.#rehearse(commit)
      const hashes = isLong ? await this.#keepAhead(changes) : hashAll(changes)
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
      this.#commitHashed(commit, hashes, isLong)
    })
  }

  /** Keeps the small contents of many changes, a slice at a time, between which others go on. @returns hashes of all contents in memory */
  async #keepAhead(changes: readonly Change[]): Promise<Map<Content, string>> {
    const hashes = new Map<Content, string>()
    let [slice, bytes]: [HashedContent[], number] = [[], 0]
    const end = async () => {
      this.#contents.keepAhead(slice)
      ;[slice, bytes] = [[], 0]
      await new Promise((resolve) => setTimeout(resolve, 0))
    }
    for (const change of changes) {
      if (change.op !== 'write' || !(change.content instanceof Uint8Array)) continue
      const { content } = change
      const hash = sha256(content)
      hashes.set(content, hash)
      bytes += content.length
      if (smallContent(content)) slice.push({ hash, content })
      if (slice.length >= COMMIT_SLICE_CONTENTS || bytes >= COMMIT_SLICE_BYTES) await end()
    }
    await end()
    return hashes
  }

  /** @param areKept whether the small contents are kept already */
  #commitHashed({ changes, callId, heedsLocks }: Commit, hashes: ReadonlyMap<Content, string>, areKept = false): void {
    this.#contents.requireOpen()
    this.#changing(() => {
      if (heedsLocks) this.#parts.locks.requireAllFree(changes)
      const at = this.#parts.clock.now()
      const seq = this.#known.totals.head + 1
      const hashed = this.#withHashes(changes, hashes)
      applyAll(this.#parts.sql, hashed, { seq, now: at })
      const referred = sealCommit(this.#parts.sql, { seq, callId, at })
      if (!areKept) this.#contents.keep(smallContents(changes, hashes).filter(({ hash }) => referred?.has(hash)))
    })
  }

  /** Commits one small file, if the commit is that. @returns whether it was, and is done */
  #commitSmall({ changes: [change, ...others], callId, heedsLocks }: Commit): boolean {
    const content = change?.op === 'write' && others.length === 0 ? smallContent(change.content) : null
    if (change?.op !== 'write' || content === null) return false
    this.#contents.requireOpen()
    if (heedsLocks) this.#parts.locks.requireFree(change.path)
    const { path, mode, mtimeMs } = change
    const write = { path, content, mode, mtimeMs }
    try {
      const isDone = commitSmallWrite(this.#parts.sql, this.#known, write, { callId, at: this.#parts.clock.now() })
      if (isDone) this.#parts.committed()
      return isDone
    } catch (thrown) {
      this.#known.forget()
      throw thrown
    }
  }

  /** Runs work that may change any row of the tables, as one transaction. */
  #changing(work: () => void): void {
    try {
      this.#parts.sql.transaction(work)
    } finally {
      this.#known.forget()
    }
    this.#parts.committed()
  }

  /** Result of work as {@link #changing} runs it, of which a trial leaves nothing behind. */
  trying<T>(isTrial: boolean, work: () => T): T {
    let result: { readonly value: T } | null = null
    try {
      this.#changing(() => {
        result = { value: work() }
        if (isTrial) throw new RehearsalEnded()
      })
    } catch (thrown) {
      if (!(thrown instanceof RehearsalEnded)) throw thrown
    }
    if (!result) throw new Error('the work ended without a result')
    return (result as { readonly value: T }).value
  }

  /** Checks a commit in advance and throws its error, so that a commit that cannot succeed sends nothing. */
  #rehearse({ changes, heedsLocks }: Commit): void {
    const standIns = new Map<Content, string>()
    for (const change of changes) {
      if (change.op === 'write') standIns.set(change.content, `rehearsal-${standIns.size}`)
    }
    this.trying(true, () => {
      if (heedsLocks) this.#parts.locks.requireAllFree(changes)
      const at = this.#parts.clock.now()
      const seq = this.#known.totals.head + 1
      applyAll(this.#parts.sql, this.#withHashes(changes, standIns), { seq, now: at })
      sealCommit(this.#parts.sql, { seq, callId: 'rehearsal', at })
    })
  }

  #withHashes(changes: readonly Change[], hashes: ReadonlyMap<Content, string>): HashedChange[] {
    const stored = changes.flatMap((change) =>
      change.op === 'write' && 'hash' in change.content ? [change.content.hash] : [],
    )
    const sizes = this.#contents.sizesOf(new Set(stored))
    return changes.map((change) => {
      if (change.op !== 'write') return change
      const { content, ...rest } = change
      if ('hash' in content) {
        const size = sizes.get(content.hash)
        if (size === undefined)
          fail('conflict', `the content stored for ${change.path} is no longer there; store it again`)
        return { ...rest, hash: content.hash, size }
      }
      const hash = hashes.get(content)
      if (hash === undefined) throw new Error(`the content of ${change.path} was not hashed`)
      return { ...rest, hash, size: sizeOf(content) }
    })
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

/** Small contents of changes, each once. */
function smallContents(changes: readonly Change[], hashes: ReadonlyMap<Content, string>): HashedContent[] {
  const found = new Map<string, HashedContent>()
  for (const change of changes) {
    const content = change.op === 'write' ? smallContent(change.content) : null
    const hash = content && hashes.get(content)
    if (content && hash) found.set(hash, { hash, content })
  }
  return [...found.values()]
}
