import { crc32 } from 'node:zlib'
import { decompressed } from '../../core/decompressed.ts'
import { pathFromBytes } from '../../core/workspace-path.ts'
import { streamOf } from '../bytes.ts'
import type { UnpackingBudget } from './budget.ts'
import type { EntryNames } from './entry-names.ts'
import { refuseEntry } from './refused.ts'
import type { TakeUnpacked } from './unpacked-entry.ts'
import { type ZipEntry, zipEntries } from './zip-directory.ts'

/** Gives the entries of a zip to `take`. All names and sizes are checked before anything is unpacked. @throws FailureError */
export async function unzip(
  bytes: Uint8Array,
  names: EntryNames,
  budget: UnpackingBudget,
  take: TakeUnpacked,
): Promise<void> {
  const entries = zipEntries(bytes)
  const named = entries.flatMap((entry) => {
    budget.take(entry.size)
    const path = names.add(entry.name, entry.isDirectory ? 'directory' : 'file')
    return path === null ? [] : [{ entry, path }]
  })
  for (const { entry, path } of named) {
    const { mode, size } = entry
    await take({ path, kind: entry.isDirectory ? 'directory' : 'file', mode, size, content: () => contentOf(entry) })
    await budget.breathe(size)
  }
}

/** Content of an entry, which fails where it is not what the directory states. */
function contentOf(entry: ZipEntry): ReadableStream<Uint8Array> {
  const { packed, isDeflated, size, crc } = entry
  const source = isDeflated ? decompressed(streamOf(packed), 'deflate-raw') : streamOf(packed)
  const reader = source.getReader()
  let [seen, sum] = [0, 0]
  const refuse = () => refuseEntry(pathFromBytes(entry.name), 'does not unpack to what the archive says of it')
  return new ReadableStream({
    async pull(controller) {
      const next = await reader.read().catch(refuse)
      if (next.done) {
        if (seen !== size || sum !== crc) refuse()
        return controller.close()
      }
      seen += next.value.length
      sum = crc32(next.value, sum)
      if (seen > size) {
        await reader.cancel()
        refuse()
      }
      controller.enqueue(next.value)
    },
    cancel: (reason) => reader.cancel(reason),
  })
}
