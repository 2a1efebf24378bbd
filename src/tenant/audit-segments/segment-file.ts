import { sha256 } from '../../core/sha256.ts'

/** Contents of a segment's object, with their SHA-256. */
export interface SegmentFile {
  readonly content: Uint8Array
  readonly sha256: string
}

/** Packs lines of the audit log, each as it is exported, by gzip. */
export async function packSegment(lines: readonly string[]): Promise<SegmentFile> {
  const text = new TextEncoder().encode(lines.map((line) => `${line}\n`).join(''))
  const content = await through(text, new CompressionStream('gzip'))
  return { content, sha256: sha256(content) }
}

/** Unpacks lines that {@link packSegment} packed; check the SHA-256 before. */
export async function unpackSegment(content: Uint8Array): Promise<string[]> {
  const text = await through(content, new DecompressionStream('gzip'))
  return new TextDecoder().decode(text).split('\n').slice(0, -1)
}

async function through(content: Uint8Array, filter: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  const pair = filter as unknown as ReadableWritablePair<Uint8Array, Uint8Array>
  const packed = new Blob([content as Uint8Array<ArrayBuffer>]).stream().pipeThrough(pair)
  return new Uint8Array(await new Response(packed as ReadableStream<Uint8Array<ArrayBuffer>>).arrayBuffer())
}
