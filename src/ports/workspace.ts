import type { Moment } from '../core/moment.ts'
import type { WorkspacePath } from '../core/workspace-path.ts'

/**
 * The files of one session, as tools see them. Bytes in, bytes out. Every mutation goes through {@link Workspace.commit}.
 * Implementation: `src/workspace/`, over SQLite for the manifest and {@link BlobStore} for contents.
 */
export interface Workspace {
  /** The entry at `path`, or null. Links are not followed. The root is a directory that always exists. */
  stat(path: WorkspacePath): WorkspaceEntry | null

  /**
   * Entries of `dir`, sorted by path (code points), at most `limit` of them.
   * @param recursive also entries of its directories, except below those named in `except`
   */
  list(dir: WorkspacePath, options: ListOptions): WorkspaceListing

  /**
   * The whole content of a file, following a link that stays inside the workspace.
   * @returns null when there is no file at `path`
   * @throws FailureError `limit_exceeded` when it is larger than `MAX_EDIT_BYTES`
   */
  read(path: WorkspacePath): Promise<Uint8Array | null>

  /**
   * Whole contents of files, in their order; null for one that is no longer there. The caller bounds their number and their size
   * together. Small ones that were fetched are kept beside the tables while there is room.
   * @returns `fetched`: contents that took a request to the blob store; the others come by one look at the tables
   * @throws FailureError `upstream`
   */
  readMany(
    files: readonly FileEntry[],
  ): Promise<{ readonly contents: readonly (Uint8Array | null)[]; readonly fetched: number }>

  /** Files as they were at a moment. @throws FailureError `not_found` for one that is not kept */
  at(moment: Moment): PastFiles

  /** Directories whose content stays in the sandbox, by the present state of the task: its `.toolyardignore` changes them. */
  sandboxOnly(): Promise<SandboxOnly>

  /** Content of a file of any size as a stream; otherwise as {@link read}. */
  open(path: WorkspacePath): Promise<{ readonly entry: FileEntry; readonly body: ReadableStream<Uint8Array> } | null>

  /**
   * Carries out all changes as one commit, or none of them: contents first, then one transaction on the manifest. Missing
   * directories are made. A file is replaced by a file; `remove` of a missing path is not an error.
   * @throws FailureError `conflict` when a directory stands where a file should, or a file where a directory should, or a
   * lock holds for a changed path; `limit_exceeded` past MAX_FILE_BYTES, MAX_WORKSPACE_ENTRIES or MAX_WORKSPACE_BYTES;
   * nothing is changed then.
   */
  commit(changes: readonly Change[]): Promise<void>

  /**
   * Runs `work`, which may put contents into the store ahead of the commit that refers to them: no content is released before it
   * ends.
   */
  storing<T>(work: (store: StoreContent) => Promise<T>): Promise<T>
}

/** Files as they were after a commit, as {@link Workspace} has them now. Directories whose content stays in the sandbox are those of now. */
export type PastFiles = Pick<Workspace, 'stat' | 'list' | 'read' | 'sandboxOnly'>

/** Directories, such as node_modules, whose content stays in the sandbox: the workspace has the directories themselves, empty. */
export interface SandboxOnly {
  /** The topmost such directory at a path or above it, whether there is one or not; null where none may be. */
  directoryAt(path: WorkspacePath): WorkspacePath | null
}

/** Puts a content into the store. A stream needs its exact size in bytes. */
export type StoreContent = (
  content: Uint8Array | { readonly stream: ReadableStream<Uint8Array>; readonly size: number },
) => Promise<StoredContent>

export interface ListOptions {
  readonly recursive?: boolean
  /** Directories that are listed themselves but whose entries are not. */
  readonly except?: readonly WorkspacePath[]
  readonly limit?: number
  /** Only entries behind this path, for a listing in pages; recursive listings alone heed it. */
  readonly after?: WorkspacePath | undefined
}

export interface WorkspaceListing {
  readonly entries: readonly WorkspaceEntry[]
  /** True when `limit` cut the listing. */
  readonly truncated: boolean
}

interface EntryBase {
  readonly path: WorkspacePath
  /** Milliseconds since 1970. */
  readonly mtimeMs: number
  /** Permission bits, e.g. 0o644. */
  readonly mode: number
}
export interface FileEntry extends EntryBase {
  readonly kind: 'file'
  /** SHA-256 of the content, 64 hex digits. */
  readonly hash: string
  readonly size: number
}
export interface DirectoryEntry extends EntryBase {
  readonly kind: 'directory'
}
export interface LinkEntry extends EntryBase {
  readonly kind: 'link'
  /** Target as the link has it; may point anywhere, and is never followed out of the workspace. */
  readonly target: string
}
export type WorkspaceEntry = FileEntry | DirectoryEntry | LinkEntry

/** The change that makes an entry stand at `path`, with its content. */
export function changeMaking(entry: WorkspaceEntry, path: WorkspacePath = entry.path): Change {
  const { mode, mtimeMs } = entry
  switch (entry.kind) {
    case 'file':
      return { op: 'write', path, content: entry, mode, mtimeMs }
    case 'directory':
      return { op: 'mkdir', path, mode }
    case 'link':
      return { op: 'link', path, target: entry.target, mtimeMs }
  }
}

export type Change =
  | {
      readonly op: 'write'
      readonly path: WorkspacePath
      /** Content of the file. A stream needs its exact size in bytes. */
      readonly content:
        | Uint8Array
        | { readonly stream: ReadableStream<Uint8Array>; readonly size: number }
        | StoredContent
      /** Permission bits; by default those of the file that stood there, or 0o644. */
      readonly mode?: number
      readonly mtimeMs?: number
    }
  | { readonly op: 'mkdir'; readonly path: WorkspacePath; readonly mode?: number }
  | { readonly op: 'link'; readonly path: WorkspacePath; readonly target: string; readonly mtimeMs?: number }
  | { readonly op: 'chmod'; readonly path: WorkspacePath; readonly mode: number; readonly mtimeMs?: number }
  /** Removes the entry, and all below it. */
  | { readonly op: 'remove'; readonly path: WorkspacePath }
  /** Moves the entry, and all below it, to the name `to`. A file or a link at `to` is replaced. */
  | { readonly op: 'move'; readonly from: WorkspacePath; readonly to: WorkspacePath }

/** Reference to content that is in the store already, e.g. of another file. */
export interface StoredContent {
  /** SHA-256, 64 hex digits. */
  readonly hash: string
  readonly size: number
}
