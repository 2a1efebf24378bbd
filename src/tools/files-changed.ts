import { MAX_CHANGED_FILES } from '../core/limits/answers.ts'
import type { CommandResult } from '../ports/runner.ts'

/** Fields and lines of an answer on the files that a command changed; none when it changed none. */
export function filesChanged({ changed }: Pick<CommandResult, 'changed'>) {
  if (!changed) return { data: {}, notes: [], lines: [] }
  const { files, more, inGit = 0, isShared } = changed
  const git = inGit > 0 ? [`${inGit} ${inGit === 1 ? 'file' : 'files'} in .git changed`] : []
  if (files.length === 0) return { data: {}, notes: git, lines: [] }
  const notes = [
    ...(more > 0 ? [`files_changed names the first ${MAX_CHANGED_FILES} of ${files.length + more} files`] : []),
    ...git,
    ...(isShared ? ['other commands ran beside this one: files_changed has their changes, too'] : []),
  ]
  const named = files.map(({ path, size, change }) =>
    change === 'deleted' ? `${path} (deleted)` : `${path} (${size})`,
  )
  return { data: { files_changed: files }, notes, lines: [`files changed: ${named.join(', ')}`] }
}
