import { answers, SILENCE_MS } from './watch.ts'

/** Longest time from a start until the service answers. */
const START_MS = 60_000
/** Interval between health checks. */
const LOOK_MS = 1_000
/** Restarts at once, within RESTARTS_WITHIN_MS; each further one waits for REST_MS first. */
const MAX_RESTARTS = 3
const RESTARTS_WITHIN_MS = 10 * 60_000
const REST_MS = 30_000
/** Restarts in a row after none of which the service answered: the next one would be in vain as well. */
export const MAX_VAIN_RESTARTS = 5

export interface ServiceSpec<T> {
  /** The service's name among the children. */
  readonly name: string
  /** Effect of a restart on others, in words. */
  readonly consequence: string
  /** Starts the process, and fulfils when it serves. @param isCurrent false when no caller waits for that any more */
  launch(isCurrent: () => boolean): Promise<T>
  /** Health check, which fulfils with any answer. */
  ask(signal: AbortSignal): Promise<unknown>
}

interface Surroundings {
  /** The children, among which the service's process runs. */
  readonly children: { end(name: string, signal: 'SIGKILL'): Promise<void> }
  /** Called when the service cannot be started again. */
  onFailure(error: Error): void
  /** Prints a line for people. */
  log(line: string): void
}

/** A server process that is started again when it ends or hangs. */
export class Service<T> {
  readonly #spec: ServiceSpec<T>
  readonly #around: Surroundings
  #stopped = false
  /** Number of the current run. A restart in preparation counts as one. */
  #run = 0
  /** The run that serves; 0 before the first. */
  #serving = 0
  /** Times of restarts, within RESTARTS_WITHIN_MS. */
  #restarts: readonly number[] = []
  #vainRestarts = 0

  constructor(spec: ServiceSpec<T>, around: Surroundings) {
    this.#spec = spec
    this.#around = around
  }

  /** Starts the service, and looks after it from then on. @returns what `launch` gives @throws Error when it does not serve */
  async start(): Promise<T> {
    const launched = await this.#launch()
    void this.#watch()
    return launched
  }

  /** Stops looking after the service: its process is not started again. */
  stop(): void {
    this.#stopped = true
  }

  /** Takes note that the service's process has ended by itself. @returns whether it is started again */
  ended(cause: string | number): boolean {
    if (this.#serving === 0 || this.#stopped) return false
    void this.#restart(`ended (${cause})`)
    return true
  }

  /** Starts the service. @throws Error when it does not serve in time */
  async #launch(): Promise<T> {
    const run = ++this.#run
    const isCurrent = () => !this.#stopped && this.#run === run
    const { promise: late, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => {
      reject(new Error(`the ${this.#spec.name} did not answer within ${START_MS / 1000} s; what it said is above`))
    }, START_MS)
    try {
      const launched = await Promise.race([this.#spec.launch(isCurrent), late])
      if (isCurrent()) {
        this.#serving = run
        this.#vainRestarts = 0
      }
      return launched
    } finally {
      clearTimeout(timer)
    }
  }

  async #watch(): Promise<void> {
    while (!this.#stopped) {
      await after(LOOK_MS)
      const run = this.#serving
      if (this.#run !== run) continue
      if ((await answers((signal) => this.#spec.ask(signal))) || this.#stopped || this.#run !== run) continue
      await this.#restart(`did not answer for ${SILENCE_MS / 1000} s`)
    }
  }

  async #restart(why: string): Promise<void> {
    const run = ++this.#run
    const { name, consequence } = this.#spec
    const { children, onFailure, log } = this.#around
    if (++this.#vainRestarts > MAX_VAIN_RESTARTS) {
      onFailure(new Error(`the ${name} ${why}, and did not serve after ${MAX_VAIN_RESTARTS} restarts`))
      return
    }
    const rest = this.#restMs()
    const when = rest > 0 ? `again in ${rest / 1000} s` : 'again'
    log(`Toolyard: the ${name} ${why}; starting it ${when}, ${consequence}`)
    await children.end(name, 'SIGKILL')
    await after(rest)
    if (this.#stopped || this.#run !== run) return
    try {
      await this.#launch()
    } catch (error) {
      // A process that ended before it served was heard of already, and is being replaced.
      if (!this.#stopped && this.#run === run + 1) onFailure(error as Error)
    }
  }

  #restMs(): number {
    const now = Date.now()
    this.#restarts = [...this.#restarts.filter((at) => at > now - RESTARTS_WITHIN_MS), now]
    return this.#restarts.length > MAX_RESTARTS ? REST_MS : 0
  }
}

const after = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
