/**
 * Tar, as far as a sync and an archive of sources need it: regular files, directories and links, names as bytes of any
 * kind; written as GNU tar does, read also as POSIX has it (long names in `prefix` or in a record before the entry).
 * Own code because tar libraries decode names as text, and a name that is not UTF-8 must survive.
 * Format: https://www.gnu.org/software/tar/manual/html_node/Standard.html
 */
import { joined } from './joined.ts'

/** Headers and contents fill blocks of this many bytes. */
export const TAR_BLOCK = 512
const NAME_BYTES = 100

export interface TarEntry {
  readonly name: Uint8Array
  readonly kind: 'file' | 'directory' | 'link'
  /** Permission bits. */
  readonly mode: number
  readonly mtimeMs: number
  /** Bytes of content; 0 for all but files. */
  readonly size: number
  /** Where a link points. */
  readonly target?: Uint8Array
}

/** The header blocks of one entry; its content, padded by {@link tarPadding}, follows. */
export function tarHeader(entry: TarEntry): Uint8Array {
  const blocks: Uint8Array[] = []
  const name = entry.kind === 'directory' ? joined([entry.name, Uint8Array.of(0x2f)]) : entry.name
  if (name.length > NAME_BYTES) blocks.push(...longName('L', name))
  if (entry.target && entry.target.length > NAME_BYTES) blocks.push(...longName('K', entry.target))
  const type = { file: '0', directory: '5', link: '2' }[entry.kind]
  blocks.push(headerBlock(name, type, entry.mode, Math.floor(entry.mtimeMs / 1000), entry.size, entry.target))
  return joined(blocks)
}

/** Zero bytes that fill the last block of a content of `size` bytes. */
export const tarPadding = (size: number) => new Uint8Array((TAR_BLOCK - (size % TAR_BLOCK)) % TAR_BLOCK)

/** Two empty blocks end an archive. */
export const tarEnd = () => new Uint8Array(2 * TAR_BLOCK)

/**
 * Reads the regular files of an archive as they come by. `take` must use up or cancel each content before it returns;
 * what it leaves is skipped. Entries of other kinds are passed over: a listing describes those.
 * @throws Error when the archive is broken or ends early
 */
export async function readTarFiles(archive: ReadableStream<Uint8Array>, take: TakeFile): Promise<void> {
  const source = new ByteSource(archive)
  try {
    await readEntries(source, take)
  } catch (thrown) {
    await source.cancel()
    throw thrown
  }
}

export interface TarFile {
  readonly name: Uint8Array
  readonly size: number
  readonly content: TarContent
}

type TakeFile = (file: TarFile) => Promise<void>

async function readEntries(source: ByteSource, take: TakeFile): Promise<void> {
  let longNameBytes: Uint8Array | null = null
  for (;;) {
    const header = await source.exactly(TAR_BLOCK)
    if (header.every((byte) => byte === 0)) break
    checkSum(header)
    const size = readNumber(header.subarray(124, 136))
    const type = String.fromCharCode(header[156] ?? 0)
    if (type === 'L' || type === 'K' || type === 'x') {
      if (size > 16 * 1024) throw new Error('tar: a name is too long')
      const record = await source.exactly(size)
      await source.skip(tarPadding(size).length)
      if (type === 'L') longNameBytes = untilNul(record)
      if (type === 'x') longNameBytes = posixPath(record) ?? longNameBytes
      continue
    }
    const name: Uint8Array = longNameBytes ?? shortName(header)
    longNameBytes = null
    const content = new TarContent(source, size)
    if (type === '0' || type === '\0') await take({ name, size, content })
    await content.discard()
    await source.skip(tarPadding(size).length)
  }
  await source.drain()
}

/** POSIX puts the front of a longer name elsewhere; GNU, whose mark ends in blanks, has times there. */
function shortName(header: Uint8Array): Uint8Array {
  const name = untilNul(header.subarray(0, NAME_BYTES))
  const isPosix = header[262] === 0 && header[263] === 0x30
  const prefix = isPosix ? untilNul(header.subarray(345, 500)) : new Uint8Array(0)
  return prefix.length === 0 ? name : joined([prefix, Uint8Array.of(0x2f), name])
}

/** Of the lines `<length> <key>=<value>` of an extended header, the value of `path`. */
function posixPath(record: Uint8Array): Uint8Array | null {
  for (let at = 0; at < record.length; ) {
    const blank = record.indexOf(0x20, at)
    const length = Number.parseInt(new TextDecoder().decode(record.subarray(at, blank)), 10)
    if (blank === -1 || !(length > 0)) throw new Error('tar: a header is broken')
    const line = record.subarray(blank + 1, at + length - 1)
    if (new TextDecoder().decode(line.subarray(0, 5)) === 'path=') return line.slice(5)
    at += length
  }
  return null
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

class ByteSource {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>
  #rest: Uint8Array = new Uint8Array(0)

  constructor(stream: ReadableStream<Uint8Array>) {
    this.#reader = stream.getReader()
  }

  /** What is at hand, at most `limit` bytes, at least one. */
  async upTo(limit: number): Promise<Uint8Array> {
    while (this.#rest.length === 0) {
      const { done, value } = await this.#reader.read()
      if (done) throw new Error('tar: the archive ends early')
      this.#rest = value
    }
    const chunk = this.#rest.subarray(0, limit)
    this.#rest = this.#rest.subarray(chunk.length)
    return chunk
  }

  async exactly(length: number): Promise<Uint8Array> {
    const out = new Uint8Array(length)
    for (let at = 0; at < length; ) {
      const chunk = await this.upTo(length - at)
      out.set(chunk, at)
      at += chunk.length
    }
    return out
  }

  async skip(length: number): Promise<void> {
    for (let left = length; left > 0; ) left -= (await this.upTo(left)).length
  }

  async drain(): Promise<void> {
    this.#rest = new Uint8Array(0)
    while (!(await this.#reader.read()).done);
  }

  /** Lets go of the rest. It may have failed itself, and why is known already. */
  async cancel(): Promise<void> {
    await this.#reader.cancel().catch(() => undefined)
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
  writeOctal(block, 136, 12, Math.min(Math.max(0, mtimeSeconds), 0o77777777777))
  block[156] = type.charCodeAt(0)
  if (target) block.set(target.subarray(0, NAME_BYTES), 157)
  block.set(ascii('ustar  \0'), 257)
  block.fill(0x20, 148, 156)
  writeOctal(block, 148, 7, sum(block))
  return block
}

function longName(type: 'L' | 'K', name: Uint8Array): Uint8Array[] {
  const content = joined([name, Uint8Array.of(0)])
  return [headerBlock(ascii('././@LongLink'), type, 0, 0, content.length), content, tarPadding(content.length)]
}

function writeOctal(block: Uint8Array, at: number, width: number, value: number): void {
  const digits = value.toString(8).padStart(width - 1, '0')
  if (digits.length > width - 1) throw new Error('tar: a number does not fit')
  block.set(ascii(`${digits}\0`), at)
}

/** Octal digits, or GNU's base-256 for sizes of 8 GiB and more. */
function readNumber(field: Uint8Array): number {
  if ((field[0] ?? 0) & 0x80) return field.subarray(4).reduce((value, byte) => value * 256 + byte, 0)
  const text = String.fromCharCode(...untilNul(field)).trim()
  const value = Number.parseInt(text || '0', 8)
  if (!Number.isSafeInteger(value) || value < 0) throw new Error('tar: a number is broken')
  return value
}

function checkSum(header: Uint8Array): void {
  const stated = readNumber(header.subarray(148, 156))
  const blanked = header.slice().fill(0x20, 148, 156)
  if (sum(blanked) !== stated) throw new Error('tar: a header is broken')
}

const sum = (block: Uint8Array) => block.reduce((total, byte) => total + byte, 0)
const ascii = (text: string) => new TextEncoder().encode(text)

function untilNul(field: Uint8Array): Uint8Array {
  const end = field.indexOf(0)
  return end === -1 ? field.slice() : field.slice(0, end)
}
