import type { ChildProcess } from 'node:child_process'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { errnoOf } from '../json.ts'
import { RpcError, type Stream } from './connect-json.ts'
import { exitEvent } from './exit-status.ts'
import { MAX_CHUNK_BYTES, MAX_STDIN_BYTES, REAP_TIMEOUT_MS, TERM_WAIT_MS } from './limits.ts'
import type { ProcessSpec, TerminalSize } from './process-spec.ts'

type OutputName = 'stdout' | 'stderr' | 'pty'

export interface ProcessParts {
  readonly spec: ProcessSpec
  /** The leader of the command's process group; for a terminal the shell, not the helper that holds it. */
  readonly pid: number
  readonly child: ChildProcess
  readonly outputs: readonly (readonly [OutputName, Readable | null])[]
  readonly resize: ((size: TerminalSize) => void) | null
}

/**
 * Running command. Any number of clients may watch it; the slowest one holds it back, as a full pipe would, so memory stays
 * flat. Without clients its output is read and dropped, so that it does not hang.
 */
export class RunningProcess {
  readonly spec: ProcessSpec
  readonly pid: number
  readonly #child: ChildProcess
  readonly #outputs: readonly (readonly [OutputName, Readable | null])[]
  readonly #resize: ((size: TerminalSize) => void) | null
  readonly #watchers = new Set<Stream>()
  readonly #blocked = new Set<Stream>()
  readonly #reaped: Promise<void>
  readonly #ended: Promise<void>
  #deadline: NodeJS.Timeout | undefined
  #timedOut = false

  constructor({ spec, pid, child, outputs, resize }: ProcessParts) {
    this.spec = spec
    this.pid = pid
    this.#child = child
    this.#outputs = outputs
    this.#resize = resize
    this.#reaped = new Promise((resolve) => child.once('exit', () => resolve()))
    // 'close' comes after the last byte of output, which a background child may hold open longer than the command itself.
    this.#ended = new Promise((resolve) => child.once('close', (code, signal) => resolve(this.#finish(code, signal))))
    for (const [name, readable] of outputs) readable?.on('data', (bytes: Buffer) => this.#publish(name, bytes))
    // A command that has gone leaves EPIPE here; its exit tells the same.
    child.stdin?.on('error', () => {})
  }

  onEnd(callback: () => void): void {
    void this.#ended.then(callback)
  }

  /** Kills the whole group when the time is over, whether or not anyone still watches. */
  setDeadline(timeoutMs: number): void {
    this.#deadline = setTimeout(() => {
      this.#timedOut = true
      this.#signalGroup('SIGKILL')
    }, timeoutMs)
  }

  /** Sends this command's events to `stream` from now on; the stream ends with the command. */
  watch(stream: Stream): void {
    this.#watchers.add(stream)
    stream.onClosed(() => {
      this.#watchers.delete(stream)
      this.#release(stream)
    })
    stream.send({ event: { start: { pid: this.pid } } })
  }

  /** Resolves when the bytes are in the pipe. @throws RpcError `failed_precondition`, `resource_exhausted` */
  async writeInput(bytes: Buffer): Promise<void> {
    const { stdin } = this.#child
    if (stdin === null || stdin.writableEnded || stdin.destroyed) {
      throw new RpcError('failed_precondition', 'stdin is not open for this process')
    }
    if (stdin.writableLength + bytes.length > MAX_STDIN_BYTES) {
      throw new RpcError('resource_exhausted', 'too much stdin is waiting for this process to read')
    }
    await new Promise<void>((resolve, reject) => {
      stdin.write(bytes, (error) =>
        error == null
          ? resolve()
          : reject(new RpcError('failed_precondition', 'the process does not read stdin any more')),
      )
    })
  }

  closeInput(): void {
    if (this.spec.terminal !== null) throw new RpcError('failed_precondition', 'a terminal has no stdin to close')
    this.#child.stdin?.end()
  }

  resize(size: TerminalSize): void {
    if (this.#resize === null) throw new RpcError('failed_precondition', 'the process has no terminal')
    this.#resize(size)
  }

  /** Signals the whole group, and answers when the command has been reaped: `kill -0` fails from then on. */
  async signal(name: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    if (!this.#signalGroup(name)) throw new RpcError('not_found', `process with pid ${this.pid} not found`)
    const abort = new AbortController()
    const waitMs = name === 'SIGKILL' ? REAP_TIMEOUT_MS : TERM_WAIT_MS
    await Promise.race([this.#reaped, sleep(waitMs, undefined, { signal: abort.signal })])
    abort.abort()
  }

  #signalGroup(name: NodeJS.Signals): boolean {
    try {
      return process.kill(-this.pid, name)
    } catch (error) {
      if (errnoOf(error) === 'ESRCH') return false
      throw error
    }
  }

  #publish(name: OutputName, bytes: Buffer): void {
    for (let at = 0; at < bytes.length; at += MAX_CHUNK_BYTES) {
      const data = bytes.toString('base64', at, Math.min(at + MAX_CHUNK_BYTES, bytes.length))
      for (const stream of this.#watchers) {
        if (!stream.send({ event: { data: { [name]: data } } })) this.#block(stream)
      }
    }
  }

  #block(stream: Stream): void {
    if (this.#blocked.has(stream)) return
    this.#blocked.add(stream)
    for (const [, readable] of this.#outputs) readable?.pause()
    stream.onDrain(() => this.#release(stream))
  }

  #release(stream: Stream): void {
    if (!this.#blocked.delete(stream) || this.#blocked.size > 0) return
    for (const [, readable] of this.#outputs) readable?.resume()
  }

  #finish(code: number | null, signal: NodeJS.Signals | null): void {
    clearTimeout(this.#deadline)
    for (const stream of this.#watchers) {
      if (this.#timedOut) stream.end(new RpcError('deadline_exceeded', 'the command ran longer than its timeout'))
      else {
        stream.send({ event: { end: exitEvent(code, signal) } })
        stream.end()
      }
    }
  }
}
