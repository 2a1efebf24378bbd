import { describe, expect, it } from 'vitest'
import { MAX_BUFFERED_BLOB_BYTES } from '../../src/core/limits/workspace.ts'
import { sha256 } from '../../src/core/sha256.ts'
import type { BlobStore } from '../../src/ports/blobs.ts'

/** What every {@link BlobStore} does. `open` gives the store of one tenant as each of its sessions sees it. */
export function blobsContract(name: string, open: () => { forSession(nodeId: string): BlobStore }): void {
  describe(`a blob store: ${name}`, () => {
    const text = (content: string) => new TextEncoder().encode(content)
    const blob = async (content: Uint8Array) => ({ hash: await sha256(content), content })
    const bytes = async (store: BlobStore, hash: string) => {
      const found = await store.get(hash)
      return found && new Uint8Array(await new Response(found.body).arrayBuffer())
    }

    it('gives back what was put, to every session of the tenant', async () => {
      const store = open()
      const blobs = await Promise.all(['one', 'two', '', 'one'].map((content) => blob(text(content))))
      await store.forSession('a').put(blobs)
      for (const { hash, content } of blobs) {
        expect(await bytes(store.forSession('b'), hash)).toEqual(content)
        expect((await store.forSession('a').get(hash))?.size).toBe(content.length)
      }
    })

    it('has nothing under a hash that was never put, and puts nothing', async () => {
      const store = open().forSession('a')
      expect(await store.get(await sha256(text('unknown')))).toBeNull()
      await store.put([])
    })

    it('takes a content again, also from another session', async () => {
      const store = open()
      const same = await blob(text('same'))
      await store.forSession('a').put([same])
      await store.forSession('b').put([same])
      await store.forSession('a').put([same, await blob(text('other'))])
      await store.forSession('a').releaseAll()
      expect(await bytes(store.forSession('b'), same.hash)).toEqual(same.content)
    })

    it('refuses bytes under a hash that is not theirs', async () => {
      const store = open().forSession('a')
      const { hash } = await blob(text('right'))
      await expect((async () => await store.put([{ hash, content: text('wrong') }]))()).rejects.toThrow()
      expect(await store.get(hash)).toBeNull()
    })

    it.each([0, 1, 100_000, MAX_BUFFERED_BLOB_BYTES, MAX_BUFFERED_BLOB_BYTES + 1, 3 * MAX_BUFFERED_BLOB_BYTES])(
      'takes a stream of %d bytes and says its hash',
      async (size) => {
        const store = open().forSession('a')
        const hash = await store.putStream(pieces(size), size)
        const found = await store.get(hash)
        expect(found?.size).toBe(size)
        const back = new Uint8Array(await new Response(found?.body).arrayBuffer())
        expect(back.length).toBe(size)
        expect(await sha256(back)).toBe(hash)
        expect(back.at(-1)).toBe(size === 0 ? undefined : (size - 1) % 251)
        expect(await store.putStream(pieces(size), size)).toBe(hash)
      },
    )

    it.each([1_000, MAX_BUFFERED_BLOB_BYTES + 1_000])('refuses a stream that is not %d bytes long', async (size) => {
      const store = open().forSession('a')
      for (const real of [size - 1, size + 1]) {
        await expect((async () => await store.putStream(pieces(real), size))()).rejects.toMatchObject({
          failure: { code: 'invalid_input' },
        })
      }
    })

    it.each([1_000, MAX_BUFFERED_BLOB_BYTES + 1_000])('fails when a stream of %d bytes breaks', async (size) => {
      const store = open().forSession('a')
      const broken = pieces(size, size - 500)
      await expect((async () => await store.putStream(broken, size))()).rejects.toThrow()
    })

    it('gives up what a session refers to, as often as one likes', async () => {
      const store = open().forSession('a')
      const one = await blob(text('one'))
      await store.put([one])
      await store.release([one.hash, await sha256(text('unknown'))])
      await store.release([one.hash])
      await store.release([])
      await store.releaseAll()
      await store.releaseAll()
      await store.put([one])
      expect(await bytes(store, one.hash)).toEqual(one.content)
    })
  })
}

/** Bytes that count to 251 again and again: made once, since making each of a hundred megabytes takes a quarter of a minute. */
const COUNTED = Uint8Array.from({ length: 60_000 + 251 }, (_, at) => at % 251)

/** A stream in pieces of 60,000 bytes, each byte its place modulo 251; breaks at `breakAt`. */
export function pieces(size: number, breakAt = Number.POSITIVE_INFINITY): ReadableStream<Uint8Array> {
  let at = 0
  return new ReadableStream({
    pull(controller) {
      if (at >= breakAt) return controller.error(new Error('the line broke'))
      if (at >= size) return controller.close()
      const length = Math.min(60_000, size - at, breakAt - at)
      controller.enqueue(COUNTED.slice(at % 251, (at % 251) + length))
      at += length
    },
  })
}
