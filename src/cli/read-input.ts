import type { Readable } from 'node:stream'
import { CliError } from './failure.ts'

/** All of stdin as bytes. @param what its name in the error @throws CliError for more than `maxBytes` */
export async function readInput(stdin: Readable, maxBytes: number, what: string): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stdin) {
    const bytes = Buffer.from(chunk as Uint8Array | string)
    size += bytes.length
    if (size > maxBytes) throw new CliError(`${what} has more than ${maxBytes} bytes`, 'give less')
    chunks.push(bytes)
  }
  return Buffer.concat(chunks)
}
