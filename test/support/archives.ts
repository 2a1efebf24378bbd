import { crc32, deflateRawSync, gzipSync } from 'node:zlib'
import { type Field, record } from '../../src/core/byte-record.ts'
import { joined } from '../../src/core/joined.ts'
import { tarEnd, tarHeader, tarPadding } from '../../src/core/tar.ts'

/** An entry of a zip as a test makes it, well-formed where nothing else is said. */
export interface ZipSpec {
  readonly name: string
  readonly content?: Uint8Array | string
  /** Type and permission bits, as Unix has them. */
  readonly unixMode?: number
  readonly flags?: number
  readonly method?: number
  /** Stated in place of what is true. */
  readonly size?: number
  readonly packedSize?: number
  readonly crc?: number
  readonly localName?: string
  /** Number of the entry whose content this one claims as its own. */
  readonly sameAs?: number
}

/** A zip of entries. @param more changes of the record at its end */
export function zipBytes(
  specs: readonly ZipSpec[],
  more: { readonly count?: number; readonly comment?: string; readonly before?: Uint8Array } = {},
): Uint8Array<ArrayBuffer> {
  const pieces: Uint8Array[] = more.before ? [more.before] : []
  const central: Uint8Array[] = []
  const offsets: number[] = []
  let at = more.before?.length ?? 0
  for (const spec of specs) {
    const content = bytesOf(spec.content ?? '')
    const method = spec.method ?? 8
    const packed = method === 8 ? deflateRawSync(content) : content
    const sums: Field[] = [
      [4, spec.crc ?? crc32(content)],
      [4, spec.packedSize ?? packed.length],
      [4, spec.size ?? content.length],
    ]
    const name = bytesOf(spec.name)
    const localName = bytesOf(spec.localName ?? spec.name)
    const head: Field[] = [
      [2, spec.flags ?? 0],
      [2, method],
      [4, 0],
    ]
    const offset = spec.sameAs === undefined ? at : (offsets[spec.sameAs] ?? 0)
    offsets.push(offset)
    if (spec.sameAs === undefined) {
      const local = record([
        [4, 0x04034b50],
        [2, 20],
        ...head,
        ...sums,
        [2, localName.length],
        [2, 0],
        localName,
        packed,
      ])
      pieces.push(local)
      at += local.length
    }
    const mode = spec.unixMode ?? 0o100644
    central.push(
      record([
        ...([
          [4, 0x02014b50],
          [1, 20],
          [1, 3],
          [2, 20],
        ] as const),
        ...head,
        ...sums,
        ...([
          [2, name.length],
          [2, 0],
          [2, 0],
          [2, 0],
          [2, 0],
          [4, mode * 0x10000],
          [4, offset],
        ] as const),
        name,
      ]),
    )
  }
  const directory = joined(central)
  const comment = bytesOf(more.comment ?? '')
  const count = more.count ?? specs.length
  const end = record([
    ...([
      [4, 0x06054b50],
      [2, 0],
      [2, 0],
      [2, count],
      [2, count],
    ] as const),
    ...([
      [4, directory.length],
      [4, at],
      [2, comment.length],
    ] as const),
    comment,
  ])
  return Uint8Array.from(joined([...pieces, directory, end]))
}

/** An entry of a tar as a test makes it. */
export interface TarSpec {
  readonly name: string
  readonly content?: string | Uint8Array
  /** Type in the header. */
  readonly type?: string
  /** Size stated in place of the true one. */
  readonly size?: number
}

/** A gzipped tar of entries. */
export const tarGzBytes = (specs: readonly TarSpec[]): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(gzipSync(tarBytes(specs)))

export function tarBytes(specs: readonly TarSpec[]): Uint8Array {
  const pieces = specs.flatMap((spec) => {
    const content = bytesOf(spec.content ?? '')
    const size = spec.size ?? content.length
    const header = tarHeader({ name: bytesOf(spec.name), kind: 'file', mode: 0o644, mtimeMs: 0, size })
    // A long name has blocks of its own before the entry's header, which is the last one.
    const block = header.subarray(header.length - 512)
    if (spec.type) block[156] = spec.type.charCodeAt(0)
    resum(block)
    return [header, content, tarPadding(content.length)]
  })
  return joined([...pieces, tarEnd()])
}

function resum(block: Uint8Array): void {
  block.fill(0x20, 148, 156)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.set(new TextEncoder().encode(`${sum.toString(8).padStart(6, '0')}\0 `), 148)
}

const bytesOf = (content: string | Uint8Array) =>
  typeof content === 'string' ? new TextEncoder().encode(content) : content
