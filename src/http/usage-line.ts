import type { WrittenUsage } from '../tenant/usage-api.ts'

const HOUR_MS = 60 * 60_000

/** A row of use as exports have it. Cost is in millionths of the currency. */
export const encodeUsageRow = (row: WrittenUsage) => ({
  hour: new Date(row.hour * HOUR_MS).toISOString(),
  tool: row.tool,
  key: row.key,
  agent: row.agent,
  session: row.session,
  calls: row.calls,
  failed: row.failed,
  refused: row.refused,
  seconds: row.ms / 1_000,
  sandbox_seconds: row.sandboxMs / 1_000,
  bytes_in: row.bytesIn,
  bytes_out: row.bytesOut,
  cost: row.cost,
  sandbox_running_seconds: row.sandboxRunningMs / 1_000,
  sandbox_paused_seconds: row.sandboxPausedMs / 1_000,
})

/** The row as a line of JSON, in which an absent name is null. */
export const usageLine = (row: WrittenUsage) =>
  JSON.stringify(encodeUsageRow(row), (_, value: unknown) => (value === '' ? null : value))
