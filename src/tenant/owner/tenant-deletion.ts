import { toFailure } from '../../core/failure.ts'
import {
  ENDED_SESSIONS_PER_SLICE,
  LATE_LOOK_MS,
  OWNER_WORK_RETRY_MS,
  PURGE_RESUMED_MS,
  PURGE_STEPS_PER_ALARM,
  PURGED_VECTORS_PER_BATCH,
} from '../../core/limits/deletion.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Sql } from '../../ports/sql.ts'
import type { TenantEntry, TenantObjects, TenantRows } from '../../ports/tenant-removal.ts'
import { DELETION_STEPS, type Deletion, type DeletionStep } from '../deletion-api.ts'
import { informHoldersOfClosed } from '../tool-holders.ts'
import { eachSession } from './each-session.ts'
import { OwnerWork } from './owner-work.ts'

export interface DeletionParts {
  readonly sql: Sql
  readonly clock: Clock
  readonly entry: TenantEntry
  readonly objects: TenantObjects
  readonly papers: TenantRows
  readonly packages: TenantRows
  /** Ends a session with its sandbox, and removes all that it stores. Repeated, it changes nothing. */
  readonly removeSession: (name: string) => Promise<void>
  /** Ends some of the connections of MCP clients that have an object each. @returns whether there are more */
  readonly endConnections: () => Promise<boolean>
  /** Removes the vectors of registered tools, by the ids of the tools. */
  readonly removeVectors: (tools: readonly string[]) => Promise<void>
  /** Informs a session of a new revision of the tools. */
  readonly toolsChanged: (session: string, revision: number) => Promise<void>
  /** Schedules {@link TenantDeletion.work} for then, and for no other time. */
  readonly wakeAt: (time: number) => Promise<void>
  readonly logError: (thrown: unknown) => void
}

/** Deletion as it is stored. */
interface Stored extends Deletion {
  /** Page of contents that is being deleted: counted when it is gone, so that none counts twice after a crash. */
  readonly page: { readonly keys: readonly string[]; readonly bytes: number } | null
  /** Whether what came late was looked for. */
  readonly isLookedAfter: boolean
}

/**
 * Deletion of a tenant: closes it at once and for good, and removes all it has, step by step, in the object's alarm. Each step can be
 * repeated, and its progress is stored before the next, so a crash anywhere costs one repetition. The tenant's tables are not opened
 * any more: later versions of them are no business of what is left.
 */
export class TenantDeletion {
  readonly #parts: DeletionParts
  readonly #work: OwnerWork<Stored>
  /** Sessions that could not be removed, and why: the others come first. */
  readonly #failing = new Map<string, unknown>()
  #working: Promise<void> | null = null
  readonly #steps: Readonly<Record<DeletionStep, () => Promise<boolean>>> = {
    keys: () => this.#close(),
    sessions: () => this.#removeSessions(),
    objects: () => this.#removeObjects(),
    rows: () => this.#removeRows(),
    tables: () => this.#dropTable(),
    end: () => this.#end(),
  }

  constructor(parts: DeletionParts) {
    this.#parts = parts
    this.#work = new OwnerWork(parts.sql, 'deletion')
  }

  /** Whether the tenant is closed. */
  get isBegun(): boolean {
    return this.#work.read() !== null
  }

  read(): Deletion | null {
    const stored = this.#work.read()
    if (!stored) return null
    const { page: _, isLookedAfter: __, ...deletion } = stored
    return deletion
  }

  /** Closes the tenant, whose tables must be up to date. Repeated, it only looks for what came back. */
  async begin(): Promise<Deletion> {
    const { sql, clock, wakeAt } = this.#parts
    if (!this.isBegun) {
      sql.transaction(() => {
        const [row] = sql.all<{ total: number }>('SELECT count(*) AS total FROM sessions')
        // Deliveries that are under way look for the next ones here.
        for (const table of AT_ONCE) sql.all(`DELETE FROM ${table}`)
        this.#work.write({
          step: 'keys',
          requestedAt: clock.now(),
          endedAt: null,
          sessions: { total: row?.total ?? 0, removed: 0 },
          objects: { removed: 0, bytes: 0 },
          rows: null,
          problem: null,
          page: null,
          isLookedAfter: false,
        })
      })
    }
    // What a restored database has of it again is removed once more.
    if (this.#record.step === 'deleted') this.#change({ isLookedAfter: false })
    // Also when repeated: an alarm that failed too often does not come again.
    await wakeAt(clock.now())
    return this.read() as Deletion
  }

  /** Has the tenant's sessions go by no copy of its tools and secrets any more, those that are not removed yet. */
  async informHolders(): Promise<void> {
    const { step } = this.#record
    // Behind these steps there is no session, and the tables may be gone.
    if (step === 'keys' || step === 'sessions') await informHoldersOfClosed(this.#parts)
  }

  /** Does the next steps, and schedules those after them. A second call joins the one under way. */
  work(): Promise<void> {
    this.#working ??= this.#workOn().finally(() => {
      this.#working = null
    })
    return this.#working
  }

  async #workOn(): Promise<void> {
    const { clock, wakeAt, logError } = this.#parts
    const stored = this.#work.read()
    if (!stored || stored.isLookedAfter) return
    // A crash from here on is mended by this alarm: the platform repeats one that was cut off six times and no more.
    await wakeAt(clock.now() + PURGE_RESUMED_MS)
    try {
      if (stored.step === 'deleted') return await this.#lookAfter()
      for (let count = 0; count < PURGE_STEPS_PER_ALARM && (await this.#go()); count++);
      const { step } = this.#record
      await wakeAt(clock.now() + (step === 'deleted' ? LATE_LOOK_MS : 0))
    } catch (thrown) {
      logError(thrown)
      this.#change({ problem: toFailure(thrown).message })
      await wakeAt(clock.now() + OWNER_WORK_RETRY_MS)
    }
  }

  get #record(): Stored {
    const stored = this.#work.read()
    if (!stored) throw new Error('the deletion has not begun')
    return stored
  }

  #change(changes: Partial<Stored>): void {
    this.#work.write({ ...this.#record, ...changes })
  }

  /** Does a part of the present step. @returns false when there is no further one in this alarm */
  async #go(): Promise<boolean> {
    const { step } = this.#record
    if (step === 'deleted') return false
    const hasMore = await this.#steps[step]()
    if (!hasMore) this.#change({ step: DELETION_STEPS[DELETION_STEPS.indexOf(step) + 1] ?? 'deleted', problem: null })
    // A slice of sessions takes long enough for one alarm.
    return step !== 'sessions' || !hasMore
  }

  async #close(): Promise<boolean> {
    await this.#parts.entry.close(this.#record.requestedAt)
    return false
  }

  /** Removes a slice of the sessions, those with sandboxes first. @throws a failure, when all others are removed */
  async #removeSessions(): Promise<boolean> {
    const { sql, removeSession } = this.#parts
    const rows = sql.all<{ name: string }>(
      `SELECT name FROM sessions WHERE name NOT IN (SELECT value FROM json_each(?)) ORDER BY state = 'ready', name LIMIT ?`,
      JSON.stringify([...this.#failing.keys()]),
      ENDED_SESSIONS_PER_SLICE,
    )
    await eachSession(
      rows.map(({ name }) => name),
      async (name) => {
        await removeSession(name)
        this.#removed(name)
      },
      (name, thrown) => this.#failing.set(name, thrown),
    )
    if (rows.length > 0) return true
    const [error] = this.#failing.values()
    const areAll = this.#failing.size === 0
    this.#failing.clear()
    if (!areAll) throw error
    return false
  }

  #removed(name: string): void {
    const { sql } = this.#parts
    sql.transaction(() => {
      sql.all('DELETE FROM sessions WHERE name = ?', name)
      const { total, removed } = this.#record.sessions
      this.#change({ sessions: { total, removed: removed + 1 } })
    })
  }

  async #removeObjects(): Promise<boolean> {
    const { objects } = this.#parts
    if (this.#record.page === null) {
      const page = await objects.page()
      if (page.length === 0) return false
      this.#change({
        page: { keys: page.map(({ key }) => key), bytes: page.reduce((sum, { bytes }) => sum + bytes, 0) },
      })
    }
    const { page, objects: sum } = this.#record
    if (page) {
      await objects.delete(page.keys)
      const removed = sum.removed + page.keys.length
      this.#change({ page: null, objects: { removed, bytes: sum.bytes + page.bytes } })
    }
    return true
  }

  async #removeRows(): Promise<boolean> {
    const { entry, papers, packages } = this.#parts
    if (this.#record.rows === null) {
      const counts = [entry.count(), papers.count(), packages.count()]
      const [keys = 0, ofPapers = 0, ofPackages = 0] = await Promise.all(counts)
      const rows = { keys, tools: this.#tools().length, papers: ofPapers, packages: ofPackages }
      this.#change({ rows })
    }
    if (await this.#parts.endConnections()) return true
    if (await packages.removeSome()) return true
    if (await papers.removeSome()) return true
    const tools = [...this.#tools(), ...this.#deletedTools()]
    for (let at = 0; at < tools.length; at += PURGED_VECTORS_PER_BATCH) {
      await this.#parts.removeVectors(tools.slice(at, at + PURGED_VECTORS_PER_BATCH))
    }
    return false
  }

  #tools(): string[] {
    return this.#parts.sql.all<{ id: string }>('SELECT id FROM tools').map(({ id }) => id)
  }

  #deletedTools(): string[] {
    return this.#parts.sql.all<{ id: string }>('SELECT id FROM deleted_tools').map(({ id }) => id)
  }

  /** Drops one of the tenant's own tables: what stays is its id, and this record. */
  async #dropTable(): Promise<boolean> {
    const { sql } = this.#parts
    const [table] = sql.all<{ name: string }>(
      `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT IN ('tenant', 'migrations', 'owner_work')
         AND name NOT GLOB 'sqlite_*' AND name NOT GLOB '_cf_*' LIMIT 1`,
    )
    if (table) sql.all(`DROP TABLE "${table.name}"`)
    return table !== undefined
  }

  async #end(): Promise<boolean> {
    const endedAt = this.#record.endedAt ?? this.#parts.clock.now()
    this.#change({ endedAt })
    await this.#parts.entry.remove(endedAt)
    return false
  }

  /** Removes what requests that were under way stored behind the deletion, or what the owner's restoring of a database brought back. */
  async #lookAfter(): Promise<void> {
    const { papers, packages, entry, clock } = this.#parts
    while (await this.#removeObjects());
    while (await packages.removeSome());
    while (await papers.removeSome());
    await entry.remove(this.#record.endedAt ?? clock.now())
    this.#change({ isLookedAfter: true, problem: null })
  }
}

/** Tables that are emptied at once. */
const AT_ONCE = ['webhook_deliveries', 'webhooks', 'secrets']
