import type { Readable } from 'node:stream'
import { MAX_KERNEL_LINE_BYTES } from './limits.ts'

/** Calls `receive` for each line. A line beyond the limit is dropped whole, so that memory stays bounded. */
export function readLines(source: Readable, receive: (line: string) => void): void {
  let chunks: Buffer[] = []
  let size = 0
  source.on('data', (data: Buffer) => {
    let rest = data
    for (let end = rest.indexOf(10); end !== -1; end = rest.indexOf(10)) {
      chunks.push(rest.subarray(0, end))
      if (size + end <= MAX_KERNEL_LINE_BYTES) receive(Buffer.concat(chunks).toString('utf8'))
      chunks = []
      size = 0
      rest = rest.subarray(end + 1)
    }
    size += rest.length
    if (size > MAX_KERNEL_LINE_BYTES) chunks = []
    else chunks.push(rest)
  })
}
