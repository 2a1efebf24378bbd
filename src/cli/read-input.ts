import { addAbortSignal, type Readable } from 'node:stream'
import { CliError } from './failure.ts'

/** All of stdin as bytes. @param what its name in the error @throws CliError for more than `maxBytes`, Error once `signal` is aborted */
export async function readInput(
  stdin: Readable,
  maxBytes: number,
  what: string,
  signal: AbortSignal,
): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of addAbortSignal(signal, stdin)) {
    const bytes = Buffer.from(chunk as Uint8Array | string)
    size += bytes.length
    if (size > maxBytes) throw new CliError(`${what} has more than ${maxBytes} bytes`, 'give less')
    chunks.push(bytes)
  }
  return Buffer.concat(chunks)
}
