import type { Sql } from '../../ports/sql.ts'
import type { CallLedger } from '../call-ledger.ts'
import type { CallOutbox } from '../call-outbox.ts'
import type { History } from '../history.ts'
import type { LastingCommands } from '../lasting/lasting-commands.ts'
import type { Room } from '../room.ts'

interface Parts {
  readonly sql: Sql
  readonly room: Pick<Room, 'look'>
  readonly history: History
  readonly ledger: CallLedger
  readonly outbox: CallOutbox
  readonly lasting: Pick<LastingCommands, 'writeHeld'>
  /** Work that a crash cut off may have continued in the sandbox. */
  readonly markDirty: () => void
  /** Ids of continuing calls that were not answered before the restart. */
  readonly unanswered: readonly string[]
}

/** Notes that wait in memory for room on the disk: ends of calls, and which calls a restart cut off. */
export class HeldNotes {
  readonly #parts: Parts
  /** Ids of continuing calls, while the calls that a restart cut off could not be noted as lost; else null. */
  #goingOn: readonly string[] | null = null

  /** @param goingOn ids of calls whose work continues; the others that ran were cut off by the restart */
  constructor(parts: Parts, goingOn: readonly string[]) {
    this.#parts = parts
    if (parts.sql.isReadOnly) this.#goingOn = goingOn
    else this.#loseRunning(goingOn)
  }

  #loseRunning(goingOn: readonly string[]): void {
    const { history, unanswered, markDirty } = this.#parts
    if (history.loseRunning(goingOn, unanswered) > 0) markDirty()
  }

  /** Whether nothing can be written to the disk, or notes wait for that. */
  get mustBeWritten(): boolean {
    const { sql, history } = this.#parts
    return sql.isReadOnly || history.held > 0 || this.#goingOn !== null
  }

  /** Writes the notes. @returns false while there is no room */
  async write(): Promise<boolean> {
    const { sql, room, history, ledger, outbox, lasting } = this.#parts
    if (sql.isReadOnly) await room.look()
    if (sql.isReadOnly) return false
    if (this.#goingOn) this.#loseRunning(this.#goingOn)
    this.#goingOn = null
    // In one transaction, since nothing is awaited in between.
    history.writeHeld()
    ledger.writeHeld()
    outbox.writeHeld()
    lasting.writeHeld()
    return true
  }
}
