import { rootKeyOf } from '../core/key-chain.ts'
import { MAX_USAGE_ROWS_PER_DAY, USAGE_RETENTION_DAYS } from '../core/limits/usage.ts'
import type { Sql } from '../ports/sql.ts'
import { DAY_MS } from './call-counter.ts'
import type { UsageKey, UsageSums } from './usage-api.ts'
import { HOURS_PER_DAY, OTHERS, type UsageEntry, UsageRow } from './usage-row.ts'

type StoredRow = Record<keyof UsageSums, number> & Record<'reasons' | 'latencies', string>

/** Usage by hour, tool, key, agent and session. The rows of a day are bounded: see {@link foldings}. */
export class UsageLedger {
  readonly #sql: Sql
  #rows: { readonly day: number; count: number } | null = null

  constructor(sql: Sql) {
    this.#sql = sql
  }

  /** Adds entries, in the caller's transaction. */
  add(entries: readonly UsageEntry[]): void {
    const grown = new Map<string, UsageRow>()
    for (const entry of entries) {
      const { hour, tool, key, agent, session } = entry.at
      const place = JSON.stringify([hour, tool, key, agent, session])
      const row = grown.get(place) ?? new UsageRow(entry.at)
      grown.set(place, row)
      row.add(entry)
    }
    for (const row of grown.values()) this.#write(row)
  }

  /** Time when {@link expire} has something to drop, in milliseconds since 1970: once a day at most. */
  expiresAt(): number | null {
    const [row] = this.#sql.all<{ oldest: number | null }>('SELECT min(hour) AS oldest FROM usage')
    if (row?.oldest == null) return null
    return (Math.floor(row.oldest / HOURS_PER_DAY) + 1 + USAGE_RETENTION_DAYS) * DAY_MS
  }

  /** Drops days past their time. */
  expire(now: number): void {
    this.#sql.all('DELETE FROM usage WHERE hour < ?', (Math.floor(now / DAY_MS) - USAGE_RETENTION_DAYS) * HOURS_PER_DAY)
  }

  #write(row: UsageRow): void {
    const { at, stored } = this.#placeOf(row.at)
    const { hour, tool, key, agent, session } = at
    if (stored) row.addStored(stored, stored.reasons, stored.latencies)
    const { calls, failed, refused, ms, bytesIn, bytesOut, sandboxMs, cost, sandboxRunningMs, sandboxPausedMs } =
      row.sums
    this.#sql.run(
      `INSERT OR REPLACE INTO usage (hour, tool, key, agent, session, calls, failed, refused, ms, bytes_in, bytes_out,
         sandbox_ms, cost, sandbox_running_ms, sandbox_paused_ms, reasons, latencies)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ...[hour, tool, key, agent, session],
      ...[calls, failed, refused, ms, bytesIn, bytesOut, sandboxMs, cost, sandboxRunningMs, sandboxPausedMs],
      JSON.stringify(Object.fromEntries(row.reasons)),
      JSON.stringify(Object.fromEntries(row.latencies)),
    )
  }

  /** The key to count under, and its stored row: an existing row, or a new one while the day has room. */
  #placeOf(at: UsageKey): { readonly at: UsageKey; readonly stored: StoredRow | undefined } {
    const rows = this.#rowsOf(Math.floor(at.hour / HOURS_PER_DAY))
    for (const { upTo, folded } of foldings(at)) {
      const [stored] = this.#stored(folded)
      if (stored) return { at: folded, stored }
      if (rows.count < upTo) {
        rows.count += 1
        return { at: folded, stored: undefined }
      }
    }
    const others = { ...at, tool: OTHERS, key: OTHERS, agent: OTHERS, session: OTHERS }
    return { at: others, stored: this.#stored(others)[0] }
  }

  #stored({ hour, tool, key, agent, session }: UsageKey): StoredRow[] {
    return this.#sql.all<StoredRow>(
      `SELECT calls, failed, refused, ms, bytes_in AS bytesIn, bytes_out AS bytesOut, sandbox_ms AS sandboxMs, cost,
              sandbox_running_ms AS sandboxRunningMs, sandbox_paused_ms AS sandboxPausedMs, reasons, latencies
         FROM usage WHERE hour = ? AND tool = ? AND key = ? AND agent = ? AND session = ?`,
      ...[hour, tool, key, agent, session],
    )
  }

  #rowsOf(day: number): { count: number } {
    if (this.#rows?.day !== day) {
      const from = day * HOURS_PER_DAY
      const [row] = this.#sql.all<{ rows: number }>(
        'SELECT count(*) AS rows FROM usage WHERE hour >= ? AND hour < ?',
        from,
        from + HOURS_PER_DAY,
      )
      this.#rows = { day, count: row?.rows ?? 0 }
    }
    return this.#rows
  }
}

/**
 * Keys to fold into, in order. A day with very many sessions or child keys no longer distinguishes them, then agents, and in the
 * end counts only the whole.
 */
const foldings = (at: UsageKey) => [
  { upTo: MAX_USAGE_ROWS_PER_DAY / 2, folded: at },
  { upTo: (MAX_USAGE_ROWS_PER_DAY / 4) * 3, folded: { ...at, key: rootKeyOf(at.key), session: OTHERS } },
  { upTo: MAX_USAGE_ROWS_PER_DAY, folded: { ...at, key: rootKeyOf(at.key), session: OTHERS, agent: OTHERS } },
]
