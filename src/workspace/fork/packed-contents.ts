import type { HashedContent } from '../contents.ts'

/** Contents as one array of bytes: many small arrays take longer to pass from object to object than what is in them. */
export interface PackedContents {
  readonly hashes: readonly string[]
  /** Sizes of the contents, in the order of the hashes. */
  readonly sizes: readonly number[]
  readonly bytes: Uint8Array
}

export function packContents(contents: readonly HashedContent[]): PackedContents {
  const sizes = contents.map(({ content }) => content.length)
  const bytes = new Uint8Array(sizes.reduce((sum, size) => sum + size, 0))
  let at = 0
  for (const { content } of contents) {
    bytes.set(content, at)
    at += content.length
  }
  return { hashes: contents.map(({ hash }) => hash), sizes, bytes }
}

/** Contents that are parts of the packed bytes. */
export function unpackContents({ hashes, sizes, bytes }: PackedContents): HashedContent[] {
  let end = 0
  return hashes.map((hash, at) => {
    const begin = end
    end += sizes[at] ?? 0
    return { hash, content: bytes.subarray(begin, end) }
  })
}
