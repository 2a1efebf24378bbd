import { isDiskFull } from '../core/disk-full.ts'
import { DISK_RESERVE_BYTES, ROOM_LOOK_MS, ROOM_PROBE_BYTES } from '../core/limits/disk.ts'

/** Places on the server's disk that are checked for room. */
export interface DiskPlaces {
  readonly blobs: R2Bucket
  /** A directory with a reserve file that is deleted when the disk is full; null where the disk is not the server's own. */
  readonly reserve: Fetcher | null
}

/**
 * State of the disk under the server's databases: full or not. A database object that cannot write breaks, with all that runs in
 * it; so the first one that finds the disk full spares the others that, and their writes are refused before SQLite sees them.
 */
export class Disk {
  #isFull = false
  #hasReserve = true
  #looking: Promise<void> | null = null

  /** True from the first write without room until {@link look} finds some. */
  get isFull(): boolean {
    return this.#isFull
  }

  /** Notes that a write found no room. */
  noteFull(): void {
    this.#isFull = true
  }

  /**
   * Whether an object's call failed since the disk is full. workerd does not always say so, and a text that says so may be
   * forged: a probe of the disk decides for all, and others write until then.
   */
  async isToBlame(thrown: unknown, places: DiskPlaces): Promise<boolean> {
    if (!isDiskFull(thrown) && !(thrown instanceof Error && UNCLEAR.test(thrown.message))) return false
    await this.look(places, 'also when it was not full')
    return this.#isFull
  }

  /** Checks for room where there was none; simultaneous callers share a check. */
  look(places: DiskPlaces, when: 'when it was full' | 'also when it was not full' = 'when it was full'): Promise<void> {
    if (!this.#isFull && when === 'when it was full') return Promise.resolve()
    this.#looking ??= this.#look(places).finally(() => {
      this.#looking = null
    })
    return this.#looking
  }

  /** Checks again and again until there is room. */
  async untilRoom(places: DiskPlaces): Promise<void> {
    while (this.#isFull) {
      await new Promise((resolve) => setTimeout(resolve, ROOM_LOOK_MS))
      await this.look(places)
    }
  }

  async #look({ blobs, reserve }: DiskPlaces): Promise<void> {
    // Opening a closed database needs some room, even to read it.
    if (this.#isFull && this.#hasReserve) await this.#releaseReserve(reserve)
    try {
      if (reserve) await this.#probe(reserve)
      else await probeBlobs(blobs)
      this.#isFull = false
    } catch (thrown) {
      // A file store elsewhere may fail for a while, and limits how often one object is written; this is no full disk.
      this.#isFull = reserve !== null || isDiskFull(thrown)
      if (this.#isFull && this.#hasReserve) await this.#releaseReserve(reserve)
    }
  }

  async #releaseReserve(reserve: Fetcher | null): Promise<void> {
    await reserve?.fetch(`${DIRECTORY}reserve`, { method: 'DELETE' })
    this.#hasReserve = false
  }

  /** Writes a probe, and the reserve where it was deleted. @throws where there is no room */
  async #probe(reserve: Fetcher): Promise<void> {
    await put(reserve, 'probe', ROOM_PROBE_BYTES + (this.#hasReserve ? 0 : DISK_RESERVE_BYTES))
    await reserve.fetch(`${DIRECTORY}probe`, { method: 'DELETE' })
    if (this.#hasReserve) return
    await put(reserve, 'reserve', DISK_RESERVE_BYTES)
    this.#hasReserve = true
  }
}

/** Form of workerd's own errors. */
const UNCLEAR = /^internal error; reference/
/** Base URL of the binding, which needs no address, for requests, which have one. */
const DIRECTORY = 'http://reserve/'

/** Writes a file. @throws when it cannot be written; nothing is left of it then */
async function put(directory: Fetcher, name: string, bytes: number): Promise<void> {
  const { ok, status } = await directory.fetch(`${DIRECTORY}${name}`, { method: 'PUT', body: new Uint8Array(bytes) })
  if (!ok) throw new Error(`a file of ${bytes} bytes could not be written: ${status}`)
}

/** Writes a small content to the file store. @throws when the store does not take it */
async function probeBlobs(blobs: R2Bucket): Promise<void> {
  // No tenant's contents have this key: theirs are below `t/`.
  await blobs.put('disk-probe', new Uint8Array(ROOM_PROBE_BYTES))
  await blobs.delete('disk-probe')
}

/** Disk of this isolate, and so of all of a local server; it knows nothing of any tenant. */
export const disk = new Disk()
