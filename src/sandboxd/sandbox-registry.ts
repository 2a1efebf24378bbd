import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from './config.ts'
import { ApiError } from './http-reply.ts'
import type { Isolation } from './isolation/isolation.ts'
import { messageOf } from './json.ts'
import { MAX_SANDBOXES, PAUSED_DAYS } from './limits.ts'
import { loadRecords, type SandboxRecord } from './record.ts'
import { Sandbox } from './sandbox.ts'

/** Caller's settings for a new sandbox. */
export type NewSandbox = Pick<
  SandboxRecord,
  | 'templateId'
  | 'metadata'
  | 'envVars'
  | 'internet'
  | 'onTimeout'
  | 'keepMemory'
  | 'autoResume'
  | 'timeoutSeconds'
  | 'publicTraffic'
>

/** Registry of this daemon's sandboxes. */
export class SandboxRegistry {
  readonly #config: Config
  readonly #isolation: Isolation
  readonly #log: (line: string) => void
  readonly #root: string
  readonly #sandboxes = new Map<string, Sandbox>()
  /** Sandboxes that run in a moment. */
  readonly #starting = new Set<Sandbox>()
  #closed = false

  constructor(config: Config, isolation: Isolation, log: (line: string) => void) {
    this.#config = config
    this.#isolation = isolation
    this.#log = log
    this.#root = join(config.stateDir, 's')
    mkdirSync(this.#root, { recursive: true, mode: 0o711 })
    for (const record of loadRecords(this.#root)) this.#adopt(record)
  }

  /** Sandbox by id. @throws ApiError 404 */
  get(id: string): Sandbox {
    const sandbox = this.find(id)
    if (sandbox === null) throw new ApiError(404, `Sandbox "${id}" doesn't exist or you don't have access to it`)
    return sandbox
  }

  find(id: string): Sandbox | null {
    return this.#sandboxes.get(id) ?? null
  }

  all(): Sandbox[] {
    return [...this.#sandboxes.values()]
  }

  /** Creates a sandbox. @throws ApiError 429, 500 */
  async create(wanted: NewSandbox): Promise<Sandbox> {
    this.#checkRoom()
    const id = newId()
    const now = Date.now()
    const sandbox = this.#add({
      ...wanted,
      id,
      slot: this.#freeSlot(),
      accessToken: randomBytes(24).toString('base64url'),
      trafficToken: randomBytes(24).toString('base64url'),
      startedAt: now,
      endAt: now + wanted.timeoutSeconds * 1000,
      state: 'paused',
      pausedAt: null,
      hasDied: false,
    })
    try {
      await this.#start(sandbox, wanted.timeoutSeconds)
      return sandbox
    } catch (error) {
      await this.remove(sandbox)
      this.#log(`sandbox ${id} did not start: ${messageOf(error)}`)
      throw new ApiError(500, 'the sandbox did not start; the daemon has logged why')
    }
  }

  /** Resumes a sandbox. @returns whether it was not running before. @throws ApiError 404, 429, 500 */
  async resume(sandbox: Sandbox, timeoutSeconds: number, discardMemory = false): Promise<boolean> {
    if (sandbox.client === null && !this.#starting.has(sandbox)) this.#checkRoom()
    try {
      const resumed = await this.#start(sandbox, timeoutSeconds, discardMemory)
      if (sandbox.removed) throw new ApiError(404, `Sandbox "${sandbox.record.id}" not found`)
      return resumed
    } catch (error) {
      if (error instanceof ApiError) throw error
      this.#log(`sandbox ${sandbox.record.id} did not resume: ${messageOf(error)}`)
      throw new ApiError(500, 'the sandbox did not start again; the daemon has logged why')
    }
  }

  /** Pauses a sandbox. @returns false when it was paused already */
  async pause(sandbox: Sandbox, keepMemory: boolean): Promise<boolean> {
    const paused = await sandbox.pause(keepMemory)
    if (paused) this.#boundMemory()
    return paused
  }

  async remove(sandbox: Sandbox): Promise<void> {
    this.#sandboxes.delete(sandbox.record.id)
    await sandbox.remove()
  }

  /** Removes sandboxes paused for longer than they are kept. */
  async sweep(): Promise<void> {
    const oldest = Date.now() - PAUSED_DAYS * 24 * 60 * 60 * 1000
    for (const sandbox of this.all()) {
      const { state, pausedAt } = sandbox.record
      if (state === 'paused' && pausedAt !== null && pausedAt < oldest) await this.remove(sandbox)
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    await Promise.all(this.all().map((sandbox) => sandbox.shutDown()))
  }

  async #start(sandbox: Sandbox, timeoutSeconds: number, discardMemory = false): Promise<boolean> {
    this.#starting.add(sandbox)
    try {
      return await sandbox.resume(timeoutSeconds, discardMemory)
    } finally {
      this.#starting.delete(sandbox)
    }
  }

  /** Bounds the memory of paused sandboxes: when there are too many, those paused first lose theirs. */
  #boundMemory(): void {
    const frozen = this.all().filter((sandbox) => sandbox.isFrozen)
    const longest = frozen.sort((a, b) => (a.record.pausedAt ?? 0) - (b.record.pausedAt ?? 0))
    for (const sandbox of longest.slice(0, Math.max(0, frozen.length - this.#config.maxFrozen))) {
      sandbox
        .dropMemory()
        .catch((error) => this.#log(`sandbox ${sandbox.record.id}: its memory was not freed: ${messageOf(error)}`))
    }
  }

  #checkRoom(): void {
    if (this.#closed) throw new ApiError(503, 'the daemon is stopping')
    const running = this.all().filter(
      (sandbox) => sandbox.hasProcesses && !sandbox.isFrozen && !this.#starting.has(sandbox),
    )
    if (running.length + this.#starting.size >= this.#config.maxRunning) {
      throw new ApiError(
        429,
        `at most ${this.#config.maxRunning} sandboxes can run at the same time (SANDBOXD_MAX_RUNNING)`,
      )
    }
    if (this.#sandboxes.size > MAX_SANDBOXES) throw new ApiError(429, `at most ${MAX_SANDBOXES} sandboxes can exist`)
  }

  #freeSlot(): number {
    const taken = new Set(this.all().map((sandbox) => sandbox.record.slot))
    let slot = 0
    while (taken.has(slot)) slot++
    return slot
  }

  #add(record: SandboxRecord): Sandbox {
    const sandbox = new Sandbox({
      record,
      dir: join(this.#root, record.id),
      config: this.#config,
      isolation: this.#isolation,
      onDeath: (dead, how) => this.#died(dead, how),
      onTimeout: (late) => this.#timedOut(late),
    })
    this.#sandboxes.set(record.id, sandbox)
    return sandbox
  }

  /**
   * Adopts a sandbox of an earlier daemon: its memory is gone, its files are there. One that was to be killed on timeout
   * still is.
   */
  #adopt(record: SandboxRecord): void {
    const wasRunning = record.state === 'running'
    record.state = 'paused'
    record.pausedAt ??= Date.now()
    const sandbox = this.#add(record)
    sandbox.save()
    if (wasRunning && record.onTimeout === 'kill') sandbox.armTimer()
  }

  #timedOut(sandbox: Sandbox): void {
    const { id, onTimeout, keepMemory } = sandbox.record
    const over: Promise<unknown> = onTimeout === 'pause' ? this.pause(sandbox, keepMemory) : this.remove(sandbox)
    over.catch((error) => this.#log(`sandbox ${id}: ${onTimeout} on timeout failed: ${messageOf(error)}`))
  }

  /**
   * Handles the end of a sandbox's processes. One that would be paused on timeout keeps its files; any other is gone, as a
   * crashed machine is.
   */
  #died(sandbox: Sandbox, how: string): void {
    const { id, onTimeout, state } = sandbox.record
    this.#log(`sandbox ${id} ended by itself: ${how}`)
    if (state === 'paused') return
    const over: Promise<unknown> = onTimeout === 'pause' ? sandbox.pause(false) : this.remove(sandbox)
    over.catch((error) => this.#log(`sandbox ${id}: cleaning up failed: ${messageOf(error)}`))
  }
}

/** Twenty letters and digits, as E2B's: 100 bits, and fit for a host name. */
function newId(): string {
  const alphabet = 'abcdefghijklmnopqrstuvwxyz012345'
  return `i${[...randomBytes(20)].map((byte) => alphabet[byte & 31]).join('')}`
}
