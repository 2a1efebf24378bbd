import type { WorkspaceEntry } from '../../ports/workspace.ts'
import type { FileFacts } from '../files-api.ts'

/** Facts of an entry, for callers of the session. */
export const factsOf = (entry: WorkspaceEntry): FileFacts => ({
  path: entry.path,
  kind: entry.kind,
  size: entry.kind === 'file' ? entry.size : null,
  hash: entry.kind === 'file' ? entry.hash : null,
  modifiedAt: entry.mtimeMs,
})
