import { decompressed } from '../core/decompressed.ts'
import { FailureError } from '../core/failure.ts'
import { joined } from '../core/joined.ts'
import { MAX_UNPACKED_BYTES, MAX_UNPACKED_PART_BYTES, MAX_ZIP_ENTRIES } from '../core/limits/documents.ts'
import { broken, PROTECTED, tooMuch } from './broken.ts'

interface Entry {
  readonly flags: number
  readonly method: number
  readonly packed: number
  readonly offset: number
}

const END = 0x06054b50
const ENTRY = 0x02014b50
const LOCAL = 0x04034b50
const END_BYTES = 22
/** A zip ends with a comment of at most this length. */
const MAX_COMMENT = 0xffff
const ENCRYPTED = 1
const STORED = 0
const DEFLATED = 8
const MEGABYTE = 1024 * 1024

/**
 * Reader of a zipped document's files. No name of the archive is ever used for writing, and only requested files are
 * unpacked; unpacked bytes are counted as they come out, whatever sizes the archive declares.
 */
export class Zip {
  readonly #bytes: Uint8Array
  readonly #view: DataView
  readonly #entries = new Map<string, Entry>()
  #unpacked = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    try {
      this.#readDirectory()
    } catch (thrown) {
      if (thrown instanceof RangeError) broken(DAMAGED, { cause: thrown })
      throw thrown
    }
  }

  has(name: string): boolean {
    return this.#entries.has(name)
  }

  names(): string[] {
    return [...this.#entries.keys()]
  }

  /** Content of a file. @returns null when there is no such file */
  async read(name: string): Promise<Uint8Array | null> {
    const entry = this.#entries.get(name)
    if (!entry) return null
    if (entry.flags & ENCRYPTED) broken(PROTECTED)
    const body = this.#body(entry)
    if (entry.method === STORED) return this.#count(body)
    if (entry.method !== DEFLATED) return broken('it is packed in a way that office programs do not use')
    return this.#inflate(body)
  }

  /** Content of a file as text: UTF-8, or UTF-16 with its mark. */
  async text(name: string): Promise<string | null> {
    const bytes = await this.read(name)
    if (!bytes) return null
    const wide =
      bytes[0] === 0xff && bytes[1] === 0xfe
        ? 'utf-16le'
        : bytes[0] === 0xfe && bytes[1] === 0xff
          ? 'utf-16be'
          : 'utf-8'
    return new TextDecoder(wide).decode(bytes)
  }

  #readDirectory() {
    const view = this.#view
    let end = view.byteLength - END_BYTES
    const lowest = Math.max(0, end - MAX_COMMENT)
    while (end >= lowest && view.getUint32(end, true) !== END) end--
    if (end < lowest) broken(DAMAGED)
    const count = view.getUint16(end + 10, true)
    if (count > MAX_ZIP_ENTRIES) tooMuch(`it holds more than ${MAX_ZIP_ENTRIES} files`)
    let at = view.getUint32(end + 16, true)
    for (let index = 0; index < count; index++) {
      if (view.getUint32(at, true) !== ENTRY) broken(DAMAGED)
      const nameLength = view.getUint16(at + 28, true)
      const name = new TextDecoder().decode(this.#bytes.subarray(at + 46, at + 46 + nameLength))
      this.#entries.set(name.replaceAll('\\', '/').replace(/^\/+/, ''), {
        flags: view.getUint16(at + 8, true),
        method: view.getUint16(at + 10, true),
        packed: view.getUint32(at + 20, true),
        offset: view.getUint32(at + 42, true),
      })
      at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
    }
  }

  #body({ offset, packed }: Entry): Uint8Array {
    if (offset + 30 > this.#view.byteLength || this.#view.getUint32(offset, true) !== LOCAL) return broken(DAMAGED)
    const start = offset + 30 + this.#view.getUint16(offset + 26, true) + this.#view.getUint16(offset + 28, true)
    if (start + packed > this.#bytes.length) return broken(DAMAGED)
    return this.#bytes.subarray(start, start + packed)
  }

  async #inflate(packed: Uint8Array): Promise<Uint8Array> {
    const chunks: Uint8Array[] = []
    let size = 0
    const reader = decompressed(new Blob([packed as Uint8Array<ArrayBuffer>]).stream(), 'deflate-raw').getReader()
    try {
      for (;;) {
        const { done, value } = await reader.read()
        if (done) break
        size += value.length
        this.#count(value)
        if (size > MAX_UNPACKED_PART_BYTES) {
          tooMuch(`a file in it unpacks to more than ${MAX_UNPACKED_PART_BYTES / MEGABYTE} MB`)
        }
        chunks.push(value)
      }
    } catch (thrown) {
      if (thrown instanceof FailureError) throw thrown
      broken(DAMAGED, { cause: thrown })
    } finally {
      await reader.cancel().catch(() => undefined) // it failed already, or has ended
    }
    return joined(chunks)
  }

  #count(bytes: Uint8Array): Uint8Array {
    this.#unpacked += bytes.length
    if (this.#unpacked > MAX_UNPACKED_BYTES) tooMuch(`it unpacks to more than ${MAX_UNPACKED_BYTES / MEGABYTE} MB`)
    return bytes
  }
}

const DAMAGED = 'it is damaged or not such a file; check how it was made or uploaded'
