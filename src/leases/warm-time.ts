import { MAX_WARM_TIMES, SPARE_IDLE_MS, WARM_TIMES_PER_REPORT } from '../core/limits/spares.ts'
import type { WarmTime } from '../ports/sandbox-spares.ts'
import type { Sql } from '../ports/sql.ts'

interface Parts {
  readonly sql: Sql
  readonly now: () => number
  /** Reports time to a tenant, which confirms it. */
  readonly report: (tenant: string, times: readonly WarmTime[]) => Promise<void>
  readonly logError: (thrown: unknown) => void
}

/**
 * Meter of the spares in warm pools. Each row of a spare says up to when its time is written; written time stays until its tenant has
 * confirmed it. So a crash loses none and none counts twice.
 */
export class WarmTimes {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Writes the time of a spare until now, in one transaction with `change`, which may end it. */
  settle<T>(label: string, change: () => T): T {
    const { sql } = this.#parts
    return sql.transaction(() => {
      this.#write(label)
      return change()
    })
  }

  /** Writes the time of a spare that stays. */
  keepUp(label: string): void {
    this.settle(label, () => undefined)
  }

  /** Reports written time to its tenants. What one does not confirm is reported again. @returns whether all is confirmed */
  async reportAll(): Promise<boolean> {
    const { sql, report, logError } = this.#parts
    this.#bound()
    const tenants = sql.all<{ tenant: string }>('SELECT DISTINCT tenant FROM warm_time ORDER BY tenant')
    for (const { tenant } of tenants) {
      try {
        for (let times = this.#of(tenant); times.length > 0; times = this.#of(tenant)) {
          await report(tenant, times)
          sql.all('DELETE FROM warm_time WHERE tenant = ? AND number <= ?', tenant, times.at(-1)?.number ?? 0)
        }
      } catch (thrown) {
        logError(thrown)
      }
    }
    return sql.all('SELECT 1 FROM warm_time LIMIT 1').length === 0
  }

  #write(label: string): void {
    const { sql, now } = this.#parts
    const [row] = sql.all<{ tenant: string | null; from: number | null; state: string }>(
      'SELECT tenant, metered_to AS "from", state FROM spares WHERE label = ?',
      label,
    )
    if (!row || row.tenant === null || row.from === null || (row.state !== 'ready' && row.state !== 'making')) return
    // One that nobody checks is paused by its host.
    const runningMs = Math.min(now() - row.from, SPARE_IDLE_MS)
    sql.all('UPDATE spares SET metered_to = ? WHERE label = ?', now(), label)
    if (runningMs <= 0) return
    sql.all(
      'INSERT INTO warm_time (tenant, started_at, running_ms) VALUES (?, ?, ?)',
      row.tenant,
      row.from,
      Math.round(runningMs),
    )
  }

  #of(tenant: string): WarmTime[] {
    return this.#parts.sql.all<{ [Field in keyof WarmTime]: number }>(
      'SELECT number, started_at AS startedAt, running_ms AS runningMs FROM warm_time WHERE tenant = ? ORDER BY number LIMIT ?',
      tenant,
      WARM_TIMES_PER_REPORT,
    )
  }

  #bound(): void {
    this.#parts.sql.all(
      'DELETE FROM warm_time WHERE number <= (SELECT number FROM warm_time ORDER BY number DESC LIMIT 1 OFFSET ?)',
      MAX_WARM_TIMES,
    )
  }
}
