import { spawnSync } from 'node:child_process'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'

const MIB = 1024 * 1024

/** A small file system for a server's state, which can be filled. */
export class SmallDisk {
  readonly #directory: string
  /** True from before the disk is filled until the server has been seen to notice the room again. */
  isFull = false

  private constructor(directory: string) {
    this.#directory = directory
  }

  /**
   * Mounts a disk in memory.
   * @param directory an empty directory
   * @returns null where this user may not mount
   */
  static mounted(directory: string, megabytes: number): SmallDisk | null {
    const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=711`, 'tmpfs', directory])
    return status === 0 ? new SmallDisk(directory) : null
  }

  /** Takes all space that is left. @returns bytes */
  fill(): number {
    this.isFull = true
    const file = openSync(this.#filler, 'w')
    let [taken, size] = [0, MIB]
    const zeros = Buffer.alloc(MIB)
    while (size >= 1) {
      try {
        taken += writeSync(file, zeros, 0, size)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
        size = Math.floor(size / 16)
      }
    }
    closeSync(file)
    return taken
  }

  free(): void {
    rmSync(this.#filler, { force: true })
  }

  unmount(): void {
    spawnSync('umount', ['-l', this.#directory])
  }

  get #filler() {
    return join(this.#directory, 'filler')
  }
}
