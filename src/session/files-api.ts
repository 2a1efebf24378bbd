import type { Moment } from '../core/moment.ts'

/** Files of a session, for requests that are no calls of tools. */
export interface SessionFilesApi {
  /** Content of one file, as a stream. @throws FailureError `not_found`; `invalid_input` for a directory */
  download(path: string): Promise<Download>
  /** All files as a zip, made while it is read. Links are left out. */
  archive(): Promise<Download>
  /** Stores one file of at most MAX_BODY_BYTES, replacing an earlier one. @throws FailureError as a commit */
  upload(path: string, content: Uint8Array): Promise<void>
  /** A file with its content or a part of it, if the conditions hold. @throws FailureError `not_found` */
  read(request: FileRead): Promise<FileAnswer>
  /** Page of a directory's entries, sorted by path. @throws FailureError `not_found` */
  list(request: DirectoryPage): Promise<FileList>
  /**
   * Says in advance whether a file could be stored now, so that its content need not be sent for nothing.
   * @returns null when it could
   * @throws FailureError as {@link put}
   */
  mayPut(request: FileChange): Promise<ConditionFailed | null>
  /**
   * Stores one file as a commit, if the conditions hold at that moment. A stream is read before the call waits for its turn.
   * @throws FailureError as a commit
   */
  put(request: FileChange & { readonly sha256: string | null }, content: FileContent): Promise<FileWritten>
  /** Removes a file, or a directory with all that is in it, as a commit. @throws FailureError `not_found` */
  remove(request: FileChange & { readonly recursive: boolean }): Promise<FileRemoved>
  /** Archive of a directory as it is now or was after a commit, made while it is read. Links are left out. @throws FailureError `not_found` */
  pack(request: ArchivePack): Promise<Download>
  /** Unpacks a zip or a tar.gz into a directory, as one commit of all or nothing. @throws FailureError `invalid_input` naming the entry at fault, `limit_exceeded`; as a commit */
  unpack(request: ArchiveUnpack, archive: Uint8Array): Promise<ArchiveUnpacked>
}

/** Conditions on the present content of a file, given as SHA-256; `any`: whichever content, if there is one. */
export interface FileConditions {
  /** Contents of which the file must have one. */
  readonly match: readonly string[] | 'any' | null
  /** Contents of which the file must have none. */
  readonly noneMatch: readonly string[] | 'any' | null
  /** Time in whole seconds since 1970 after which the file must not have changed. */
  readonly unmodifiedSince?: number | null
}

/** Part of a file: from a byte on, to a byte (included) or to the end; or so many last bytes. */
export type RequestedRange = { readonly first: number; readonly last: number | null } | { readonly suffix: number }

export interface FileRead extends FileConditions {
  readonly path: string
  /** Moment of the file that is read; null for its present state. */
  readonly asOf: Moment | null
  readonly range: RequestedRange | null
  /** Time in whole seconds since 1970 after which the file must have changed, or is not sent again. */
  readonly modifiedSince?: number | null
  /** Content of which alone a part is wanted, else the whole file; null for any. */
  readonly ifRange: string | null
  /** Whether the sandbox is looked at, as in {@link DirectoryPage}. */
  readonly looks?: boolean
  /** Whether the content is wanted besides the facts. */
  readonly content: boolean
}

/** Facts of an entry. `hash` and `size` are those of a file, null for anything else. */
export interface FileFacts {
  readonly path: string
  readonly kind: 'file' | 'directory' | 'link'
  readonly size: number | null
  /** SHA-256 of the content, 64 hex digits. */
  readonly hash: string | null
  /** Milliseconds since 1970. */
  readonly modifiedAt: number
}

/** Answer to a change or a read whose conditions do not hold: the file as it is, null where there is none. */
export interface ConditionFailed {
  readonly state: 'condition failed'
  readonly file: FileFacts | null
}

export type FileAnswer =
  | {
      readonly state: 'found'
      readonly file: FileFacts
      /** Bytes of the content that `body` has; null for the whole. */
      readonly part: { readonly offset: number; readonly length: number } | null
      readonly body: ReadableStream<Uint8Array> | null
    }
  | { readonly state: 'unchanged' | 'no such range'; readonly file: FileFacts }
  | { readonly state: 'directory' }
  | ConditionFailed

export interface DirectoryPage {
  readonly path: string
  readonly asOf: Moment | null
  /** Levels of directories: 1 for the entries of the directory itself. */
  readonly depth: number
  readonly limit: number
  /** Path behind which the page begins; null for the first one. */
  readonly after: string | null
  /** False: as the files are known, without a look at what running commands have written. */
  readonly looks?: boolean
}

export interface FileList {
  readonly entries: readonly FileFacts[]
  /** Whether there are more behind the last entry. */
  readonly more: boolean
  /** Commit whose files these are. */
  readonly commit: number
}

export interface FileChange extends FileConditions {
  readonly path: string
  /** Author of the commit, as history names it. */
  readonly author: string
}

/** Content of a file that comes in. A stream needs its exact size in bytes. */
export type FileContent = Uint8Array | { readonly stream: ReadableStream<Uint8Array>; readonly size: number }

export type FileWritten =
  | { readonly state: 'written'; readonly created: boolean; readonly file: FileFacts; readonly commit: number }
  | ConditionFailed

export type FileRemoved = { readonly state: 'removed'; readonly commit: number } | ConditionFailed

export interface ArchivePack {
  /** Directory whose files the archive has, with names from there on. */
  readonly path: string
  readonly asOf: Moment | null
  readonly format: 'zip' | 'tar.gz'
}

export interface ArchiveUnpack {
  /** Directory into which the archive is unpacked; made where it does not exist. */
  readonly path: string
  /** `replace`: what else is in the directory is removed. */
  readonly mode: 'merge' | 'replace'
  readonly author: string
}

export interface ArchiveUnpacked {
  readonly files: number
  /** Size of the files together. */
  readonly bytes: number
  readonly commit: number
}

export interface Download {
  readonly name: string
  /** Size in bytes; null when it is known only at the end. */
  readonly size: number | null
  readonly body: ReadableStream<Uint8Array>
}
