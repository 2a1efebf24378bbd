import { crc32, deflateRawSync, gunzipSync, gzipSync, inflateRawSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { compressed } from '../../src/core/compressed.ts'
import { Deadline } from '../../src/core/deadline.ts'
import { decompressed } from '../../src/core/decompressed.ts'

const MEBIBYTE = 1024 * 1024
const PACK = { gzip: gzipSync, 'deflate-raw': deflateRawSync }
const UNPACK = { gzip: gunzipSync, 'deflate-raw': inflateRawSync }
const FORMATS = ['gzip', 'deflate-raw'] as const

/** Bytes that pack to about half, without a period that zlib would find. */
function content(length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length)
  let state = 1
  for (let at = 0; at < length; at++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    bytes[at] = (state >>> 16) & 15
  }
  return bytes
}

/** Stream of pieces that are made when they are asked for; `next` may answer null for the end. */
function source(next: (at: number) => Uint8Array | null | Promise<never>) {
  const seen = { pieces: 0, cancelled: false }
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const piece = await next(seen.pieces++)
        if (piece === null) controller.close()
        else controller.enqueue(piece)
      },
      cancel() {
        seen.cancelled = true
      },
    },
    { highWaterMark: 0 },
  )
  return { stream, seen }
}

const inPieces = (bytes: Uint8Array, size: number) =>
  source((at) => (at * size < bytes.length ? bytes.subarray(at * size, (at + 1) * size) : null))

async function read(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  return new Uint8Array(await new Response(stream as ReadableStream<Uint8Array<ArrayBuffer>>).arrayBuffer())
}

/** Lets all that is ready to go on do so: what reads ahead would read on now. */
async function restOfWork(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setTimeout(resolve, 0))
}

/** What packing and unpacking promise, in each runtime that has them. */
export function testPacking(): void {
  describe.each(FORMATS)('unpacking %s', (format) => {
    it.each([1, 7, 1000, 100_000])('gives the bytes of an archive that comes in pieces of %i', async (size) => {
      const bytes = content(size < 10 ? 5_000 : 400_000)
      const unpacked = await read(decompressed(inPieces(PACK[format](bytes), size).stream, format))
      expect([unpacked.length, crc32(unpacked)]).toEqual([bytes.length, crc32(bytes)])
    })

    it('gives nothing for packed nothing', async () => {
      const packed = PACK[format](new Uint8Array())
      expect((await read(decompressed(inPieces(packed, 1000).stream, format))).length).toBe(0)
    })

    it('reads nothing before somebody asks', async () => {
      const { stream, seen } = inPieces(PACK[format](content(1000)), 1000)
      decompressed(stream, format)
      await restOfWork()
      expect(seen.pieces).toBe(0)
    })

    it('reads as much of the source as the reader takes of what comes of it, and gives small pieces', async () => {
      // Each piece of some KiB unpacks to a MiB.
      const packed = PACK[format](new Uint8Array(64 * MEBIBYTE))
      const size = Math.ceil(packed.length / 64)
      const { stream, seen } = inPieces(packed, size)
      const reader = decompressed(stream, format).getReader()
      let taken = 0
      while (taken < 2 * MEBIBYTE) {
        const { value } = await reader.read()
        expect(value?.length).toBeLessThanOrEqual(256 * 1024)
        taken += value?.length ?? 0
        await restOfWork()
        expect(seen.pieces).toBeLessThanOrEqual(Math.ceil(taken / MEBIBYTE) + 2)
      }
      await reader.cancel()
      expect(seen.cancelled).toBe(true)
    })

    it('unpacks one piece with a thousand times its size in it by and by', async () => {
      const packed = PACK[format](new Uint8Array(64 * MEBIBYTE))
      const { stream } = inPieces(packed, packed.length)
      let taken = 0
      for await (const piece of decompressed(stream, format)) {
        expect(piece.length).toBeLessThanOrEqual(256 * 1024)
        taken += piece.length
      }
      expect(taken).toBe(64 * MEBIBYTE)
    })

    it('cancels a source that is silent as soon as the reader cancels', async () => {
      const silent = source(() => new Promise<never>(() => undefined))
      const reader = decompressed(silent.stream, format).getReader()
      const reading = reader.read()
      await reader.cancel()
      expect(silent.seen.cancelled).toBe(true)
      expect((await reading).done).toBe(true)
    })

    it('fails at its deadline where the source is silent, and cancels that', async () => {
      const silent = source(() => new Promise<never>(() => undefined))
      const outer = new AbortController()
      const deadline = new Deadline(3_600_000, outer.signal)
      const reading = read(decompressed(silent.stream, format, deadline))
      outer.abort(new Error('the time is over'))
      await expect(reading).rejects.toThrow('the time is over')
      expect(silent.seen.cancelled).toBe(true)
    })

    it('fails where the source fails', async () => {
      const packed = PACK[format](content(100_000))
      const { stream } = source((at) => (at < 3 ? packed.subarray(at * 1000, (at + 1) * 1000) : refused()))
      await expect(read(decompressed(stream, format))).rejects.toThrow('the line is cut')
    })

    it('fails for bytes that end early, are none, or are not packed so', async () => {
      const packed = PACK[format](content(100_000))
      for (const broken of [packed.subarray(0, -1), packed.subarray(0, 3), new Uint8Array(), content(1000).fill(0xff)])
        await expect(read(decompressed(inPieces(broken, 1000).stream, format))).rejects.toThrow()
    })

    it.each([1, 1000, 1_000_000])('fails for bytes that go on behind their end, in pieces of %i', async (size) => {
      const packed = PACK[format](content(size < 10 ? 1000 : 100_000))
      const { stream } = inPieces(new Uint8Array([...packed, ...new Uint8Array(2000)]), size)
      await expect(read(decompressed(stream, format))).rejects.toThrow()
    })
  })

  describe.each(FORMATS)('packing %s', (format) => {
    it.each([1000, 100_000])('packs what comes in pieces of %i', async (size) => {
      const bytes = content(400_000)
      const packed = await read(compressed(inPieces(bytes, size).stream, format))
      const unpacked = UNPACK[format](packed)
      expect([unpacked.length, crc32(unpacked)]).toEqual([bytes.length, crc32(bytes)])
      expect(packed.length).toBeLessThan(300_000)
    })

    it('reads no more of the source than the reader takes of what comes of it', async () => {
      const piece = crypto.getRandomValues(new Uint8Array(64 * 1024))
      const { stream, seen } = source((at) => (at < 500 ? piece : null))
      const reader = compressed(stream, format).getReader()
      let taken = 0
      while (taken < MEBIBYTE) {
        taken += (await reader.read()).value?.length ?? 0
        await restOfWork()
        expect(seen.pieces).toBeLessThanOrEqual(Math.ceil(taken / piece.length) + 8)
      }
      await reader.cancel()
      expect(seen.cancelled).toBe(true)
    })

    it('fails where the source fails', async () => {
      const { stream } = source((at) => (at < 3 ? content(1000) : refused()))
      await expect(read(compressed(stream, format))).rejects.toThrow('the line is cut')
    })
  })
}

const refused = () => Promise.reject<never>(new Error('the line is cut'))
