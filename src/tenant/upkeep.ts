import type { Sql } from '../ports/sql.ts'
import type { ToolCalls } from './tool-calls.ts'

interface Parts {
  readonly sql: Pick<Sql, 'isReadOnly'>
  readonly calls: Pick<ToolCalls, 'upkeep' | 'nextWriteTime' | 'expiresAt' | 'expiresAtSoonest'>
  readonly webhooks: { nextTime(): number | null; run(): void }
  readonly sealer: { nextTime(): number | null }
  /** Schedules {@link Upkeep.run} for then, unless an earlier time is scheduled. */
  readonly wakeAt: (time: number) => Promise<void>
}

/**
 * Upkeep of usage and audit log, and delivery of webhooks: writes buffered entries, and drops expired ones. Entries to seal are due here
 * too; what waits for the store comes after.
 */
export class Upkeep {
  readonly #parts: Parts
  #plannedFor: number | null = null

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Schedules the next upkeep. A plan already made is kept, since every reported call comes through here. */
  async plan(): Promise<void> {
    const { sql, calls, webhooks, sealer, wakeAt } = this.#parts
    if (sql.isReadOnly) return
    const soon = [calls.nextWriteTime(), webhooks.nextTime(), sealer.nextTime()].filter((time) => time !== null)
    const nextTime = soon.length > 0 ? Math.min(...soon) : null
    if (this.#plannedFor !== null && this.#plannedFor <= (nextTime ?? calls.expiresAtSoonest())) return
    const due = nextTime ?? calls.expiresAt()
    if (due === null) return
    this.#plannedFor = due
    await wakeAt(due)
  }

  run(): void {
    this.#plannedFor = null
    this.#parts.calls.upkeep()
    this.#parts.webhooks.run()
  }
}
