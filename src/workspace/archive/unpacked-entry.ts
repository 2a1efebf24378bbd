import type { WorkspacePath } from '../../core/workspace-path.ts'

/** An entry of an archive that may be unpacked. */
export interface UnpackedEntry {
  readonly path: WorkspacePath
  readonly kind: 'file' | 'directory'
  /** Permission bits; undefined where the archive has none. */
  readonly mode: number | undefined
  /** Size of the content in bytes, as the archive states it: reading a content of another size fails. */
  readonly size: number
  /** Content of a file, which is read once, before the next entry. */
  content(): ReadableStream<Uint8Array>
}

/** Takes the entries of an archive one after another. */
export type TakeUnpacked = (entry: UnpackedEntry) => Promise<void>
