/** Left output is removed when it is this much, in bytes: a sandbox's disk is small. */
const MANY_LEFT_BYTES = 16 * 1024 * 1024
const MANY_LEFT_FILES = 64

/** What the calls of one session share about the commands that run now. */
export class RunningCommands {
  /** Commands that have not ended. */
  count = 0
  #left: string[] = []
  #leftBytes = 0

  /** Notes files in the sandbox that nobody needs any more. */
  leave(files: readonly string[], bytes: number): void {
    this.#left.push(...files)
    this.#leftBytes += bytes
  }

  /** Files to remove now: many at once, since each removal starts a program. */
  takeLeft(): string[] {
    if (this.#left.length < MANY_LEFT_FILES && this.#leftBytes < MANY_LEFT_BYTES) return []
    this.#leftBytes = 0
    return this.#left.splice(0)
  }
}
