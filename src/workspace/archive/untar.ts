import { decompressed } from '../../core/decompressed.ts'
import { FailureError } from '../../core/failure.ts'
import { MAX_ARCHIVE_ENTRIES } from '../../core/limits/files.ts'
import { type ReadEntry, readTar, TAR_BLOCK } from '../../core/tar.ts'
import { pathFromBytes } from '../../core/workspace-path.ts'
import { streamOf } from '../bytes.ts'
import type { UnpackingBudget } from './budget.ts'
import type { EntryNames } from './entry-names.ts'
import { refuseArchive, refuseEntry } from './refused.ts'
import type { TakeUnpacked } from './unpacked-entry.ts'

/** Type of a header that says something about all entries behind it; `git archive` writes one. */
const GLOBAL_HEADER = 'g'
const DIRECTORY = '5'
/** Blocks for an entry besides its content: its header, two long names with theirs, and what fills the last block. */
const BLOCKS_PER_ENTRY = 8

/** Gives the entries of a gzipped tar to `take`, one by one as they are unpacked. @throws FailureError */
export async function untar(
  bytes: Uint8Array,
  names: EntryNames,
  budget: UnpackingBudget,
  take: TakeUnpacked,
): Promise<void> {
  const takeEntry = async ({ name, isFile, type, mode, size, content }: ReadEntry) => {
    names.count()
    if (type === GLOBAL_HEADER) return
    const isDirectory = type === DIRECTORY || (isFile && name.at(-1) === 0x2f && size === 0)
    if (!isFile && !isDirectory) refuseEntry(pathFromBytes(name), 'is a link, a device or the like, and not a file')
    if (isDirectory && size > 0) refuseEntry(pathFromBytes(name), 'is a directory with a content')
    budget.take(size)
    const path = names.add(name, isDirectory ? 'directory' : 'file')
    if (path === null) return
    const kind = isDirectory ? 'directory' : 'file'
    await take({ path, kind, mode: mode & 0o777, size, content: () => content.stream() })
    await budget.breathe(size)
  }
  const maxBytes = budget.maxBytes + MAX_ARCHIVE_ENTRIES * BLOCKS_PER_ENTRY * TAR_BLOCK
  try {
    await readTar(decompressed(streamOf(bytes), 'gzip'), takeEntry, maxBytes)
  } catch (thrown) {
    if (thrown instanceof FailureError) throw thrown
    refuseArchive('is damaged, or no tar.gz, or longer than its entries; check how it was made or sent', thrown)
  }
}
