import { MAX_ARCHIVE_ENTRIES } from '../../core/limits/files.ts'
import { pathFromBytes } from '../../core/workspace-path.ts'
import { refuseArchive, refuseEntry, refuseSize } from './refused.ts'

/** A file or directory of a zip, as its directory states it. */
export interface ZipEntry {
  readonly name: Uint8Array
  readonly isDirectory: boolean
  /** Permission bits; undefined for an archive that was not made on Unix. */
  readonly mode: number | undefined
  readonly isDeflated: boolean
  readonly crc: number
  readonly size: number
  /** Compressed content. */
  readonly packed: Uint8Array
}

const END = 0x06054b50
const ENTRY = 0x02014b50
const LOCAL = 0x04034b50
const END_BYTES = 22
const ENTRY_BYTES = 46
const LOCAL_BYTES = 30
const MAX_COMMENT = 0xffff
const MAX_16 = 0xffff
const MAX_32 = 0xffff_ffff
const UNIX = 3
const STORED = 0
const DEFLATED = 8
/** Flags: encrypted, strongly encrypted, with a masked directory. */
const ENCRYPTED = 0x0001 | 0x0040 | 0x2000
const FILE_TYPE = 0o170000
const DIRECTORY = 0o040000
const REGULAR = 0o100000

/**
 * Entries of a zip, in the order of their contents. Only the directory at its end is believed, and each content has to lie where it
 * says, under the same name, and apart from all others: so no program sees other files in the archive than this one.
 * @see https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
 * @throws FailureError `invalid_input`, `limit_exceeded`
 */
export function zipEntries(bytes: Uint8Array): ZipEntry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    return entriesOf(bytes, view)
  } catch (thrown) {
    if (thrown instanceof RangeError) return refuseArchive(DAMAGED, thrown)
    throw thrown
  }
}

function entriesOf(bytes: Uint8Array, view: DataView): ZipEntry[] {
  const end = endOf(view)
  const [count, size, start] = [
    view.getUint16(end + 10, true),
    view.getUint32(end + 12, true),
    view.getUint32(end + 16, true),
  ]
  if (count === MAX_16 || size === MAX_32 || start === MAX_32) refuseArchive(ZIP64)
  if (count > MAX_ARCHIVE_ENTRIES) refuseSize('MAX_ARCHIVE_ENTRIES', MAX_ARCHIVE_ENTRIES, `has ${count} entries`)
  const isOnOneDisk = view.getUint32(end + 4, true) === 0 && view.getUint16(end + 8, true) === count
  if (!isOnOneDisk || start + size !== end) refuseArchive(DAMAGED)

  const placed: Placed[] = []
  let at = start
  for (let index = 0; index < count; index++) {
    if (at + ENTRY_BYTES > end || view.getUint32(at, true) !== ENTRY) refuseArchive(DAMAGED)
    const placedEntry = stated(bytes, view, at)
    placed.push(placedEntry)
    at += ENTRY_BYTES + placedEntry.name.length + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  }
  if (at !== end) refuseArchive(DAMAGED)
  placed.sort((one, other) => one.offset - other.offset)
  let free = 0
  return placed.map((entry) => {
    if (entry.offset < free) refuseEntry(pathFromBytes(entry.name), 'shares its bytes with another one')
    const from = contentAt(bytes, view, entry)
    free = from + entry.packedSize
    if (free > start) refuseArchive(DAMAGED)
    return { ...entry, packed: bytes.subarray(from, free) }
  })
}

/** Place of the record at the archive's end, behind which only its comment may stand. */
function endOf(view: DataView): number {
  const last = view.byteLength - END_BYTES
  for (let at = last; at >= Math.max(0, last - MAX_COMMENT); at--) {
    if (view.getUint32(at, true) === END && at + END_BYTES + view.getUint16(at + 20, true) === view.byteLength)
      return at
  }
  return refuseArchive(DAMAGED)
}

interface Placed extends Omit<ZipEntry, 'packed'> {
  readonly offset: number
  readonly packedSize: number
  readonly method: number
}

function stated(bytes: Uint8Array, view: DataView, at: number): Placed {
  const nameStart = at + ENTRY_BYTES
  const name = bytes.subarray(nameStart, nameStart + view.getUint16(at + 28, true))
  const shown = pathFromBytes(name)
  const [packedSize, size, offset] = [
    view.getUint32(at + 20, true),
    view.getUint32(at + 24, true),
    view.getUint32(at + 42, true),
  ]
  if (view.getUint16(at + 8, true) & ENCRYPTED) refuseEntry(shown, 'is encrypted; send an archive without a password')
  const method = view.getUint16(at + 10, true)
  if (method !== STORED && method !== DEFLATED)
    refuseEntry(shown, 'is compressed in a way other than deflate; pack it by another program')
  if (packedSize === MAX_32 || size === MAX_32 || offset === MAX_32) refuseArchive(ZIP64)
  if (method === STORED && packedSize !== size) refuseEntry(shown, 'has two sizes')
  const unixMode = bytes[at + 5] === UNIX ? view.getUint16(at + 40, true) : 0
  const type = unixMode & FILE_TYPE
  const isDirectory = type === DIRECTORY || name.at(-1) === 0x2f
  if (type !== 0 && type !== REGULAR && type !== DIRECTORY)
    refuseEntry(shown, 'is a link, a device or the like, and not a file')
  if (isDirectory && size > 0) refuseEntry(shown, 'is a directory with a content')
  const mode = unixMode & 0o777
  return {
    name,
    isDirectory,
    mode: mode === 0 ? undefined : mode,
    isDeflated: method === DEFLATED,
    crc: view.getUint32(at + 16, true),
    size,
    offset,
    packedSize,
    method,
  }
}

/** Place of an entry's content, behind its own header, which must say the same of it. */
function contentAt(bytes: Uint8Array, view: DataView, { offset, name, method }: Placed): number {
  if (view.getUint32(offset, true) !== LOCAL) return refuseArchive(DAMAGED)
  const nameLength = view.getUint16(offset + 26, true)
  const own = bytes.subarray(offset + LOCAL_BYTES, offset + LOCAL_BYTES + nameLength)
  const isSame = own.length === name.length && own.every((byte, index) => byte === name[index])
  if (!isSame || view.getUint16(offset + 8, true) !== method)
    return refuseEntry(pathFromBytes(name), 'has another name or form where its content lies')
  return offset + LOCAL_BYTES + nameLength + view.getUint16(offset + 28, true)
}

const DAMAGED = 'is damaged, or no zip; check how it was made or sent'
const ZIP64 = 'is a zip64, which only larger archives than are taken here need; pack it without'
