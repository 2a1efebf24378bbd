import { MAX_CHANGED_FILES } from '../core/limits/answers.ts'
import type { CommandResult } from '../ports/runner.ts'

/** Fields and lines of an answer on the files that a command changed; none when it changed none. */
export function filesChanged({ changed }: Pick<CommandResult, 'changed'>) {
  if (!changed) return { data: {}, notes: [], lines: [] }
  const { files, more, isShared } = changed
  const notes = [
    ...(more > 0 ? [`files_changed names the first ${MAX_CHANGED_FILES} of ${files.length + more} files`] : []),
    ...(isShared ? ['other commands ran beside this one: files_changed has their changes, too'] : []),
  ]
  const named = files.map(({ path, size, change }) =>
    change === 'deleted' ? `${path} (deleted)` : `${path} (${size})`,
  )
  return { data: { files_changed: files }, notes, lines: [`files changed: ${named.join(', ')}`] }
}
