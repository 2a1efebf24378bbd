import { fail } from '../core/failure.ts'
import { MAX_REPORTED_USAGE_ROWS } from '../core/limits/usage.ts'
import type { Sql, SqlValue } from '../ports/sql.ts'
import { type Latencies, latencyAt } from './latency.ts'
import { NO_USE, type UsageGroup, type UsageQuery, type UsageReport, type UsageSums, type Used } from './usage-api.ts'

type Row = Record<keyof UsageSums, number> & { readonly name: string }
type Counts = { readonly name: string; readonly what: string; readonly calls: number }

const NAMES = {
  tool: 'usage.tool',
  agent: 'usage.agent',
  key: 'usage.key',
  session: 'usage.session',
  day: 'usage.hour / 24',
  hour: 'usage.hour',
} as const satisfies Record<UsageGroup, string>

/** Usage reports: sums over the stored rows. */
export class UsageReports {
  readonly #sql: Sql

  constructor(sql: Sql) {
    this.#sql = sql
  }

  /** Reads usage. @throws FailureError `limit_exceeded` when the report would read too many rows */
  read({ from, to, groupBy, where, below, limit, offset = 0 }: UsageQuery): UsageReport {
    const conditions = Object.entries(where).map(([column, value]) => ({ column: NAMES[column as UsageGroup], value }))
    const rows: Selection = {
      where: [
        'hour >= ?',
        'hour < ?',
        ...conditions.map(({ column }) => `${column} = ?`),
        // `0` is the character after the slash that `below` ends with.
        ...(below === undefined ? [] : ['usage.session >= ?', 'usage.session < ?']),
      ].join(' AND '),
      params: [
        from,
        to,
        ...conditions.map(({ value }) => value),
        ...(below === undefined ? [] : [below, `${below.slice(0, -1)}0`]),
      ],
    }
    this.#bound(rows)
    const [total = { ...UNUSED, name: null }] = this.#groups("''", rows, 1)
    if (groupBy === null) return { total, groups: [], more: false }
    const groups = this.#groups(NAMES[groupBy], rows, limit + 1, offset)
    return { total, groups: groups.slice(0, limit), more: groups.length > limit }
  }

  #groups(name: string, { where, params }: Selection, limit: number, offset = 0): Used[] {
    const inTime = name === NAMES.day || name === NAMES.hour
    const rows = this.#sql.all<Row>(
      `SELECT CAST(${name} AS TEXT) AS name, sum(calls) AS calls, sum(failed) AS failed, sum(refused) AS refused,
              sum(ms) AS ms, sum(bytes_in) AS bytesIn, sum(bytes_out) AS bytesOut, sum(sandbox_ms) AS sandboxMs,
              sum(cost) AS cost, sum(sandbox_running_ms) AS sandboxRunningMs, sum(sandbox_paused_ms) AS sandboxPausedMs
         FROM usage WHERE ${where} GROUP BY ${name} ORDER BY ${inTime ? name : '2 DESC, 4 DESC, 1'} LIMIT ? OFFSET ?`,
      ...params,
      limit,
      offset,
    )
    const names = JSON.stringify(rows.map((row) => row.name))
    const reasons = this.#counts('reasons', name, { where, params }, names)
    const latencies = this.#counts('latencies', name, { where, params }, names)
    return rows.map((row) => used(row, reasons.get(row.name) ?? {}, latencies.get(row.name) ?? {}))
  }

  #counts(column: 'reasons' | 'latencies', name: string, { where, params }: Selection, names: string) {
    const rows = this.#sql.all<Counts>(
      `SELECT CAST(${name} AS TEXT) AS name, counted.key AS what, sum(counted.value) AS calls
         FROM usage, json_each(usage.${column}) AS counted
        WHERE ${where} AND CAST(${name} AS TEXT) IN (SELECT value FROM json_each(?)) GROUP BY 1, 2`,
      ...params,
      names,
    )
    const found = new Map<string, Record<string, number>>()
    for (const { name, what, calls } of rows) found.set(name, { ...found.get(name), [what]: calls })
    return found
  }

  #bound({ where, params }: Selection): void {
    const [row] = this.#sql.all<{ rows: number }>(
      `SELECT count(*) AS rows FROM (SELECT 1 FROM usage WHERE ${where} LIMIT ${MAX_REPORTED_USAGE_ROWS + 1})`,
      ...params,
    )
    if (row && row.rows > MAX_REPORTED_USAGE_ROWS) {
      fail(
        'limit_exceeded',
        `that would sum up more than ${MAX_REPORTED_USAGE_ROWS} rows (MAX_REPORTED_USAGE_ROWS); ask for fewer days, or for one tool`,
      )
    }
  }
}

interface Selection {
  readonly where: string
  readonly params: readonly SqlValue[]
}

const UNUSED: Omit<Used, 'name'> = {
  ...NO_USE,
  reasons: {},
  p50Ms: null,
  p95Ms: null,
  p99Ms: null,
}

const used = ({ name, ...sums }: Row, reasons: Readonly<Record<string, number>>, latencies: Latencies): Used => ({
  name: name === '' ? null : name,
  ...sums,
  reasons,
  p50Ms: latencyAt(latencies, 0.5),
  p95Ms: latencyAt(latencies, 0.95),
  p99Ms: latencyAt(latencies, 0.99),
})
