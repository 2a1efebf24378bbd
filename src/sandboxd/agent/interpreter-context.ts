import type { Writable } from 'node:stream'
import { messageOf } from '../json.ts'
import { RpcError } from './connect-json.ts'
import type { Boot } from './environment.ts'
import { Kernel, type KernelRequest } from './kernel.ts'
import { INTERRUPT_AGAIN_MS, MAX_INTERRUPTS, MAX_QUEUED_EXECUTIONS } from './limits.ts'

/** Interpreter context: one Python process and its variables. Executions run one after the other. */
export class InterpreterContext {
  readonly id: string
  readonly cwd: string
  readonly #boot: Boot
  #kernel: Kernel | null = null
  #last: Promise<void> = Promise.resolve()
  #queued = 0

  constructor(boot: Boot, id: string, cwd: string) {
    this.#boot = boot
    this.id = id
    this.cwd = cwd
  }

  /**
   * Runs code and writes its events as JSON lines. When `signal` aborts (the client left), the code is interrupted; if it
   * does not stop, its process is killed and the context's variables are lost.
   * @throws RpcError `resource_exhausted`
   */
  async execute(request: KernelRequest, output: Writable, signal: AbortSignal): Promise<void> {
    if (this.#queued >= MAX_QUEUED_EXECUTIONS)
      throw new RpcError('resource_exhausted', 'too many executions are waiting')
    this.#queued++
    const turn = this.#last.then(() => (signal.aborted ? undefined : this.#run(request, output, signal)))
    this.#last = turn.catch(() => {})
    try {
      await turn
    } finally {
      this.#queued--
    }
  }

  /** Starts the process before it is needed. A failure shows when it is. */
  prewarm(): void {
    this.#last = this.#ready().then(
      () => {},
      () => {},
    )
  }

  /** A new process with no variables; code that runs ends with an error. */
  restart(): void {
    this.#kernel?.kill()
    this.#kernel = null
  }

  close(): void {
    this.restart()
  }

  async #run(request: KernelRequest, output: Writable, signal: AbortSignal): Promise<void> {
    let kernel: Kernel
    try {
      kernel = await this.#ready()
    } catch (error) {
      output.write(
        `${JSON.stringify({ type: 'error', name: 'KernelError', value: messageOf(error), traceback: '' })}\n`,
      )
      return
    }
    let interrupts = 0
    let timer: NodeJS.Timeout | undefined
    const interrupt = () => {
      if (interrupts++ >= MAX_INTERRUPTS) return kernel.kill()
      kernel.interrupt()
      timer = setTimeout(interrupt, INTERRUPT_AGAIN_MS)
    }
    signal.addEventListener('abort', interrupt)
    if (signal.aborted) interrupt()
    try {
      await kernel.execute(request, output)
    } finally {
      signal.removeEventListener('abort', interrupt)
      clearTimeout(timer)
    }
  }

  async #ready(): Promise<Kernel> {
    if (this.#kernel?.alive) return this.#kernel
    const kernel = await Kernel.start(this.#boot, this.cwd)
    this.#kernel = kernel
    return kernel
  }
}
