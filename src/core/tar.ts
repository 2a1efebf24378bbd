/**
 * Tar, as far as a sync and an archive of sources need it: regular files, directories and links, names as bytes of any
 * kind; written as GNU tar does, read also as POSIX has it (long names in `prefix` or in a record before the entry).
 * Own code because tar libraries decode names as text, and a name that is not UTF-8 must survive.
 * Format: https://www.gnu.org/software/tar/manual/html_node/Standard.html
 */
import { ByteSource } from './byte-source.ts'
import { joined } from './joined.ts'

/** Headers and contents fill blocks of this many bytes. */
export const TAR_BLOCK = 512
const NAME_BYTES = 100

export interface TarEntry {
  readonly name: Uint8Array
  /** `other name`: a hard link to a file that stands earlier in the archive. */
  readonly kind: 'file' | 'directory' | 'link' | 'other name'
  /** Permission bits. */
  readonly mode: number
  readonly mtimeMs: number
  /** Size of the content, in bytes; 0 for all but files. */
  readonly size: number
  /** Target of a link, or the file's earlier name. */
  readonly target?: Uint8Array
}

/** The header blocks of one entry; its content, padded by {@link tarPadding}, follows. */
export function tarHeader(entry: TarEntry): Uint8Array {
  const blocks: Uint8Array[] = []
  const name = entry.kind === 'directory' ? joined([entry.name, Uint8Array.of(0x2f)]) : entry.name
  if (name.length > NAME_BYTES) blocks.push(...longName('L', name))
  if (entry.target && entry.target.length > NAME_BYTES) blocks.push(...longName('K', entry.target))
  const type = { file: '0', directory: '5', link: '2', 'other name': '1' }[entry.kind]
  blocks.push(headerBlock(name, type, entry.mode, tarTimeMs(entry.mtimeMs) / 1000, entry.size, entry.target))
  return joined(blocks)
}

/** Time of an entry as a tar has it: whole seconds, since 1970. */
export const tarTimeMs = (mtimeMs: number): number =>
  Math.min(Math.max(0, Math.floor(mtimeMs / 1000)), 0o77777777777) * 1000

/** A whole entry: a file whose content is in memory. */
export const tarFile = (name: Uint8Array, content: Uint8Array, mtimeMs: number): Uint8Array =>
  joined([
    tarHeader({ name, kind: 'file', mode: 0o644, mtimeMs, size: content.length }),
    content,
    tarPadding(content.length),
  ])

/** Type of an entry and size of its content, as its header has them. @throws Error when that is no header */
export function headerFacts(header: Uint8Array): { readonly type: string; readonly size: number } {
  checkSum(header)
  return { type: String.fromCharCode(header[156] ?? 0), size: readNumber(header.subarray(124, 136)) }
}

/** Zero bytes that fill the last block of a content of `size` bytes. */
export const tarPadding = (size: number) => new Uint8Array((TAR_BLOCK - (size % TAR_BLOCK)) % TAR_BLOCK)

/** End of an archive: two empty blocks. */
export const tarEnd = () => new Uint8Array(2 * TAR_BLOCK)

/**
 * Reads the entries of an archive as they arrive. `take` must use up or cancel each content before it returns; unread
 * content is skipped. Nothing behind the archive's end is read: the stream is cancelled.
 * @param maxBytes greatest length of the archive, headers included
 * @throws Error when the archive is broken, ends early or is longer; whatever `take` throws
 */
export async function readTar(
  archive: ReadableStream<Uint8Array>,
  take: TakeEntry,
  maxBytes = Number.POSITIVE_INFINITY,
): Promise<void> {
  const source = new ByteSource(archive, maxBytes, 'tar: the archive')
  try {
    await readEntries(source, take)
  } finally {
    await source.cancel()
  }
}

/** One entry of an archive that is read. */
export interface ReadEntry {
  readonly name: Uint8Array
  /** Whether the entry is a file: the content of directories, links and others is empty. */
  readonly isFile: boolean
  /** Type as the header has it: `0` for a file, `5` for a directory, `g` for words about all further entries. */
  readonly type: string
  /** Permission bits. */
  readonly mode: number
  readonly size: number
  readonly content: TarContent
}

type TakeEntry = (entry: ReadEntry) => Promise<void>

/** Greatest number of name records before one entry: its own name, its target's, and an extended header. */
const MAX_NAME_RECORDS = 3
const MAX_NAME_RECORD_BYTES = 16 * 1024
const MAX_NAME_RECORD_DIGITS = 5

async function readEntries(source: ByteSource, take: TakeEntry): Promise<void> {
  let longNameBytes: Uint8Array | null = null
  let entrySize: number | null = null
  let nameRecords = 0
  for (;;) {
    const header = await source.exactly(TAR_BLOCK)
    if (header.every((byte) => byte === 0)) return
    checkSum(header)
    const size = readNumber(header.subarray(124, 136))
    const type = String.fromCharCode(header[156] ?? 0)
    if (type === 'L' || type === 'K' || type === 'x') {
      if (size > MAX_NAME_RECORD_BYTES) throw new Error('tar: a name is too long')
      if (++nameRecords > MAX_NAME_RECORDS) throw new Error('tar: an entry has too many names')
      const record = await source.exactly(size)
      await source.skip(tarPadding(size).length)
      if (type === 'L') longNameBytes = untilNul(record)
      if (type === 'x') {
        const { path, size: stated } = extendedHeader(record)
        longNameBytes = path ?? longNameBytes
        entrySize = stated ?? entrySize
      }
      continue
    }
    const name: Uint8Array = longNameBytes ?? shortName(header)
    if (entrySize !== null && entrySize !== size) throw new Error('tar: an entry has two sizes')
    longNameBytes = null
    entrySize = null
    nameRecords = 0
    const mode = readNumber(header.subarray(100, 108)) & 0o7777
    const content = new TarContent(source, size)
    await take({ name, isFile: type === '0' || type === '\0', type, mode, size, content })
    await content.discard()
    await source.skip(tarPadding(size).length)
  }
}

/**
 * Name from the header alone: POSIX puts the front of a longer name elsewhere; GNU, whose mark ends in blanks, has times there.
 */
function shortName(header: Uint8Array): Uint8Array {
  const name = untilNul(header.subarray(0, NAME_BYTES))
  const isPosix = header[262] === 0 && header[263] === 0x30
  const prefix = isPosix ? untilNul(header.subarray(345, 500)) : new Uint8Array(0)
  return prefix.length === 0 ? name : joined([prefix, Uint8Array.of(0x2f), name])
}

/**
 * Values of `path` and `size` in the lines `<length> <key>=<value>` of an extended header; of several the last counts.
 * @throws Error for a file with holes, whose content is a map of them
 */
function extendedHeader(record: Uint8Array): { readonly path: Uint8Array | null; readonly size: number | null } {
  let path: Uint8Array | null = null
  let size: number | null = null
  for (let at = 0; at < record.length; ) {
    const digits = record.subarray(at, at + MAX_NAME_RECORD_DIGITS + 1)
    const blank = digits.indexOf(0x20)
    const length = Number(ascii.decode(digits.subarray(0, blank)))
    if (blank < 1 || !Number.isInteger(length) || length <= blank || at + length > record.length) {
      throw new Error('tar: a header is broken')
    }
    const line = record.subarray(at + blank + 1, at + length - 1)
    const key = ascii.decode(line.subarray(0, 11))
    if (key.startsWith('GNU.sparse.')) throw new Error('tar: a file has holes')
    if (key.startsWith('path=')) path = line.slice(5)
    if (key.startsWith('size=')) size = Number(ascii.decode(line.subarray(5)))
    at += length
  }
  return { path, size }
}

/** The content of one file of an archive; can be read once, before the next file. */
class TarContent {
  readonly #source: ByteSource
  #left: number

  constructor(source: ByteSource, size: number) {
    this.#source = source
    this.#left = size
  }

  async bytes(): Promise<Uint8Array> {
    const whole = await this.#source.exactly(this.#left)
    this.#left = 0
    return whole
  }

  stream(): ReadableStream<Uint8Array> {
    return new ReadableStream({
      pull: async (controller) => {
        if (this.#left === 0) return controller.close()
        const chunk = await this.#source.upTo(this.#left)
        this.#left -= chunk.length
        controller.enqueue(chunk)
        if (this.#left === 0) controller.close()
      },
    })
  }

  async discard(): Promise<void> {
    await this.#source.skip(this.#left)
    this.#left = 0
  }
}

function headerBlock(
  name: Uint8Array,
  type: string,
  mode: number,
  mtimeSeconds: number,
  size: number,
  target?: Uint8Array,
): Uint8Array {
  const block = new Uint8Array(TAR_BLOCK)
  block.set(name.subarray(0, NAME_BYTES), 0)
  writeOctal(block, 100, 8, mode)
  writeOctal(block, 108, 8, 0)
  writeOctal(block, 116, 8, 0)
  writeOctal(block, 124, 12, size)
  // A program may have set a time that the field cannot hold, in the year 3000 or before 1970.
  writeOctal(block, 136, 12, mtimeSeconds)
  block[156] = type.charCodeAt(0)
  if (target) block.set(target.subarray(0, NAME_BYTES), 157)
  block.set(encoder.encode('ustar  \0'), 257)
  block.fill(0x20, 148, 156)
  writeOctal(block, 148, 7, sum(block))
  return block
}

function longName(type: 'L' | 'K', name: Uint8Array): Uint8Array[] {
  const content = joined([name, Uint8Array.of(0)])
  return [headerBlock(encoder.encode('././@LongLink'), type, 0, 0, content.length), content, tarPadding(content.length)]
}

function writeOctal(block: Uint8Array, at: number, width: number, value: number): void {
  const digits = value.toString(8).padStart(width - 1, '0')
  if (digits.length > width - 1) throw new Error('tar: a number does not fit')
  block.set(encoder.encode(`${digits}\0`), at)
}

/** Number in a header field: octal digits, or GNU's base-256 for sizes of 8 GiB and more. */
function readNumber(field: Uint8Array): number {
  const isBase256 = ((field[0] ?? 0) & 0x80) !== 0
  const value = isBase256
    ? field.subarray(4).reduce((total, byte) => total * 256 + byte, 0)
    : Number.parseInt(ascii.decode(untilNul(field)).trim() || '0', 8)
  if (!Number.isSafeInteger(value) || value < 0) throw new Error('tar: a number is broken')
  return value
}

function checkSum(header: Uint8Array): void {
  const stated = readNumber(header.subarray(148, 156))
  const blanked = header.slice().fill(0x20, 148, 156)
  if (sum(blanked) !== stated) throw new Error('tar: a header is broken')
}

function sum(block: Uint8Array): number {
  let total = 0
  for (const byte of block) total += byte
  return total
}
const encoder = new TextEncoder()
const ascii = new TextDecoder('latin1')

function untilNul(field: Uint8Array): Uint8Array {
  const end = field.indexOf(0)
  return end === -1 ? field.slice() : field.slice(0, end)
}
