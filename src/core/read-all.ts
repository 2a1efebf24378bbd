import { joined } from './joined.ts'

/**
 * The whole content of a stream.
 * @returns null when there is more than `maxBytes`
 */
export async function readAll(body: ReadableStream<Uint8Array>, maxBytes: number): Promise<Uint8Array | null> {
  const reader = body.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    size += next.value.length
    if (size > maxBytes) {
      await reader.cancel()
      return null
    }
    chunks.push(next.value)
  }
  return joined(chunks)
}
