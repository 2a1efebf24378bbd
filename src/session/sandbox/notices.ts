import type { CommandResult } from '../../ports/runner.ts'

export type Notices = Pick<CommandResult, 'conflicts' | 'notes' | 'restored'>

const MAX_NOTES = 20

/**
 * Notices about the sandbox and its files for a caller. A notice waits here for the next result that can carry it, since the call
 * during which it arose may fail, or may not use the sandbox.
 */
export class NoticeBoard {
  #conflicts = new Set<CommandResult['conflicts'][number]>()
  #notes = new Set<string>()
  #restored: CommandResult['restored']

  add({ conflicts, notes, restored }: Partial<Notices>): void {
    for (const path of conflicts ?? []) this.#conflicts.add(path)
    for (const note of notes ?? []) this.#notes.add(note)
    if (restored) this.#restored = restored
  }

  /** Takes all notices, once. */
  take(): Notices {
    const notes = [...this.#notes]
    const more = notes.length - MAX_NOTES
    const notices: Notices = {
      conflicts: [...this.#conflicts],
      notes: more > 0 ? [...notes.slice(0, MAX_NOTES), `and ${more} more of this kind`] : notes,
      ...(this.#restored && { restored: this.#restored }),
    }
    this.#conflicts.clear()
    this.#notes.clear()
    this.#restored = undefined
    return notices
  }
}
