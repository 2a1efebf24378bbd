import { MAX_NOTED_SPARES } from '../core/limits/spares.ts'
import type { Spare } from '../ports/sandbox-spares.ts'
import type { Sql } from '../ports/sql.ts'
import type { WarmTimes } from './warm-time.ts'

/**
 * State of a spare. `making`: requested, and may exist. `ready`: can be taken. `taken`: belongs to a session, or is about to.
 * `ending`: has no owner, and may exist. `dropped`: no sandbox; marks a taking that is given none any more.
 */
export type SpareState = 'making' | 'ready' | 'taken' | 'ending' | 'dropped'

/** A spare ready to be taken. */
export interface ReadySpare extends Spare {
  readonly label: string
  readonly shape: string
  readonly since: number
  /** Tenant in whose warm pool it is; null for one that any session may take. */
  readonly tenant: string | null
}

interface Row extends Record<string, string | number | null> {
  readonly label: string
  readonly sandbox_id: string | null
  readonly shape: string
  readonly watch_port: number | null
  readonly watched: string | null
  readonly supervisor_pid: number | null
  readonly since: number
  readonly tenant: string | null
  readonly metered_to: number | null
}

/** Spares in SQLite, from before their request until a session owns them or they have ended: a crash leaves no unknown one. */
export class SpareTable {
  readonly #sql: Sql
  readonly #times: Pick<WarmTimes, 'settle'>

  constructor(sql: Sql, times: Pick<WarmTimes, 'settle'>) {
    this.#sql = sql
    this.#times = times
  }

  count(state: SpareState): number {
    return this.#sql.all<{ n: number }>('SELECT count(*) AS n FROM spares WHERE state = ?', state)[0]?.n ?? 0
  }

  /** Number of ready spares in a tenant's warm pool; of those for any session by null. */
  countReady(tenant: string | null): number {
    const count = "SELECT count(*) AS n FROM spares WHERE state = 'ready' AND tenant IS ?"
    return this.#sql.all<{ n: number }>(count, tenant)[0]?.n ?? 0
  }

  labels(state: SpareState): string[] {
    return this.#sql.all<Row>('SELECT * FROM spares WHERE state = ? ORDER BY since', state).map(({ label }) => label)
  }

  /** Ready spares, oldest first. */
  ready(): ReadySpare[] {
    return this.#sql.all<Row>("SELECT * FROM spares WHERE state = 'ready' ORDER BY since").map((row) => ({
      label: row.label,
      sandboxId: row.sandbox_id ?? '',
      watchPort: row.watch_port,
      watched: row.watched,
      supervisorPid: row.supervisor_pid,
      shape: row.shape,
      since: row.since,
      tenant: row.tenant,
    }))
  }

  /** Id of a spare's sandbox. Null when it is unknown, or there is no such spare. */
  sandboxId(label: string): string | null {
    return this.#sql.all<Row>('SELECT * FROM spares WHERE label = ?', label)[0]?.sandbox_id ?? null
  }

  /** Notes the request for a spare: from now on it may exist, known by its label only. */
  expect(label: string, shape: string, tenant: string | null, now: number): void {
    this.#sql.all(
      "INSERT INTO spares (label, state, shape, tenant, since) VALUES (?, 'making', ?, ?, ?)",
      label,
      shape,
      tenant,
      now,
    )
  }

  /** Notes that the sandbox was created: its tenant's time begins. @returns false when the spare must be ended */
  made(label: string, sandboxId: string, now: number): boolean {
    this.#sql.all('UPDATE spares SET sandbox_id = ?, metered_to = ? WHERE label = ?', sandboxId, now, label)
    return this.#is(label, 'making')
  }

  /** Notes that the sandbox is ready. @returns false when the spare must be ended */
  prepared(label: string, { watchPort, watched, supervisorPid }: Spare, now: number): boolean {
    this.#sql.all(
      `UPDATE spares SET state = 'ready', watch_port = ?, watched = ?, supervisor_pid = ?, since = ?
       WHERE label = ? AND state = 'making'`,
      watchPort,
      watched,
      supervisorPid,
      now,
      label,
    )
    return this.#is(label, 'ready')
  }

  /**
   * Takes a spare.
   * @returns the spare of that taking: the one given to it before, or the oldest that fits, of the tenant's warm pool first
   */
  take(taking: string, shape: string, tenant: string | null): Spare | null {
    const find = () => {
      const [row] = this.#sql.all<Row>("SELECT * FROM spares WHERE taking = ? AND state = 'taken'", taking)
      if (!row?.sandbox_id) return null
      const { sandbox_id, watch_port, watched, supervisor_pid } = row
      return { sandboxId: sandbox_id, watchPort: watch_port, watched, supervisorPid: supervisor_pid }
    }
    if (this.#sql.all('SELECT 1 FROM spares WHERE taking = ?', taking).length > 0) return find()
    const [fitting] = this.#sql.all<{ label: string }>(
      `SELECT label FROM spares WHERE state = 'ready' AND shape = ? AND (tenant IS NULL OR tenant = ?)
       ORDER BY tenant IS NULL, since LIMIT 1`,
      shape,
      tenant,
    )
    if (!fitting) return null
    const take = "UPDATE spares SET state = 'taken', taking = ? WHERE label = ?"
    this.#times.settle(fitting.label, () => this.#sql.all(take, taking, fitting.label))
    return find()
  }

  /** Forgets the spare of a taking, which a session owns for good. */
  forget(taking: string): void {
    this.#sql.all("DELETE FROM spares WHERE taking = ? AND state = 'taken'", taking)
  }

  /** Releases the spare of a taking, which is given no other one. @returns the label of the released spare */
  drop(taking: string, now: number): string | null {
    const [row] = this.#sql.all<Row>('SELECT * FROM spares WHERE taking = ?', taking)
    if (row) {
      this.#sql.all("UPDATE spares SET state = 'ending' WHERE taking = ? AND state = 'taken'", taking)
      return row.sandbox_id === null ? null : row.label
    }
    this.#sql.all(
      "INSERT INTO spares (label, state, shape, taking, since) VALUES (?, 'dropped', '', ?, ?)",
      taking,
      taking,
      now,
    )
    return null
  }

  /** Marks a spare for ending, unless a session took it. @returns whether the spare must be ended now */
  discard(label: string): boolean {
    const discard = "UPDATE spares SET state = 'ending' WHERE label = ? AND state IN ('making', 'ready')"
    this.#times.settle(label, () => this.#sql.all(discard, label))
    return this.#is(label, 'ending')
  }

  /** Notes that a spare has ended. The taking that had it is given no other one. */
  ended(label: string): void {
    const isIt = "WHERE label = ? AND state IN ('making', 'ending')"
    this.#sql.all(`UPDATE spares SET state = 'dropped', sandbox_id = NULL ${isIt} AND taking IS NOT NULL`, label)
    this.#sql.all(`DELETE FROM spares ${isIt}`, label)
  }

  /** Drops the oldest unconfirmed takings, where there are too many. */
  bound(): void {
    if (this.count('taken') + this.count('dropped') <= MAX_NOTED_SPARES) return
    this.#sql.all(
      `DELETE FROM spares WHERE label IN (SELECT label FROM spares WHERE state IN ('taken', 'dropped')
       ORDER BY since DESC LIMIT -1 OFFSET ?)`,
      MAX_NOTED_SPARES,
    )
  }

  #is(label: string, state: SpareState): boolean {
    return this.#sql.all('SELECT 1 FROM spares WHERE label = ? AND state = ?', label, state).length > 0
  }
}
