import { DISK_FULL, isDiskFull } from '../core/disk-full.ts'
import { FailureError, fail } from '../core/failure.ts'
import type { TenantId } from '../core/ids.ts'
import { BLOB_GRACE_MS, DELETE_BATCH_BLOBS, MAX_BUFFERED_BLOB_BYTES } from '../core/limits/workspace.ts'
import { noLimit, type Slots } from '../core/slots.ts'
import type { BlobLedger } from '../ports/blob-ledger.ts'
import type { BlobStore } from '../ports/blobs.ts'
import { disk } from './disk.ts'

interface R2BlobsOptions {
  readonly bucket: R2Bucket
  /** The tenant's references to contents. */
  readonly ledger: BlobLedger
  readonly tenant: TenantId
  /** Session on whose behalf blobs are kept. */
  readonly nodeId: string
  /** Places of the calling object for requests to the store; streams of large files take none. */
  readonly slot?: Slots
}

/**
 * Contents of one tenant in R2, as one session refers to them. The order is always: the tenant notes the reference, R2
 * stores, the tenant notes that it is stored. Cut off anywhere, a blob may be stored for nothing, but never be missing.
 */
export function blobsR2({ bucket, ledger, tenant, nodeId, slot = noLimit }: R2BlobsOptions): BlobStore {
  /** Sends the contents that are not stored yet. */
  async function store(hashes: readonly string[], send: (hash: string) => Promise<unknown>): Promise<void> {
    const stored = new Set(await ledger.retain(nodeId, hashes))
    const missing = hashes.filter((hash) => !stored.has(hash))
    if (missing.length === 0) return
    await Promise.all(missing.map(send))
    await ledger.stored(missing)
  }
  const put = (hash: string, content: Uint8Array) =>
    // R2 checks the sum itself: it refuses bytes that were changed on the way.
    store([hash], () => slot(() => bucket.put(blobKey(tenant, hash), content, { sha256: hash })))

  return {
    put: (blobs) =>
      orUpstream(async () => {
        const contents = new Map(blobs.map(({ hash, content }) => [hash, content]))
        await store([...contents.keys()], (hash) =>
          slot(() => bucket.put(blobKey(tenant, hash), contents.get(hash) ?? null, { sha256: hash })),
        )
      }),

    putStream: (stream, size) =>
      orUpstream(async () => {
        if (size <= MAX_BUFFERED_BLOB_BYTES) {
          const content = await readExactly(stream, size)
          const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', content)).toHex()
          await put(hash, content)
          return hash
        }
        // R2 can neither rename nor copy. Content too large for memory is stored under a temporary name while it is hashed, and
        // then streamed from there to its own: two writes and a read, and nothing when the content is there already.
        const incoming = `${incomingPrefix(tenant)}${crypto.randomUUID()}`
        try {
          const hash = await putHashing(bucket, incoming, stream, size)
          await store([hash], async () => {
            const object = await bucket.get(incoming)
            if (!object) fail('upstream', 'the file store lost what it was given; try again')
            await bucket.put(blobKey(tenant, hash), paced(object.body, object.size), { sha256: hash })
          })
          return hash
        } finally {
          // The tenant's alarm deletes leftovers; this must not hide how the upload ended.
          await bucket.delete(incoming).catch(() => undefined)
        }
      }),

    get: (hash, range) =>
      orUpstream(async () => {
        const object = await slot(() => bucket.get(blobKey(tenant, hash), range && { range: { ...range } }))
        return object ? { size: object.size, body: object.body as ReadableStream<Uint8Array> } : null // R2 gives bytes
      }),

    reclaim: (hashes) =>
      orUpstream(async () => {
        const stored = new Set(await ledger.retain(nodeId, hashes))
        const unsure = hashes.filter((hash) => !stored.has(hash))
        const there = await Promise.all(
          unsure.map((hash) => slot(async () => (await bucket.head(blobKey(tenant, hash))) !== null)),
        )
        const found = unsure.filter((_, at) => there[at])
        if (found.length > 0) await ledger.stored(found)
        const missing = unsure.filter((_, at) => !there[at])
        if (missing.length > 0) await ledger.release(nodeId, missing)
        return missing
      }),

    release: (hashes) => orUpstream(() => ledger.release(nodeId, hashes)),
    releaseAll: () => orUpstream(() => ledger.release(nodeId, 'all')),
  }
}

/**
 * Deletes contents of one tenant for good, and leftovers of uploads that a crash cut off.
 * @param slot places of the calling object for requests to the store
 */
export function blobDeleterR2(bucket: R2Bucket, tenant: TenantId, slot: Slots) {
  return {
    async delete(hashes: readonly string[]): Promise<void> {
      for (let at = 0; at < hashes.length; at += DELETE_BATCH_BLOBS) {
        const keys = hashes.slice(at, at + DELETE_BATCH_BLOBS).map((hash) => blobKey(tenant, hash))
        await slot(() => bucket.delete(keys))
      }
    },

    /** Deletes one page of leftovers; the next call continues. */
    async deleteAbandoned(now: number): Promise<void> {
      const { objects } = await slot(() => bucket.list({ prefix: incomingPrefix(tenant) }))
      const old = objects.filter(({ uploaded }) => uploaded.getTime() < now - BLOB_GRACE_MS)
      if (old.length > 0) await slot(() => bucket.delete(old.map(({ key }) => key)))
    },
  }
}

const blobKey = (tenant: TenantId, hash: string) => `t/${tenant}/blobs/${hash}`
const incomingPrefix = (tenant: TenantId) => `t/${tenant}/incoming/`

/**
 * Stores a stream under `key` and hashes it on the way. Each chunk goes to both before the next is read, so that
 * neither side piles up what the other has not taken, as the two halves of a `tee()` would.
 */
async function putHashing(
  bucket: R2Bucket,
  key: string,
  stream: ReadableStream<Uint8Array>,
  size: number,
): Promise<string> {
  const digest = new crypto.DigestStream('SHA-256')
  const body = new FixedLengthStream(size)
  const stored = bucket.put(key, body.readable)
  // Whatever ends the copying also ends the put; the first reason is the one to report.
  stored.catch(() => undefined)
  digest.digest.catch(() => undefined)
  const [hashing, sending] = [digest.getWriter(), body.writable.getWriter()]
  let sent = 0
  try {
    for await (const chunk of chunksOf(stream)) {
      sent += chunk.length
      if (sent > size) break
      await Promise.all([hashing.write(chunk), sending.write(chunk)])
    }
    if (sent !== size) wrongSize(size)
    await Promise.all([hashing.close(), sending.close()])
    await stored
  } catch (thrown) {
    await Promise.allSettled([hashing.abort(thrown), sending.abort(thrown), stored])
    throw thrown
  }
  return new Uint8Array(await digest.digest).toHex()
}

/**
 * Stream of the same bytes, with a pause after every CHUNK_BYTES. Piped without pauses, one object goes into another within
 * the runtime's own loop, and a local workerd looks at no socket and no timer until the last byte: for 500 MB that is half
 * a minute on a busy machine.
 */
function paced(body: ReadableStream, size: number): ReadableStream {
  const { readable, writable } = new FixedLengthStream(size)
  const target = writable.getWriter()
  const pump = async () => {
    for await (const chunk of chunksOf(body)) {
      await target.write(chunk)
      await new Promise((resolve) => setTimeout(resolve, 0))
    }
    await target.close()
  }
  // The reader gets the error, and a reader that stops ends the source.
  pump().catch((cause: unknown) => target.abort(cause).catch(() => undefined))
  return readable
}

/** Bytes read at once, where a stream lets its reader choose: it gives 4 KiB otherwise. */
const CHUNK_BYTES = 1024 * 1024

/**
 * Bytes of a stream, in chunks of CHUNK_BYTES but for the last. A chunk is good until the next one is taken: all are parts of one buffer,
 * since many buffers stay in memory until the garbage collector comes for other reasons.
 */
async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const reader = byobReader(stream)
  if (!reader) return yield* gathered(stream)
  let buffer = new ArrayBuffer(CHUNK_BYTES)
  let isOver = false
  try {
    while (!isOver) {
      const { done, value } = await reader.readAtLeast(CHUNK_BYTES, new Uint8Array(buffer))
      isOver = done
      if (!value) return
      if (value.length > 0) yield value
      buffer = value.buffer as ArrayBuffer
    }
  } finally {
    if (!isOver) await reader.cancel().catch(() => undefined)
  }
}

/** The same for a stream that brings its own pieces: an archive from a sandbox comes in some of 4 KiB, and each would be two writes. */
async function* gathered(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const buffer = new Uint8Array(CHUNK_BYTES)
  let filled = 0
  for await (const piece of stream) {
    for (let at = 0; at < piece.length; ) {
      const part = piece.subarray(at, at + CHUNK_BYTES - filled)
      buffer.set(part, filled)
      filled += part.length
      at += part.length
      if (filled < CHUNK_BYTES) continue
      yield buffer
      filled = 0
    }
  }
  if (filled > 0) yield buffer.subarray(0, filled)
}

/** Reader that brings the room for the bytes; null for a stream that takes none. */
function byobReader(stream: ReadableStream<Uint8Array>): ReadableStreamBYOBReader | null {
  try {
    return stream.getReader({ mode: 'byob' })
  } catch {
    return null
  }
}

async function readExactly(stream: ReadableStream<Uint8Array>, size: number): Promise<Uint8Array<ArrayBuffer>> {
  const content = new Uint8Array(size)
  let at = 0
  for await (const chunk of stream) {
    if (at + chunk.length > size) wrongSize(size)
    content.set(chunk, at)
    at += chunk.length
  }
  return at === size ? content : wrongSize(size)
}

const wrongSize = (size: number): never =>
  fail('invalid_input', `the content does not have the ${size} bytes that were announced; send it again`)

/** Answer of R2. @throws FailureError `upstream`, or that of a full disk, for what R2 throws */
export async function orUpstream<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    if (thrown instanceof FailureError) throw thrown
    if (isDiskFull(thrown)) disk.noteFull()
    if (disk.isFull) throw new FailureError(DISK_FULL, { cause: thrown })
    throw new FailureError(
      { code: 'upstream', message: 'the file store did not answer; nothing was changed, try again' },
      { cause: thrown },
    )
  }
}
