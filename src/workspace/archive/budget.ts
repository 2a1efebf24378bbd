import {
  ARCHIVE_TURN_BYTES,
  ARCHIVE_TURN_ENTRIES,
  FREE_UNPACKED_BYTES,
  MAX_ARCHIVE_RATIO,
  MAX_ARCHIVE_UNPACKED_BYTES,
} from '../../core/limits/files.ts'
import { refuseSize } from './refused.ts'

/** Budget of unpacked bytes for one archive. What an archive states is counted before it is unpacked. */
export class UnpackingBudget {
  readonly #max: number
  #stated = 0
  #sinceTurn = { bytes: 0, entries: 0 }

  /** @param packedBytes size of the archive */
  constructor(packedBytes: number) {
    this.#max = Math.min(MAX_ARCHIVE_UNPACKED_BYTES, FREE_UNPACKED_BYTES + packedBytes * MAX_ARCHIVE_RATIO)
  }

  /** Greatest size of all contents together. */
  get maxBytes(): number {
    return this.#max
  }

  /** Counts a content by its stated size. @throws FailureError `limit_exceeded` */
  take(size: number): void {
    this.#stated += size
    if (this.#stated <= this.#max) return
    if (this.#max === MAX_ARCHIVE_UNPACKED_BYTES)
      refuseSize('MAX_ARCHIVE_UNPACKED_BYTES', this.#max, 'unpacks to more bytes than that')
    refuseSize('MAX_ARCHIVE_RATIO', MAX_ARCHIVE_RATIO, 'unpacks to more than that for each of its bytes')
  }

  /** Gives other requests a turn after so many bytes and entries. Unpacking itself never waits for anything. */
  async breathe(bytes: number): Promise<void> {
    this.#sinceTurn.bytes += bytes
    this.#sinceTurn.entries += 1
    if (this.#sinceTurn.bytes < ARCHIVE_TURN_BYTES && this.#sinceTurn.entries < ARCHIVE_TURN_ENTRIES) return
    this.#sinceTurn = { bytes: 0, entries: 0 }
    await new Promise((resolve) => setTimeout(resolve, 0))
  }
}
