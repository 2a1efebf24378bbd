import type { Actor } from '../core/actor.ts'
import { type Lifetimes, NO_LIFETIMES } from '../core/session-settings.ts'
import type { Sql } from '../ports/sql.ts'
import type { AuditLog } from './audit-log.ts'
import type { Upkeep } from './upkeep.ts'

interface Parts {
  readonly sql: Sql
  readonly audit: Pick<AuditLog, 'append'>
  readonly upkeep: Pick<Upkeep, 'plan'>
}

/** Lifetimes of a tenant's new sessions that bring none, by the owner of the server; in memory from the first look on. */
export class SessionDefaults {
  readonly #parts: Parts
  #known: Lifetimes | null = null

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Present defaults: no end before the first {@link put}. */
  read(): Lifetimes {
    this.#known ??= this.#stored()
    return this.#known
  }

  /** Replaces the defaults, for sessions made from now on. */
  async put({ lifetimeMs, idleLifetimeMs }: Lifetimes): Promise<void> {
    const { sql, audit, upkeep } = this.#parts
    sql.all(
      'INSERT OR REPLACE INTO session_defaults (id, lifetime, idle_lifetime) VALUES (1, ?, ?)',
      lifetimeMs,
      idleLifetimeMs,
    )
    this.#known = { lifetimeMs, idleLifetimeMs }
    const detail = { lifetime_ms: lifetimeMs, idle_lifetime_ms: idleLifetimeMs }
    audit.append([{ action: 'session_defaults.put', by: OWNER, subject: null, decision: 'done', detail }])
    await upkeep.plan()
  }

  #stored(): Lifetimes {
    const [row] = this.#parts.sql.all<{ lifetimeMs: number | null; idleLifetimeMs: number | null }>(
      'SELECT lifetime AS lifetimeMs, idle_lifetime AS idleLifetimeMs FROM session_defaults',
    )
    return row ? { lifetimeMs: row.lifetimeMs, idleLifetimeMs: row.idleLifetimeMs } : NO_LIFETIMES
  }
}

const OWNER: Actor = { key: null, agent: null }
