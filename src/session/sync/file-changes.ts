import type { FileChange } from '../../ports/runner.ts'
import type { Change, Workspace } from '../../ports/workspace.ts'

/** Changes of files and links among those of a commit; directories are not named. To be called before it is made. */
export const fileChanges = (changes: readonly Change[], workspace: Pick<Workspace, 'stat'>): FileChange[] =>
  changes.flatMap((change): FileChange[] => {
    if (change.op !== 'write' && change.op !== 'link' && change.op !== 'remove') return []
    const { path } = change
    const before = workspace.stat(path)
    const isThere = before !== null && before.kind !== 'directory'
    if (change.op === 'remove') return isThere ? [{ path, change: 'deleted' }] : []
    const size = change.op === 'link' ? 0 : sizeOf(change.content)
    return [{ path, size, change: isThere ? 'modified' : 'created' }]
  })

const sizeOf = (content: Extract<Change, { op: 'write' }>['content']) =>
  content instanceof Uint8Array ? content.byteLength : content.size
