import { READER_QUIET_MS, READINGS_PER_PROCESS } from '../core/limits/reader.ts'
import { type Ended, ReadingProcess } from './reading-process.ts'

/** Limits of one reading. */
export interface ReadingLimits {
  /** Wall clock, in milliseconds. */
  readonly readMs: number
  /** Memory of its process, in MiB. */
  readonly memoryMib: number
}

/** Reading processes, kept warm between readings: as many as read at once. */
export class Pool {
  readonly #idle: ReadingProcess[] = []
  readonly #busy = new Set<ReadingProcess>()
  readonly #limits: ReadingLimits
  #quiet: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(limits: ReadingLimits) {
    this.#limits = limits
  }

  /** Reads in a free process, or in a new one: how many there are at once is up to who calls. */
  async read(body: Uint8Array, signal: AbortSignal): Promise<Ended> {
    const process = this.#free()
    this.#busy.add(process)
    try {
      return await process.read(body, this.#limits.readMs, signal)
    } finally {
      this.#busy.delete(process)
      await this.#putBack(process)
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#quiet)
    await Promise.all([...this.#idle.splice(0), ...this.#busy].map((process) => process.end()))
  }

  #free(): ReadingProcess {
    for (let process = this.#idle.pop(); process; process = this.#idle.pop()) if (process.isAlive) return process
    return new ReadingProcess(this.#limits.memoryMib)
  }

  async #putBack(process: ReadingProcess): Promise<void> {
    if (this.#isClosed || process.readings >= READINGS_PER_PROCESS) await process.end()
    else if (process.isAlive) this.#idle.push(process)
    clearTimeout(this.#quiet)
    this.#quiet = setTimeout(() => void this.#endIdle(), READER_QUIET_MS).unref()
  }

  async #endIdle(): Promise<void> {
    await Promise.all(this.#idle.splice(0).map((process) => process.end()))
  }
}
