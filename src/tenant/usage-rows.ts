import { USAGE_EXPORT_ROWS } from '../core/limits/usage.ts'
import type { Sql } from '../ports/sql.ts'
import type { UsageRowsPage, UsageRowsQuery, WrittenUsage } from './usage-api.ts'

const PLACE = 'hour, tool, key, agent, session'

/**
 * A page of the stored rows of usage, in the order of their keys: so each is read once, also while others are added. A page reads
 * USAGE_EXPORT_ROWS of them, and has those of them that are of the names that the query has.
 */
export function usageRows(sql: Sql, { from, to, key, where = {}, after }: UsageRowsQuery): UsageRowsPage {
  const rows = sql.all<WrittenUsage & Record<string, string | number>>(
    `SELECT ${PLACE}, calls, failed, refused, ms, bytes_in AS bytesIn, bytes_out AS bytesOut, sandbox_ms AS sandboxMs, cost,
            sandbox_running_ms AS sandboxRunningMs, sandbox_paused_ms AS sandboxPausedMs
       FROM usage WHERE hour < ? AND ${after ? `(${PLACE}) > (?, ?, ?, ?, ?)` : 'hour >= ?'} ORDER BY ${PLACE} LIMIT ?`,
    to,
    ...(after ? [after.hour, after.tool, after.key, after.agent, after.session] : [from]),
    USAGE_EXPORT_ROWS,
  )
  const last = rows.length < USAGE_EXPORT_ROWS ? undefined : rows.at(-1)
  const names = [...Object.entries(where), ...(key === undefined ? [] : [['key', key]])]
  return { rows: rows.filter((row) => names.every(([name = '', value]) => row[name] === value)), next: last ?? null }
}
