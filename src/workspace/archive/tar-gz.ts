import { compressed } from '../../core/compressed.ts'
import { tarEnd, tarHeader, tarPadding } from '../../core/tar.ts'
import { pathBelow, pathToBytes, type WorkspacePath } from '../../core/workspace-path.ts'
import type { FileEntry, WorkspaceEntry } from '../../ports/workspace.ts'
import { bytesOfPieces } from '../bytes.ts'

/**
 * Gzipped tar of files and directories, of which a few pieces at a time are in memory. Links are left out: an unpacked archive has
 * nothing that leads elsewhere.
 * @param base directory of the entries, from which on their names in the archive begin
 */
export const tarGz = (
  entries: readonly WorkspaceEntry[],
  open: (file: FileEntry) => Promise<ReadableStream<Uint8Array>>,
  base: WorkspacePath,
): ReadableStream<Uint8Array> => bytesOfPieces(copied(compressed(bytesOfPieces(pieces(entries, open, base)), 'gzip')))

/** Pieces in buffers of their own: a stream of bytes takes over the buffer, and the compressor hands out parts of one. */
async function* copied(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array<ArrayBuffer>, undefined> {
  for await (const piece of stream) yield Uint8Array.from(piece)
  return undefined
}

async function* pieces(
  entries: readonly WorkspaceEntry[],
  open: (file: FileEntry) => Promise<ReadableStream<Uint8Array>>,
  base: WorkspacePath,
): AsyncGenerator<Uint8Array<ArrayBuffer>, undefined> {
  for (const entry of entries) {
    if (entry.kind === 'link') continue
    const { mode, mtimeMs } = entry
    const size = entry.kind === 'file' ? entry.size : 0
    yield Uint8Array.from(
      tarHeader({ name: pathToBytes(pathBelow(entry.path, base)), kind: entry.kind, mode, mtimeMs, size }),
    )
    if (entry.kind === 'directory' || size === 0) continue
    // The stream takes over the buffer, which a content may share with others.
    for await (const chunk of await open(entry)) yield Uint8Array.from(chunk)
    const padding = Uint8Array.from(tarPadding(size))
    if (padding.length > 0) yield padding
  }
  yield Uint8Array.from(tarEnd())
  return undefined
}
