import { MAX_ARCHIVE_LARGE_FILES, MAX_HELD_ARCHIVE_BYTES, MAX_HELD_UPLOAD_BYTES } from '../../core/limits/files.ts'
import { MAX_INLINE_BLOB_BYTES } from '../../core/limits/workspace.ts'
import type { WorkspacePath } from '../../core/workspace-path.ts'
import type { Change, StoreContent } from '../../ports/workspace.ts'
import { collect } from '../bytes.ts'
import { UnpackingBudget } from './budget.ts'
import { EntryNames } from './entry-names.ts'
import { refuseArchive, refuseSize } from './refused.ts'
import type { UnpackedEntry } from './unpacked-entry.ts'
import { untar } from './untar.ts'
import { unzip } from './unzip.ts'

/** Content of an archive, as the changes that make it. */
export interface Unpacked {
  readonly changes: readonly Change[]
  readonly files: number
  /** Size of the files together. */
  readonly bytes: number
}

/**
 * Unpacks a zip or a gzipped tar: contents that do not fit into memory go to the store.
 * @param base directory into which it is unpacked
 * @throws FailureError `invalid_input`, which names the entry at fault; `limit_exceeded`
 */
export async function unpack(archive: Uint8Array, base: WorkspacePath, store: StoreContent): Promise<Unpacked> {
  const unpacking = new Unpacking(store)
  const names = new EntryNames(base)
  const budget = new UnpackingBudget(archive.length)
  const take = (entry: UnpackedEntry) => unpacking.take(entry)
  if (startsWith(archive, ZIP) || startsWith(archive, EMPTY_ZIP)) await unzip(archive, names, budget, take)
  else if (startsWith(archive, GZIP)) await untar(archive, names, budget, take)
  else refuseArchive('is neither a zip nor a tar.gz')
  return unpacking
}

/** Entries that were unpacked so far. */
class Unpacking implements Unpacked {
  readonly changes: Change[] = []
  files = 0
  bytes = 0
  readonly #store: StoreContent
  #held = 0
  #large = 0

  constructor(store: StoreContent) {
    this.#store = store
  }

  async take(entry: UnpackedEntry): Promise<void> {
    const mode = entry.mode === undefined ? {} : { mode: entry.mode }
    if (entry.kind === 'directory') {
      this.changes.push({ op: 'mkdir', path: entry.path })
      return
    }
    this.files += 1
    this.bytes += entry.size
    this.changes.push({ op: 'write', path: entry.path, content: await this.#content(entry), ...mode })
  }

  async #content(entry: UnpackedEntry): Promise<Extract<Change, { op: 'write' }>['content']> {
    const { size } = entry
    if (size > MAX_INLINE_BLOB_BYTES && ++this.#large > MAX_ARCHIVE_LARGE_FILES)
      refuseSize(
        'MAX_ARCHIVE_LARGE_FILES',
        MAX_ARCHIVE_LARGE_FILES,
        `has more files larger than ${MAX_INLINE_BLOB_BYTES} bytes`,
      )
    if (size > MAX_HELD_UPLOAD_BYTES) return this.#store({ stream: entry.content(), size })
    const content = await collect(entry.content(), size)
    if (size > MAX_INLINE_BLOB_BYTES || this.#held + size > MAX_HELD_ARCHIVE_BYTES) return this.#store(content)
    this.#held += size
    return content
  }
}

const ZIP = [0x50, 0x4b, 3, 4]
const EMPTY_ZIP = [0x50, 0x4b, 5, 6]
const GZIP = [0x1f, 0x8b]
const startsWith = (bytes: Uint8Array, start: readonly number[]) => start.every((byte, at) => bytes[at] === byte)
