import { firstCallId } from '../../core/ids.ts'

/** Amount of unneeded output that is worth removing, in bytes: a sandbox's disk is small. */
const MANY_LEFT_BYTES = 16 * 1024 * 1024
const MANY_LEFT_FILES = 64

/** Files in the sandbox that can go. */
export interface Sweep {
  readonly files: readonly string[]
  /** Removes all output of calls whose ids sort before this one too; null when that is gone already. */
  readonly before: string | null
}

/** State of the running commands, shared by the calls of one session. */
export class RunningCommands {
  /** Number of commands that have not ended. */
  count = 0
  #left: string[] = []
  #leftBytes = 0
  #before: string | null

  /** @param openedAt time before which nobody here has noted the commands' files: the session was out of memory in between */
  constructor(openedAt: number) {
    this.#before = firstCallId(openedAt)
  }

  /** Notes files in the sandbox that are not needed any more. */
  leave(files: readonly string[], bytes: number): void {
    this.#left.push(...files)
    this.#leftBytes += bytes
  }

  /** Files to remove now: many at once, since each removal starts a program. */
  takeSweep(): Sweep {
    const before = this.#before
    this.#before = null
    if (this.#left.length < MANY_LEFT_FILES && this.#leftBytes < MANY_LEFT_BYTES) return { files: [], before }
    this.#leftBytes = 0
    return { files: this.#left.splice(0), before }
  }
}
