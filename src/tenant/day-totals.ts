import { rootKeyOf } from '../core/key-chain.ts'
import { MAX_LIMITED_NAMES } from '../core/limits/usage.ts'
import type { LimitScope } from '../core/rate-limited.ts'
import type { Sql } from '../ports/sql.ts'
import type { DayTotal } from './call-counter.ts'
import { HOURS_PER_DAY, type UsageEntry } from './usage-row.ts'

type Totals = ReadonlyMap<string, DayTotal>

/** Names as limits count them: of a child key, the key at the top of its chain. */
const COLUMNS = {
  tenant: "''",
  key: "iif(instr(key, '.') = 0, key, substr(key, 1, instr(key, '.') - 1))",
  agent: 'agent',
  tool: 'tool',
} as const satisfies Record<LimitScope, string>

/** Usage of each name on one day: read once, when some rule has a quota, and kept current from then on. */
export class DayTotals {
  readonly #sql: Sql
  #day = 0
  readonly #read = new Map<LimitScope, Map<string, DayTotal>>()

  constructor(sql: Sql) {
    this.#sql = sql
  }

  /** Total of a day. @param day since 1970, in UTC */
  of(day: number, scope: LimitScope, name: string): DayTotal {
    if (day !== this.#day) {
      this.#day = day
      this.#read.clear()
    }
    let totals: Totals | undefined = this.#read.get(scope)
    totals ??= this.#readAll(scope)
    return totals.get(name) ?? { calls: 0, cost: 0 }
  }

  add({ at, sums }: UsageEntry): void {
    if (Math.floor(at.hour / HOURS_PER_DAY) !== this.#day) return
    for (const [scope, totals] of this.#read) {
      const name = scope === 'tenant' ? '' : scope === 'key' ? rootKeyOf(at.key) : at[scope]
      const before = totals.get(name)
      // Names of agents are unlimited: the tenant's total holds for those without room here.
      if (!before && totals.size >= 10 * MAX_LIMITED_NAMES) continue
      totals.set(name, { calls: (before?.calls ?? 0) + sums.calls, cost: (before?.cost ?? 0) + sums.cost })
    }
  }

  #readAll(scope: LimitScope): Totals {
    const from = this.#day * HOURS_PER_DAY
    const rows = this.#sql.all<{ name: string; calls: number; cost: number }>(
      `SELECT ${COLUMNS[scope]} AS name, sum(calls) AS calls, sum(cost) AS cost FROM usage
        WHERE hour >= ? AND hour < ? GROUP BY 1`,
      from,
      from + HOURS_PER_DAY,
    )
    const totals = new Map(rows.map(({ name, calls, cost }) => [name, { calls, cost }]))
    this.#read.set(scope, totals)
    return totals
  }
}
