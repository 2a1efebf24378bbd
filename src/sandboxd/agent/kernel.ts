import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import { errnoOf, fromStringMap, type Json, parseObject } from '../json.ts'
import type { Boot } from './environment.ts'
import { exitEvent } from './exit-status.ts'
import { KERNEL_START_MS } from './limits.ts'
import { MarkedText } from './marked-text.ts'
import { readLines } from './read-lines.ts'
import { adopt, limited } from './spawning.ts'

export interface KernelRequest {
  readonly code: string
  readonly envs: ReadonlyMap<string, string>
}

interface Execution {
  readonly output: Writable
  readonly streams: readonly MarkedText[]
  readonly finish: () => void
  reported: boolean
}

/**
 * A Python process that runs `py/kernel.py`. Requests go in on descriptor 3, results come out on 4 as JSON lines. What the
 * code prints arrives on its stdout and stderr, also from subprocesses and C code; at the end of each execution the
 * kernel writes a fresh marker to both, so that nothing printed is missed or counted to the next execution.
 */
export class Kernel {
  readonly #child: ChildProcess
  readonly #requests: Writable
  readonly #sources: readonly Readable[]
  #execution: Execution | null = null
  #blocked = false
  alive = true

  /** Starts a kernel. @throws Error when Python is missing or does not start */
  static async start(boot: Boot, cwd: string): Promise<Kernel> {
    const [command = 'python3', ...args] = limited(boot, ['python3', `${boot.runtime}/kernel.py`])
    const child = spawn(command, args, {
      cwd: existsSync(cwd) ? cwd : boot.home,
      env: { ...boot.env, IPYTHONDIR: '/tmp/.ipython' },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
    })
    adopt(boot, child)
    const kernel = new Kernel(child)
    await kernel.#started
    return kernel
  }

  readonly #started: Promise<void>
  #ready: () => void = () => {}

  private constructor(child: ChildProcess) {
    this.#child = child
    const [, stdout, stderr, requests, results] = child.stdio as [null, Readable, Readable, Writable, Readable]
    this.#requests = requests
    this.#sources = [stdout, stderr, results]
    requests.on('error', () => {})
    results.on('error', () => {})
    stdout.on('data', (bytes: Buffer) => this.#execution?.streams[0]?.push(bytes))
    stderr.on('data', (bytes: Buffer) => this.#execution?.streams[1]?.push(bytes))
    readLines(results, (line) => this.#receive(parseObject(line)))
    this.#started = new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        this.kill()
        reject(new Error('the Python process did not start in time'))
      }, KERNEL_START_MS)
      this.#ready = () => {
        clearTimeout(late)
        resolve()
      }
      child.once('error', () => reject(new Error('python3 is not installed on this host')))
      child.once('exit', (code, signal) => {
        clearTimeout(late)
        this.#died(code, signal)
        reject(new Error(`the Python process ended at start: ${exitEvent(code, signal).status}`))
      })
    })
  }

  /** Resolves when the execution has ended and all of its output is written. One at a time. */
  execute({ code, envs }: KernelRequest, output: Writable): Promise<void> {
    const marker = `\x1e${crypto.randomUUID()}\x1e`
    return new Promise((resolve) => {
      let open = 3
      const finish = () => {
        if (--open > 0) return
        this.#execution = null
        this.#write(output, { type: 'end_of_execution' })
        resolve()
      }
      const stream = (type: 'stdout' | 'stderr') =>
        new MarkedText(marker, (text) => this.#write(output, { type, text }), finish)
      this.#execution = { output, streams: [stream('stdout'), stream('stderr')], finish, reported: false }
      this.#requests.write(`${JSON.stringify({ code, envs: fromStringMap(envs), marker })}\n`)
    })
  }

  /** Ctrl-C for the code and for the subprocesses it waits for. */
  interrupt(): void {
    this.#signal('SIGINT')
  }

  kill(): void {
    this.#signal('SIGKILL')
  }

  #signal(name: NodeJS.Signals): void {
    try {
      if (this.alive && this.#child.pid !== undefined) process.kill(-this.#child.pid, name)
    } catch (error) {
      if (errnoOf(error) !== 'ESRCH') throw error
    }
  }

  #receive(message: Json | null): void {
    if (message?.type === 'ready') this.#ready()
    const execution = this.#execution
    if (message === null || execution === null) return
    if (message.type === 'error') execution.reported = true
    if (message.type === 'done') execution.finish()
    else this.#write(execution.output, message)
  }

  /** A client that reads slowly holds the code back, as a full pipe would; one that left does not. */
  #write(output: Writable, message: object): void {
    if (output.destroyed || output.writableEnded || output.write(`${JSON.stringify(message)}\n`) || this.#blocked)
      return
    this.#blocked = true
    for (const source of this.#sources) source.pause()
    const resume = () => {
      this.#blocked = false
      output.off('drain', resume)
      output.off('close', resume)
      for (const source of this.#sources) source.resume()
    }
    output.on('drain', resume)
    output.on('close', resume)
  }

  #died(code: number | null, signal: NodeJS.Signals | null): void {
    this.alive = false
    const execution = this.#execution
    if (execution === null) return
    for (const stream of execution.streams) stream.end()
    const value = `the Python process ended (${exitEvent(code, signal).status}); its variables are lost, the next execution starts a new one`
    if (!execution.reported) this.#write(execution.output, { type: 'error', name: 'KernelDied', value, traceback: '' })
    execution.finish()
  }
}
