import type { Readable } from 'node:stream'
import { STDERR_TAIL_BYTES } from './limits.ts'

/** Keeps the end of what a child process complained about, for one error message. */
export class StderrTail {
  #tail = Buffer.alloc(0)

  constructor(stream: Readable | null) {
    stream?.on('data', (bytes: Buffer) => {
      this.#tail = Buffer.concat([this.#tail, bytes]).subarray(-STDERR_TAIL_BYTES)
    })
    stream?.on('error', () => {})
  }

  text(): string {
    return this.#tail.toString('utf8').trim()
  }
}
