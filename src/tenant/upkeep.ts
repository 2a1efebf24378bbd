import type { Sql } from '../ports/sql.ts'
import type { ToolCalls } from './tool-calls.ts'

interface Parts {
  readonly sql: Pick<Sql, 'isReadOnly'>
  readonly calls: Pick<ToolCalls, 'upkeep' | 'nextWriteTime' | 'expiresAt' | 'expiresAtSoonest'>
  /** Schedules {@link Upkeep.run} for then, unless an earlier time is scheduled. */
  readonly wakeAt: (time: number) => Promise<void>
}

/** Upkeep of usage and audit log: writes what is buffered, and drops what is past its time. */
export class Upkeep {
  readonly #parts: Parts
  #plannedFor: number | null = null

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Schedules the next upkeep. A plan already made is kept, since every reported call comes through here. */
  async plan(): Promise<void> {
    const { sql, calls, wakeAt } = this.#parts
    if (sql.isReadOnly) return
    const nextWriteTime = calls.nextWriteTime()
    if (this.#plannedFor !== null && this.#plannedFor <= (nextWriteTime ?? calls.expiresAtSoonest())) return
    const due = nextWriteTime ?? calls.expiresAt()
    if (due === null) return
    this.#plannedFor = due
    await wakeAt(due)
  }

  run(): void {
    this.#plannedFor = null
    this.#parts.calls.upkeep()
  }
}
