import { describe, expect, it } from 'vitest'
import { Disk, type DiskPlaces } from '../../../src/adapters/disk.ts'
import { DISK_RESERVE_BYTES } from '../../../src/core/limits/disk.ts'

const SAYS_FULL = new Error("[upstream] the tool said: ENOSPC: No space left on device, open 'a.txt'")

/** The server's own disk with the reserve on it and room for so many bytes more. */
function ownDisk(room: number, seen: () => void = () => {}) {
  const files = new Map([['reserve', DISK_RESERVE_BYTES]])
  const used = () => [...files.values()].reduce((total, bytes) => total + bytes, 0)
  const size = used() + room
  const reserve = {
    async fetch(url: string, { method, body }: { method: string; body?: Uint8Array }) {
      seen()
      const name = new URL(url).pathname.slice(1)
      files.delete(name)
      if (method === 'PUT' && used() + (body?.length ?? 0) > size) return { ok: false, status: 500 }
      if (method === 'PUT') files.set(name, body?.length ?? 0)
      return { ok: true, status: 204 }
    },
  }
  return { blobs: {}, reserve } as unknown as DiskPlaces // as much of them as is asked
}

/** A file store somewhere else, whose writes fail with that. */
const storeFailingWith = (cause: Error) =>
  ({ blobs: { put: () => Promise.reject(cause), delete: async () => {} }, reserve: null }) as unknown as DiskPlaces

describe('the disk of a server', () => {
  it('stays writable for everybody while a text that says it is full is checked, and after that', async () => {
    const disk = new Disk()
    const seen: boolean[] = []
    const places = ownDisk(10_000_000, () => seen.push(disk.isFull))
    expect(await disk.isToBlame(SAYS_FULL, places)).toBe(false)
    expect(disk.isFull).toBe(false)
    expect(new Set(seen)).toEqual(new Set([false]))
  })

  it('is to blame where there is no room, and no longer when there is', async () => {
    const disk = new Disk()
    expect(await disk.isToBlame(SAYS_FULL, ownDisk(1_000))).toBe(true)
    expect(disk.isFull).toBe(true)
    await disk.look(ownDisk(10_000_000))
    expect(disk.isFull).toBe(false)
  })

  it('is not to blame where a file store elsewhere fails for a while', async () => {
    const disk = new Disk()
    const unclear = new Error('internal error; reference = abc')
    const busy = new Error('put: Reduce your concurrent request rate for the same object. (10058)')
    expect(await disk.isToBlame(unclear, storeFailingWith(busy))).toBe(false)
    expect(disk.isFull).toBe(false)
    expect(await disk.isToBlame(unclear, storeFailingWith(new Error('No space left on device')))).toBe(true)
  })
})
