import { crc32, deflateRawSync } from 'node:zlib'
import { record } from '../core/byte-record.ts'
import { joined } from '../core/joined.ts'

export interface ZipEntry {
  readonly name: string
  readonly content: Uint8Array
  /** True for content that is compressed already, as images are. */
  readonly stored?: true
}

/**
 * A small archive in memory, the same bytes for the same entries: their time is 1980. It stays below 4 GB and 65,535
 * entries, and names are ASCII.
 * @see https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
 */
export function zipBytes(entries: readonly ZipEntry[]): Uint8Array {
  const pieces: Uint8Array[] = []
  const directory: Uint8Array[] = []
  let at = 0
  for (const { name, content, stored } of entries) {
    const isStored = stored || content.length < WORTH_PACKING
    const packed = isStored ? content : deflateRawSync(content)
    const label = new TextEncoder().encode(name)
    const about = common(label, content, packed, isStored ? STORED : DEFLATED)
    const head = record([[4, 0x04034b50], about, [2, 0], label])
    directory.push(
      record([[4, 0x02014b50], [2, VERSION], about, [2, 0], [2, 0], [2, 0], [2, 0], [4, 0], [4, at], label]),
    )
    pieces.push(head, packed)
    at += head.length + packed.length
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0)
  const { length } = entries
  const end = record([
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, length],
    [2, length],
    [4, size],
    [4, at],
    [2, 0],
  ])
  return joined([...pieces, ...directory, end])
}

/** Size in bytes below which compression saves too little. */
const WORTH_PACKING = 512
const VERSION = 20
const STORED = 0
const DEFLATED = 8
/** The first of January 1980, the earliest day there is. */
const DAY = 0x21

/** Fields that stand both before a content and in the directory. */
const common = (label: Uint8Array, content: Uint8Array, packed: Uint8Array, method: number) =>
  record([
    [2, VERSION],
    [2, 0],
    [2, method],
    [2, 0],
    [2, DAY],
    [4, crc32(content)],
    [4, packed.length],
    [4, content.length],
    [2, label.length],
  ])
