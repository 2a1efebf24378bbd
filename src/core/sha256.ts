import { createHash, hash } from 'node:crypto'

/**
 * SHA-256 of bytes, or of a text's UTF-8, as 64 hex digits. It is Node's, because that one is synchronous: a commit that waits
 * for nothing between its statements is one write to the disk.
 */
export const sha256 = (content: Uint8Array | string): string => hash('sha256', content, 'hex')

/** SHA-256 of the first `size` bytes of a stream, which is cancelled behind them; null for a shorter one. */
export async function sha256OfStart(content: ReadableStream<Uint8Array>, size: number): Promise<string | null> {
  const start = createHash('sha256')
  let left = size
  if (left > 0) {
    for await (const piece of content) {
      start.update(piece.subarray(0, left))
      left -= piece.length
      if (left <= 0) break
    }
  } else await content.cancel()
  return left > 0 ? null : start.digest('hex')
}
