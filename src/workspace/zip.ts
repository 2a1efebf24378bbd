import { crc32 } from 'node:zlib'
import { type Field, record } from '../core/byte-record.ts'
import { compressed } from '../core/compressed.ts'
import { MAX_WORKSPACE_ENTRIES } from '../core/limits/workspace.ts'
import { pathBelow, pathToBytes, ROOT, type WorkspacePath } from '../core/workspace-path.ts'
import type { FileEntry, WorkspaceEntry } from '../ports/workspace.ts'
import { bytesOfPieces } from './bytes.ts'
import type { SyncedWorkspace } from './synced.ts'

/** Zip of all present files of the workspace, otherwise as {@link zip}. */
export function zipOf(workspace: SyncedWorkspace): ReadableStream<Uint8Array> {
  const { entries } = workspace.list(ROOT, { recursive: true, limit: MAX_WORKSPACE_ENTRIES })
  return zip(entries, (entry) => workspace.openContent(entry), ROOT)
}

/**
 * Zip of files, of which a few pieces at a time are in memory. Directories have no entries of their own, and links are left out: an
 * unpacked archive has nothing that leads elsewhere.
 * @param base directory of the entries, from which on their names in the archive begin
 * @see https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
 */
export const zip = (entries: readonly WorkspaceEntry[], open: Open, base: WorkspacePath): ReadableStream<Uint8Array> =>
  bytesOfPieces(
    zipPieces(
      entries.filter((entry) => entry.kind === 'file'),
      open,
      base,
    ),
  )

interface Packed {
  readonly name: Uint8Array<ArrayBuffer>
  readonly entry: FileEntry
  readonly crc: number
  /** Bytes before and after compression. */
  readonly size: number
  readonly packedSize: number
  /** Offset of the file's local header. */
  readonly offset: number
}

type Open = (entry: FileEntry) => Promise<ReadableStream<Uint8Array>>

/** Pieces of the archive. A byte stream takes over the buffer of each piece, so sums over a piece are made before it is given. */
async function* zipPieces(
  files: readonly FileEntry[],
  open: Open,
  base: WorkspacePath,
): AsyncGenerator<Uint8Array<ArrayBuffer>, undefined> {
  const packed: Packed[] = []
  let at = 0
  for (const entry of files) {
    const name = Uint8Array.from(pathToBytes(pathBelow(entry.path, base)))
    const offset = at
    const head = localHeader(name, entry)
    at += head.length
    yield head
    const sums = { crc: 0, size: 0, packedSize: 0 }
    if (entry.size > 0) yield* deflated(await open(entry), sums)
    else {
      sums.packedSize = NOTHING_DEFLATED.length
      yield Uint8Array.from(NOTHING_DEFLATED)
    }
    const tail = descriptor(sums)
    at += sums.packedSize + tail.length
    yield tail
    packed.push({ name, entry, ...sums, offset })
  }
  const start = at
  for (const file of packed) {
    const header = centralHeader(file)
    at += header.length
    yield header
  }
  yield endOfArchive(packed.length, at - start, start)
  return undefined
}

/** Compressed content of an empty file. Making a compressor for each would cost more than all else about it. */
const NOTHING_DEFLATED = [3, 0]

interface Sums {
  crc: number
  size: number
  packedSize: number
}

/** Compressed content, whose checksum and sizes are summed while it passes. */
async function* deflated(content: ReadableStream<Uint8Array>, sums: Sums): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const counted = new TransformStream<Uint8Array, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      sums.crc = crc32(chunk, sums.crc)
      sums.size += chunk.length
      controller.enqueue(chunk as Uint8Array<ArrayBuffer>)
    },
  })
  const reader = compressed(content.pipeThrough(counted), 'deflate-raw').getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      sums.packedSize += value.length
      // The compressor may hand out parts of one buffer.
      yield Uint8Array.from(value)
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

const UNIX = 3
const ZIP64_VERSION = 45
const DEFLATE = 8
const MAX_32 = 0xffff_ffff
const MAX_16 = 0xffff

const localHeader = (name: Uint8Array, { mtimeMs }: FileEntry) =>
  record([
    [4, 0x04034b50],
    [2, ZIP64_VERSION],
    [2, flagsFor(name)],
    [2, DEFLATE],
    ...dosTime(mtimeMs),
    [4, 0], // checksum and sizes follow the content
    [4, 0],
    [4, 0],
    [2, name.length],
    [2, 0],
    name,
  ])

const descriptor = ({ crc, size, packedSize }: Sums) =>
  record([
    [4, 0x08074b50],
    [4, crc],
    [4, packedSize],
    [4, size],
  ])

function centralHeader({ name, entry, crc, size, packedSize, offset }: Packed) {
  const far = offset >= MAX_32
  return record([
    [4, 0x02014b50],
    [1, ZIP64_VERSION],
    [1, UNIX],
    [2, ZIP64_VERSION],
    [2, flagsFor(name)],
    [2, DEFLATE],
    ...dosTime(entry.mtimeMs),
    [4, crc],
    [4, packedSize],
    [4, size],
    [2, name.length],
    [2, far ? 12 : 0],
    [2, 0],
    [2, 0],
    [2, 0],
    [4, (0o100000 | (entry.mode & 0o777)) * 0x10000],
    [4, far ? MAX_32 : offset],
    name,
    ...(far ? farOffset(offset) : []),
  ])
}

const farOffset = (offset: number): Field[] => [
  [2, 1],
  [2, 8],
  [8, offset],
]

function endOfArchive(count: number, size: number, start: number) {
  const large = count >= MAX_16 || size >= MAX_32 || start >= MAX_32
  const zip64: Field[] = [
    [4, 0x06064b50],
    [8, 44],
    [2, ZIP64_VERSION],
    [2, ZIP64_VERSION],
    [4, 0],
    [4, 0],
    [8, count],
    [8, count],
    [8, size],
    [8, start],
    [4, 0x07064b50],
    [4, 0],
    [8, start + size],
    [4, 1],
  ]
  return record([
    ...(large ? zip64 : []),
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, Math.min(count, MAX_16)],
    [2, Math.min(count, MAX_16)],
    [4, Math.min(size, MAX_32)],
    [4, Math.min(start, MAX_32)],
    [2, 0],
  ])
}

/** Flags of an entry: sizes follow the content (bit 3), and a UTF-8 name is marked (bit 11). */
const flagsFor = (name: Uint8Array) => 0x0008 | (isUtf8(name) ? 0x0800 : 0)

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

/** Time in DOS format, which has steps of two seconds and begins in 1980. */
function dosTime(ms: number): [Field, Field] {
  const at = new Date(Math.max(ms, Date.UTC(1980, 0, 1)))
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1)
  const date = ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate()
  return [
    [2, time],
    [2, date & MAX_16],
  ]
}
