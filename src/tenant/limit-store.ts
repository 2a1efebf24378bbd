import type { Sql } from '../ports/sql.ts'
import { LimitSettings } from '../registry/limit-settings.ts'

/** A tenant's rules for rates, quotas and prices. */
export class LimitStore {
  readonly #sql: Sql

  constructor(sql: Sql) {
    this.#sql = sql
  }

  /** Current rules; none before the first {@link write}. */
  read(): LimitSettings {
    const [row] = this.#sql.all<{ settings: string }>('SELECT settings FROM limits')
    return LimitSettings.parse(row ? JSON.parse(row.settings) : {})
  }

  /** Version of the rules, which grows with each {@link write}; 0 before the first. */
  version(): number {
    return this.#sql.all<{ version: number }>('SELECT version FROM limits_version')[0]?.version ?? 0
  }

  write(settings: LimitSettings): void {
    this.#sql.all('INSERT OR REPLACE INTO limits (id, settings) VALUES (1, ?)', JSON.stringify(settings))
    this.#sql.all('INSERT OR REPLACE INTO limits_version (id, version) VALUES (1, ?)', this.version() + 1)
  }
}
