import { broken } from './broken.ts'

/** A chain of sectors that is longer than any file here can have is a circle. */
const END_OF_CHAIN = 0xfffffffa
const HEADER_BYTES = 512
const ENTRY_BYTES = 128
const HEADER_FAT_ENTRIES = 109
const DAMAGED = 'it is damaged or not such a file; check how it was made or uploaded'

/** The container of the office formats before 2007, and of protected ones since. */
export const isCompoundFile = (bytes: Uint8Array) => [0xd0, 0xcf, 0x11, 0xe0].every((byte, at) => bytes[at] === byte)

/**
 * The streams inside a compound file, by name.
 * @see [MS-CFB]
 */
export class CompoundFile {
  readonly #bytes: Uint8Array
  readonly #view: DataView
  readonly #sectorBytes: number
  readonly #miniBytes: number
  readonly #fat: number[]
  readonly #miniFat: number[]
  readonly #entries = new Map<string, { readonly start: number; readonly size: number }>()
  readonly #miniStream: Uint8Array
  readonly #miniCutoff: number

  /** Opens a compound file. @throws FailureError for any other file */
  constructor(bytes: Uint8Array) {
    if (!isCompoundFile(bytes) || bytes.length < HEADER_BYTES) broken(DAMAGED)
    this.#bytes = bytes
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#view = view
    const [shift, miniShift] = [view.getUint16(30, true), view.getUint16(32, true)]
    if ((shift !== 9 && shift !== 12) || miniShift !== 6) broken(DAMAGED)
    this.#sectorBytes = 2 ** shift
    this.#miniBytes = 2 ** miniShift
    this.#miniCutoff = view.getUint32(56, true)
    this.#fat = this.#readFat().flatMap((sector) => this.#numbers(sector))
    this.#miniFat = this.#chain(view.getUint32(60, true), this.#fat).flatMap((sector) => this.#numbers(sector))
    this.#miniStream = this.#readDirectory(view.getUint32(48, true))
  }

  has(name: string): boolean {
    return this.#entries.has(name)
  }

  /** Content of a stream. @returns null when there is no such stream */
  read(name: string): Uint8Array | null {
    const entry = this.#entries.get(name)
    if (!entry) return null
    const { start, size } = entry
    if (size >= this.#miniCutoff)
      return this.#join(
        this.#chain(start, this.#fat).map((sector) => this.#sector(sector)),
        size,
      )
    const minis = this.#chain(start, this.#miniFat).map((sector) =>
      this.#miniStream.subarray(sector * this.#miniBytes, (sector + 1) * this.#miniBytes),
    )
    return this.#join(minis, size)
  }

  /** The sectors that hold the table of sectors: the first are named in the header, the rest in a chain. */
  #readFat(): number[] {
    const count = this.#view.getUint32(44, true)
    const found: number[] = []
    for (let at = 0; at < Math.min(count, HEADER_FAT_ENTRIES); at++) found.push(this.#view.getUint32(76 + at * 4, true))
    let next = this.#view.getUint32(68, true)
    const most = this.#bytes.length / this.#sectorBytes
    for (let step = 0; next < END_OF_CHAIN && step < most; step++) {
      const numbers = this.#numbers(next)
      next = numbers.pop() ?? END_OF_CHAIN
      found.push(...numbers.filter((number) => number < END_OF_CHAIN))
    }
    if (found.length > most) broken(DAMAGED)
    return found
  }

  /** Reads the directory. @returns the stream that holds all small ones */
  #readDirectory(first: number): Uint8Array {
    let mini = new Uint8Array()
    const text = new TextDecoder('utf-16le')
    for (const number of this.#chain(first, this.#fat)) {
      const sector = this.#sector(number)
      for (let at = 0; at + ENTRY_BYTES <= sector.length; at += ENTRY_BYTES) {
        const entry = new DataView(sector.buffer, sector.byteOffset + at, ENTRY_BYTES)
        const nameBytes = Math.min(64, entry.getUint16(64, true))
        const type = entry.getUint8(66)
        const place = {
          start: entry.getUint32(116, true),
          size: Math.min(entry.getUint32(120, true), this.#bytes.length),
        }
        const name = text.decode(sector.subarray(at, at + Math.max(0, nameBytes - 2)))
        if (type === STREAM && !this.#entries.has(name)) this.#entries.set(name, place)
        if (type === ROOT) {
          mini = this.#join(
            this.#chain(place.start, this.#fat).map((one) => this.#sector(one)),
            place.size,
          )
        }
      }
    }
    return mini
  }

  #chain(first: number, table: readonly number[]): number[] {
    const found: number[] = []
    for (let next = first; next < END_OF_CHAIN; next = table[next] ?? END_OF_CHAIN) {
      found.push(next)
      if (found.length > table.length) broken(DAMAGED)
    }
    return found
  }

  #sector(number: number): Uint8Array {
    const start = (number + 1) * this.#sectorBytes
    if (start >= this.#bytes.length) broken(DAMAGED)
    return this.#bytes.subarray(start, start + this.#sectorBytes)
  }

  #numbers(sector: number): number[] {
    const bytes = this.#sector(sector)
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    return Array.from({ length: bytes.length >> 2 }, (_, at) => view.getUint32(at * 4, true))
  }

  #join(chunks: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
    const whole = new Uint8Array(size)
    let at = 0
    for (const chunk of chunks) {
      if (at >= size) break
      whole.set(chunk.subarray(0, size - at), at)
      at += chunk.length
    }
    return whole
  }
}

const STREAM = 2
const ROOT = 5
