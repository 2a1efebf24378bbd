import type { WatchedCommit } from '../../../../session/watch-api.ts'

/** Data of the event `commit`. */
export const encodeWatched = ({ seq, at, author, tool, changes, changed }: WatchedCommit) => ({
  commit: seq,
  committed_at: new Date(at).toISOString(),
  author,
  tool,
  changes,
  more_changes: changed - changes.length,
})
