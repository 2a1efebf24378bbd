import { mkdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { Stream } from 'node:stream'
import { type AgentClient, bootAgent, openAgentClient } from './agent-client.ts'
import { baseEnvironment } from './base-environment.ts'
import type { Config } from './config.ts'
import type { Isolation, ProcessTree, Usage } from './isolation/isolation.ts'
import { fromStringMap } from './json.ts'
import { type SandboxRecord, saveRecord } from './record.ts'

/** Something a client waits for, such as a response. */
type Waiting = Stream & { destroy(): unknown }

/** A machine that is up, with the way to its agent. */
interface Running {
  readonly machine: ProcessTree
  readonly client: AgentClient
}

/**
 * Sandbox through its life: running ⇄ paused, until it is removed. Changes of state happen one after the other. Paused
 * means frozen in memory, or, after a restart of the daemon or on request, only its files.
 */
export class Sandbox {
  readonly record: SandboxRecord
  readonly dir: string
  readonly #config: Config
  readonly #isolation: Isolation
  /** Called when it ended without being asked to. */
  readonly #onDeath: (sandbox: Sandbox, how: string) => void
  readonly #onTimeout: (sandbox: Sandbox) => void
  /** Answers and connections under way; a pause ends them. */
  readonly #streams = new Map<Waiting, () => void>()
  #running: Running | null = null
  #timer: NodeJS.Timeout | undefined
  #turn: Promise<unknown> = Promise.resolve()
  removed = false
  /** Bytes on disk at the last look of the disk watcher. */
  diskBytes = 0

  constructor(options: {
    record: SandboxRecord
    dir: string
    config: Config
    isolation: Isolation
    onDeath: (sandbox: Sandbox, how: string) => void
    onTimeout: (sandbox: Sandbox) => void
  }) {
    this.record = options.record
    this.dir = options.dir
    this.#config = options.config
    this.#isolation = options.isolation
    this.#onDeath = options.onDeath
    this.#onTimeout = options.onTimeout
  }

  /** The way to its agent; `null` unless it runs. */
  get client(): AgentClient | null {
    return this.record.state === 'running' ? (this.#running?.client ?? null) : null
  }

  /** Whether processes of it exist, frozen ones included. */
  get hasProcesses(): boolean {
    return this.#running !== null
  }

  /** Whether it is paused, with its processes in memory. */
  get isFrozen(): boolean {
    return this.hasProcesses && this.record.state === 'paused'
  }

  /**
   * Remembers an answer or a connection until it closes.
   * @param cut ends it when the sandbox does not run any more
   */
  track(stream: Waiting, cut: () => void): void {
    this.#streams.set(stream, cut)
    stream.once('close', () => this.#streams.delete(stream))
  }

  /** Runs again from memory or, when there is none (or `discardMemory`), boots with the same files. `false` = it ran already. */
  resume(timeoutSeconds: number, discardMemory = false): Promise<boolean> {
    return this.#exclusive(async () => {
      if (this.removed) return false
      if (this.record.state === 'running' && this.#running !== null) {
        this.setEnd(Math.max(this.record.endAt, Date.now() + timeoutSeconds * 1000))
        return false
      }
      if (discardMemory) await this.#stop()
      if (this.#running === null) await this.#boot()
      else await this.#running.machine.thaw()
      this.record.state = 'running'
      this.record.pausedAt = null
      this.record.hasDied = false
      this.record.timeoutSeconds = timeoutSeconds
      this.setEnd(Date.now() + timeoutSeconds * 1000)
      return true
    })
  }

  /** `false` = it was paused already. */
  pause(keepMemory: boolean): Promise<boolean> {
    return this.#exclusive(async () => {
      if (this.removed || this.record.state === 'paused') return false
      this.record.state = 'paused'
      this.record.pausedAt = Date.now()
      clearTimeout(this.#timer)
      this.#cutStreams()
      if (!keepMemory || !(await this.#running?.machine.freeze())) await this.#stop()
      this.save()
      return true
    })
  }

  /** Ends the processes of a paused one; the next resume boots it. */
  dropMemory(): Promise<void> {
    return this.#exclusive(async () => {
      if (this.isFrozen) await this.#stop()
    })
  }

  /** Ends it and deletes its files. */
  remove(): Promise<void> {
    this.removed = true
    clearTimeout(this.#timer)
    return this.#exclusive(async () => {
      this.#cutStreams()
      await this.#stop()
      await rm(this.dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 })
    })
  }

  /** Ends the processes for the daemon's own end; files and record stay. */
  shutDown(): Promise<void> {
    clearTimeout(this.#timer)
    return this.#exclusive(async () => {
      this.#cutStreams()
      await this.#stop()
    })
  }

  /** Sets the timeout, in Unix milliseconds. */
  setEnd(endAt: number): void {
    this.record.endAt = endAt
    this.armTimer()
    this.save()
  }

  armTimer(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#onTimeout(this), Math.max(0, this.record.endAt - Date.now()))
  }

  save(): void {
    if (!this.removed) saveRecord(this.dir, this.record)
  }

  async usage(): Promise<Usage | null> {
    return (await this.#running?.machine.usage()) ?? null
  }

  /** Takes the network away, for good. */
  async cutNetwork(): Promise<void> {
    this.record.internet = false
    this.save()
    // A boot under way has read the policy of before.
    await this.#exclusive(async () => await this.#running?.machine.cutNetwork())
  }

  async #boot(): Promise<void> {
    mkdirSync(this.dir, { recursive: true, mode: 0o711 })
    const { id, slot, internet } = this.record
    const machine = await this.#isolation.boot({ id, slot, internet, dir: this.dir })
    const client = openAgentClient(machine)
    try {
      const env = { ...baseEnvironment(machine, id), ...fromStringMap(this.record.envVars) }
      const { home, runtime, addressSpaceBytes, egress } = machine
      const up = bootAgent(client, { home, runtime, addressSpaceBytes, egress, env, prewarm: this.#config.prewarm })
      await Promise.race([up, machine.exited.then((how) => Promise.reject(new Error(how)))])
    } catch (error) {
      client.close()
      await machine.destroy()
      throw error
    }
    this.#running = { machine, client }
    void machine.exited.then((how) => this.#died(machine, how))
  }

  async #stop(): Promise<void> {
    const running = this.#running
    this.#running = null
    running?.client.close()
    await running?.machine.destroy()
  }

  #died(machine: ProcessTree, how: string): void {
    if (this.#running?.machine !== machine) return
    this.#running.client.close()
    this.#running = null
    this.record.hasDied = this.record.state === 'running'
    this.#onDeath(this, how)
  }

  #cutStreams(): void {
    for (const cut of this.#streams.values()) cut()
  }

  #exclusive<T>(change: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(change)
    this.#turn = turn.catch(() => {})
    return turn
  }
}
