import { isDiskFull } from '../core/disk-full.ts'
import { ROOM_PROBE_BYTES } from '../core/limits/disk.ts'

/**
 * Whether the disk under the server's databases is full. A database object that cannot write breaks, with all that runs in it; so
 * the first one that finds the disk full spares the others that, and their writes are refused before SQLite sees them.
 */
class Disk {
  #isFull = false
  #looking: Promise<void> | null = null

  /** True from the first write without room until {@link look} finds some. */
  get isFull(): boolean {
    return this.#isFull
  }

  /** A write has found no room. */
  noteFull(): void {
    this.#isFull = true
  }

  /** Whether an object's call failed since the disk is full. workerd does not always say so. */
  async isToBlame(thrown: unknown, bucket: R2Bucket): Promise<boolean> {
    if (isDiskFull(thrown)) this.noteFull()
    else if (thrown instanceof Error && UNCLEAR.test(thrown.message)) await this.probe(bucket)
    else return false
    return this.#isFull
  }

  /** Looks whether there is room again, where there was none; those who ask at once share a look. */
  look(bucket: R2Bucket): Promise<void> {
    if (!this.#isFull) return Promise.resolve()
    this.#looking ??= this.probe(bucket).finally(() => {
      this.#looking = null
    })
    return this.#looking
  }

  /** Writes to the file store, which lies on the same disk: that breaks nothing where it fails. */
  async probe(bucket: R2Bucket): Promise<void> {
    try {
      await bucket.put(PROBE_KEY, new Uint8Array(ROOM_PROBE_BYTES))
      await bucket.delete(PROBE_KEY)
      this.#isFull = false
    } catch {
      this.#isFull = true
    }
  }
}

/** What workerd says of errors of its own. */
const UNCLEAR = /^internal error; reference/
/** No tenant's contents begin so: theirs are below `t/`. */
const PROBE_KEY = 'disk-probe'

/** One for the isolate, and so for all of a local server; it knows nothing of any tenant. */
export const disk = new Disk()
