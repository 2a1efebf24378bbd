import { ROOT, type WorkspacePath } from '../core/workspace-path.ts'
import type { ByteRange } from '../ports/blobs.ts'
import type { Sql } from '../ports/sql.ts'
import type { FileEntry, WorkspaceEntry } from '../ports/workspace.ts'
import { streamOf } from './bytes.ts'
import { contentMissing, partOf } from './contents.ts'
import { pageAsOf, pageNow } from './history/as-of.ts'
import { followToFile } from './links.ts'
import { pathsBelowExcept } from './path-range.ts'

interface Parts {
  readonly sql: Sql
  /** Commit after which the files are looked at; null for the present ones. */
  readonly commit: number | null
  readonly stat: (path: WorkspacePath) => WorkspaceEntry | null
  /** Number of the newest commit. */
  readonly head: () => number
  readonly content: (hash: string, range?: ByteRange) => Promise<{ readonly body: ReadableStream<Uint8Array> } | null>
  /** Virtual file at a path where nothing is stored. */
  readonly unstored: (path: WorkspacePath) => { readonly entry: FileEntry; readonly content: Uint8Array } | null
}

/** A file with its content, which is opened on demand. */
export interface FoundFile {
  readonly entry: FileEntry
  /** Content, or a part that lies inside of it. @throws FailureError `upstream` */
  open(range?: ByteRange): Promise<ReadableStream<Uint8Array>>
}

/** Files of a workspace as they are now, or as they were after a commit. */
export class FilesAt {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Number of the commit whose files these are. */
  get commit(): number {
    return this.#parts.commit ?? this.#parts.head()
  }

  /** The entry at `path`, or null. Links are not followed. */
  stat(path: WorkspacePath): WorkspaceEntry | null {
    return this.#parts.stat(path)
  }

  /**
   * The file that a path leads to, links followed. @returns null where there is none
   * @throws FailureError `forbidden` when a link points out of the workspace, `invalid_input` when links form a circle
   */
  find(path: WorkspacePath): FoundFile | null {
    const entry = followToFile(path, this.#parts.stat)
    if (entry) return this.#stored(entry)
    const virtual = this.#parts.unstored(path)
    return virtual && { entry: virtual.entry, open: async (range) => streamOf(partOf(virtual.content, range)) }
  }

  /**
   * Entries below `dir`, sorted by path: at most `limit`, behind `after`.
   * @param depth levels of directories: 1 for those that lie in `dir` itself
   */
  page(
    dir: WorkspacePath,
    { depth, after, limit }: { readonly depth: number; readonly after?: WorkspacePath; readonly limit: number },
  ): WorkspaceEntry[] {
    const [range] = pathsBelowExcept(dir, [], after)
    if (!range) return []
    const { sql, commit } = this.#parts
    const levels = dir === ROOT ? 0 : dir.split('/').length
    const page = { ...range, maxSlashes: levels + depth - 1, limit }
    return commit === null ? pageNow(sql, page) : pageAsOf(sql, commit, page)
  }

  /** Content of an entry. @throws FailureError `upstream` */
  content(entry: FileEntry): Promise<ReadableStream<Uint8Array>> {
    return this.#stored(entry).open()
  }

  /** A file with its content. */
  #stored(entry: FileEntry): FoundFile {
    const open = async (range?: ByteRange) =>
      ((await this.#parts.content(entry.hash, range)) ?? contentMissing(entry.path)).body
    return { entry, open }
  }
}
