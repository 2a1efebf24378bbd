import type { Actor } from '../core/actor.ts'
import { fail } from '../core/failure.ts'
import { MAX_LISTED_TOOLKITS } from '../core/limits/tenants.ts'
import type { ServedGroup } from '../core/served.ts'
import type { Sql } from '../ports/sql.ts'
import type { AuditLog } from './audit-log.ts'
import type { ToolkitsApi } from './toolkits-api.ts'
import type { Upkeep } from './upkeep.ts'

interface Parts {
  readonly sql: Sql
  readonly audit: Pick<AuditLog, 'append'>
  readonly upkeep: Pick<Upkeep, 'plan'>
}

/** Toolkits that a tenant's lists of tools show, in memory from the first look on. */
export class ToolkitList implements ServedGroup<ToolkitsApi> {
  readonly #sql: Sql
  readonly #audit: Parts['audit']
  readonly #upkeep: Parts['upkeep']
  #known: readonly string[] | null = null

  constructor({ sql, audit, upkeep }: Parts) {
    this.#sql = sql
    this.#audit = audit
    this.#upkeep = upkeep
  }

  listed(): readonly string[] {
    this.#known ??= this.#sql
      .all<{ name: string }>('SELECT name FROM listed_toolkits ORDER BY name')
      .map(({ name }) => name)
    return this.#known
  }

  async change(name: string, isListed: boolean, by: Actor): Promise<boolean> {
    const listed = this.listed()
    if (listed.includes(name) === isListed) return false
    if (isListed && listed.length >= MAX_LISTED_TOOLKITS) {
      fail('limit_exceeded', `${MAX_LISTED_TOOLKITS} toolkits are listed already (MAX_LISTED_TOOLKITS); take one out`)
    }
    this.#sql.all(
      `${isListed ? 'INSERT INTO listed_toolkits VALUES (?)' : 'DELETE FROM listed_toolkits WHERE name = ?'}`,
      name,
    )
    this.#known = null
    this.#audit.append([{ action: isListed ? 'toolkit.list' : 'toolkit.unlist', by, subject: name, decision: 'done' }])
    await this.#upkeep.plan()
    return true
  }
}
