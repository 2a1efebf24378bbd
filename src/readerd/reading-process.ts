import { type ChildProcess, spawn } from 'node:child_process'
import { setPriority } from 'node:os'
import { dirname, join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { MAX_READER_ANSWER_BYTES, READER_NICENESS } from '../core/limits/reader.ts'
import { frames, writeFrame } from './frames.ts'

/** The end of a reading: its answer as JSON, or why the process ended before there was one. */
export type Ended = { readonly answer: Uint8Array } | 'out-of-time' | 'process-gone'

const HERE = dirname(fileURLToPath(import.meta.url))
const PROGRAM = join(HERE, 'child.ts')
/** Directory of the program and its libraries; the process may read nothing else, and write nothing at all. */
const HOME = join(HERE, '../..')
const KIB_PER_MIB = 1024
/** Memory that Node reserves at its start, most of it room for compiled code: the system counts it, used or not. */
const RESERVED_MIB = 600
/** Share of a process's memory that is JavaScript's heap; the rest is for buffers, code and stacks. */
const HEAP_SHARE = 0.6

/**
 * Process that reads for everybody, one file after the other. The system bounds the cost of a reading: memory by `ulimit
 * -d`, which `ArrayBuffer`s count for too, processor time by its lower priority, and the wall clock by ending the process.
 */
export class ReadingProcess {
  readonly #child: ChildProcess
  readonly #answers: AsyncGenerator<Buffer>
  readonly #gone: Promise<void>
  #readings = 0

  constructor(memoryMib: number) {
    const heap = Math.floor(memoryMib * HEAP_SHARE)
    const flags = [
      '--permission',
      `--allow-fs-read=${HOME}`,
      `--max-old-space-size=${heap}`,
      '--disable-warning=SecurityWarning',
    ]
    // exec: the pid is that of node itself. A system that knows no such limit has that of the heap.
    const script = `ulimit -d ${(memoryMib + RESERVED_MIB) * KIB_PER_MIB} 2>/dev/null; exec "$0" "$@"`
    this.#child = spawn('/bin/sh', ['-c', script, process.execPath, ...flags, PROGRAM], {
      stdio: ['pipe', 'ignore', 'ignore', 'pipe'],
      env: {} as NodeJS.ProcessEnv, // no setting of the server
      cwd: HOME,
    })
    this.#gone = new Promise((resolve) => {
      this.#child.once('exit', () => resolve())
      this.#child.once('error', () => resolve())
    })
    const { pid } = this.#child
    if (pid !== undefined) setPriority(pid, READER_NICENESS)
    this.#input.on('error', () => {}) // it ended, which is heard of by its exit
    this.#answers = frames(this.#child.stdio[3] as Readable, MAX_READER_ANSWER_BYTES)
  }

  /** Number of readings that the process has begun. */
  get readings(): number {
    return this.#readings
  }

  get isAlive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null && this.#child.pid !== undefined
  }

  get #input(): Writable {
    return this.#child.stdin as Writable // it was spawned with a pipe
  }

  /**
   * Reads one file; one at a time. A process whose reading ended without an answer must not be used again.
   * @param body as `decodeReading` takes it
   * @param signal ends the process: no caller waits for the answer any more
   */
  async read(body: Uint8Array, timeoutMs: number, signal: AbortSignal): Promise<Ended> {
    this.#readings += 1
    const over = Promise.withResolvers<'out-of-time'>()
    const end = () => over.resolve('out-of-time')
    const timer = setTimeout(end, timeoutMs)
    signal.addEventListener('abort', end)
    if (signal.aborted) end()
    try {
      writeFrame(this.#input, body)
      const answered = this.#answers.next().then(
        ({ value }): Ended => (value ? { answer: value } : 'process-gone'),
        (): Ended => 'process-gone',
      )
      const ended = await Promise.race([answered, over.promise])
      if (typeof ended === 'string') await this.end()
      return ended
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
    }
  }

  async end(): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.#gone
  }
}
