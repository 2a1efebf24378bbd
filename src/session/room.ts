import { DISK_FULL } from '../core/disk-full.ts'
import { FailureError } from '../core/failure.ts'
import type { Sql } from '../ports/sql.ts'

interface RoomParts {
  readonly sql: Sql
  readonly disk: {
    look(when: 'when it was full' | 'also when it was not full'): Promise<void>
    untilRoom(): Promise<void>
  }
  /** Called when there is room again, after a wait: writes what waited in memory. */
  readonly hasRoom: () => Promise<void>
  /** Keeps the object in memory during `work`. */
  readonly keepAlive: (work: Promise<void>) => void
}

/** Room on the disk of one session's database, which is read-only while there is none. */
export class Room {
  readonly #parts: RoomParts
  #waiting: Promise<void> | null = null

  constructor(parts: RoomParts) {
    this.#parts = parts
  }

  /** Whether the disk is full: nothing can be written. */
  get isFull(): boolean {
    return this.#parts.sql.isReadOnly
  }

  /** Checks whether a disk that was full has room again. */
  async look(): Promise<void> {
    if (this.isFull) await this.#parts.disk.look('when it was full')
  }

  /** Checks whether there is room, also where none was missed. */
  async lookAnew(): Promise<void> {
    await this.#parts.disk.look('also when it was not full')
  }

  /** Requires room on the disk. @throws FailureError `insufficient_storage` */
  async require(): Promise<void> {
    await this.look()
    if (this.isFull) throw new FailureError(DISK_FULL)
  }

  /** Checks every few seconds until there is room, and calls `hasRoom` then; several waits are one. */
  wait(): void {
    this.#waiting ??= this.#untilRoom().finally(() => {
      this.#waiting = null
    })
    this.#parts.keepAlive(this.#waiting)
  }

  async #untilRoom(): Promise<void> {
    await this.#parts.disk.untilRoom()
    await this.#parts.hasRoom()
  }
}
