import { expect } from 'vitest'
import { HEAD, readState } from '../../../src/workspace/manifest.ts'
import type { NodeSql } from '../../support/sql-node.ts'

/** Checks that what a workspace counts with each change is what its rows come to. */
export function checkCounts(sql: NodeSql): void {
  const hasUncounted = sql.all("SELECT 1 FROM sqlite_master WHERE name = 'workspace_uncounted'").length > 0
  const uncounted = hasUncounted ? 'SELECT seq FROM workspace_uncounted' : 'SELECT NULL'
  const wrong = sql.all(
    `SELECT b.hash, b.refs, coalesce(r.refs, 0) AS counted FROM workspace_blobs b LEFT JOIN (
       SELECT hash, sum(one) AS refs FROM (SELECT hash, 1 AS one FROM workspace_entries UNION ALL SELECT hash, 1 FROM workspace_changes
           UNION ALL SELECT hash, -1 FROM workspace_changes WHERE seq IN (${uncounted}))
        GROUP BY hash) r ON r.hash = b.hash WHERE b.refs <> coalesce(r.refs, 0) OR (b.refs = 0) <> (r.refs IS NULL)`,
  )
  expect(wrong).toEqual([])
  const [sums] = sql.all(
    `SELECT (SELECT count(*) FROM workspace_entries) AS entries, (SELECT coalesce(sum(size), 0) FROM workspace_entries) AS bytes,
       (SELECT count(*) FROM workspace_changes) AS kept_changes, (SELECT coalesce(sum(size), 0) FROM workspace_changes) AS kept_bytes,
       (SELECT coalesce(sum(size), 0) FROM workspace_contents) AS local_bytes, ${HEAD} AS head`,
  )
  expect({ ...readState(sql) }).toMatchObject({ ...sums })
  // What the mark says was sent or dropped, and the next content lies behind it.
  const passed = sql.all(
    `SELECT b.hash, b.local FROM workspace_blobs b, workspace_state s WHERE b.remote = 'no' AND (b.local IS NULL OR b.local <= s.sent_to)
     UNION ALL SELECT 'the mark', sent_to FROM workspace_state WHERE sent_to > (SELECT coalesce(max(id), 0) FROM workspace_contents)`,
  )
  expect(passed).toEqual([])
  if (sql.all("SELECT 1 FROM sqlite_master WHERE name = 'workspace_moments'").length === 0) return
  const miscounted = sql.all(
    `WITH floor AS (SELECT coalesce((SELECT min(seq) FROM workspace_commits) - 1, ${HEAD}) AS seq),
       pinned AS (SELECT seq - 1 AS moment, count(*) AS changes, coalesce(sum(size), 0) AS bytes
         FROM workspace_changes WHERE seq <= (SELECT seq FROM floor) GROUP BY seq)
     SELECT m.seq, m.changes, m.bytes, p.changes AS counted, p.bytes AS size FROM workspace_moments m FULL JOIN pinned p ON p.moment = m.seq
      WHERE (m.changes, m.bytes) IS NOT (coalesce(p.changes, 0), coalesce(p.bytes, 0))`,
  )
  expect(miscounted).toEqual([])
}
