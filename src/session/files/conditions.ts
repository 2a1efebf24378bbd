import { fail, failureWith, RefusalError } from '../../core/failure.ts'
import type { UnchangedFile } from '../../core/packed-call.ts'
import { type WorkspacePath, workspacePath } from '../../core/workspace-path.ts'
import type { FilesAt, FoundFile } from '../../workspace/files-at.ts'
import type { ConditionFailed, FileConditions, FileFacts, RequestedRange } from '../files-api.ts'
import { factsOf } from './facts.ts'

/**
 * Answer to a request whose conditions do not hold, null where they do. By RFC 9110, section 13.
 * @param path names any entry: a directory or a broken link exists, but has none of the named contents
 */
export function unmet(conditions: FileConditions, files: FilesAt, path: WorkspacePath): ConditionFailed | null {
  const { match, noneMatch, unmodifiedSince = null } = conditions
  if (match === null && noneMatch === null && unmodifiedSince === null) return null
  const found = files.find(path)
  const exists = found !== null || files.stat(path) !== null
  const hash = found?.entry.hash ?? null
  const isMet =
    (match === null || holds(match, exists, hash)) &&
    // RFC 9110, 13.1.4: what is not there has no date, and any date fits.
    (unmodifiedSince === null || found === null || !changedAfter(unmodifiedSince, factsOf(found.entry))) &&
    (noneMatch === null || !holds(noneMatch, exists, hash))
  return isMet ? null : { state: 'condition failed', file: found && factsOf(found.entry) }
}

/** @throws RefusalError `conflict`, with `data.changed`: the first file that is another one, as it is */
export function requireUnchanged(files: FilesAt, unchanged: readonly UnchangedFile[]): void {
  for (const { path: given, match } of unchanged) {
    const path = workspacePath(given)
    const refused = unmet({ match, noneMatch: null }, files, path)
    if (refused)
      throw new RefusalError(failureWith('conflict', `${path} is not what it was expected to be`, { changed: refused }))
  }
}

/** Whether one of the named contents is there. */
export const holds = (named: readonly string[] | 'any', exists: boolean, hash: string | null): boolean =>
  named === 'any' ? exists : hash !== null && named.includes(hash)

/** Whether a file changed after a time in whole seconds, of which its own time has more. */
export const changedAfter = (seconds: number, { modifiedAt }: Pick<FileFacts, 'modifiedAt'>): boolean =>
  Math.floor(modifiedAt / 1_000) > seconds

/**
 * Part of a file that was asked for, as far as the file goes.
 * @returns null when no byte of it exists
 */
export function partOfSize(
  range: RequestedRange,
  size: number,
): { readonly offset: number; readonly length: number } | null {
  if ('suffix' in range) {
    const length = Math.min(range.suffix, size)
    return length === 0 ? null : { offset: size - length, length }
  }
  if (range.first >= size) return null
  const last = Math.min(range.last ?? size - 1, size - 1)
  return { offset: range.first, length: last - range.first + 1 }
}

/** Facts of a found file under the path by which it was asked for: a link's file has another. */
export const factsAt = (found: FoundFile, path: WorkspacePath): FileFacts => ({ ...factsOf(found.entry), path })

/** A file, if there is one. @throws FailureError `not_found` saying what there is */
export function requireFound(files: FilesAt, path: WorkspacePath): FoundFile {
  const found = files.find(path)
  if (found) return found
  const there = files.stat(path)
  return fail(
    'not_found',
    there
      ? `${path} is a link that leads to no file`
      : `there is no file ${path}; list its directory to see what is there`,
  )
}
