import { orNull } from '../../core/failure.ts'
import { readAll } from '../../core/read-all.ts'
import type { FileEntry } from '../../ports/workspace.ts'
import type { SyncedWorkspace } from '../../workspace/synced.ts'
import type { SessionApi } from '../api.ts'

type Contents = Pick<SyncedWorkspace, 'readMany'>

/**
 * Contents of two sessions' files. Those of a tenant are shared by their hashes; what the other session has not stored yet, it is asked
 * for by path.
 * @param commit of the other session
 */
export const contentsOfBoth = (own: Contents, other: Pick<SessionApi, 'files'>, commit: number): Contents => ({
  async readMany(files) {
    const { contents, fetched } = await own.readMany(files)
    const whole = await Promise.all(
      contents.map((content, at) => content ?? contentOfOther(other, files[at] as FileEntry, commit)),
    )
    return { contents: whole, fetched }
  },
})

async function contentOfOther(
  { files }: Pick<SessionApi, 'files'>,
  { path, hash, size }: FileEntry,
  asOf: number,
): Promise<Uint8Array | null> {
  const request = { path, asOf, range: null, ifRange: null, match: null, noneMatch: null, content: true }
  const found = await orNull(files.read(request), 'not_found')
  if (found?.state !== 'found' || !found.body) return null
  if (found.file.hash !== hash) {
    await found.body.cancel()
    return null
  }
  return readAll(found.body, size)
}
