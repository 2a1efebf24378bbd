import { fail } from '../../core/failure.ts'
import { RESCUE_MS, SANDBOX_IDLE_MS } from '../../core/limits.ts'
import { type Sandbox, SandboxGone, type SandboxHost } from '../../ports/sandbox.ts'
import type { Sql } from '../../ports/sql.ts'
import type { SyncedWorkspace } from '../../workspace/synced.ts'
import { IGNORE_FILE, type IgnoreList, ignoreList } from '../sync/ignore.ts'
import { KnownFiles } from '../sync/known.ts'
import { type Pulled, pull } from '../sync/pull.ts'
import { planPush, push } from '../sync/push.ts'
import { bootstrapScript, readWatchPort } from './bootstrap.ts'
import { installPackages } from './environment.ts'
import { type MachineState, MachineStore } from './machine-state.ts'

export interface MachineParts {
  readonly host: SandboxHost
  readonly sql: Sql
  /** The workspace; its commits are noted under the call that makes them. */
  readonly workspace: (callId: string) => SyncedWorkspace
  readonly now: () => number
  /** Seen by people who look at the account of the sandbox host. */
  readonly labels: Readonly<Record<string, string>>
  /** For every command: e.g. which package index pip asks. */
  readonly env: Readonly<Record<string, string>>
  /** Unforeseen errors go to our own logs and nowhere else. */
  readonly logError: (thrown: unknown) => void
}

/** A sandbox that has what the workspace has. */
export interface Ready {
  readonly sandbox: Sandbox
  readonly state: MachineState
  /** True when it was made for this call. */
  readonly cold: boolean
  /** What was put back, when it replaced another. */
  readonly restored?: {
    readonly files: number
    readonly packages: readonly string[]
    readonly failed: readonly string[]
  }
  /** Requirements that could not be installed into the first sandbox. */
  readonly failedRequirements: readonly string[]
  readonly bootMs: number
  readonly syncMs: number
}

/** What a new sandbox takes at most until it can be used, packages apart. */
const BOOTSTRAP_TIMEOUT_MS = 60_000

/**
 * The session's sandbox: made when it is first needed, filled from the workspace, replaced when it is gone. Its methods
 * are not to be run side by side: the session's lane sees to that.
 */
export class Machine {
  readonly #parts: MachineParts
  readonly #store: MachineStore
  readonly #known: KnownFiles
  /** For looking; what a pull commits goes through the workspace of its call. */
  readonly #workspace: SyncedWorkspace
  #sandbox: Sandbox | null = null
  /** The sandbox does not pause before this time. */
  #awakeUntil = 0
  /** Files may lie in the sandbox half, since a push has not come to its end. */
  #pushing = false
  /** The last sandbox that was given up, and whether its files were taken along. */
  #givenUp = { sandboxId: '', kept: false }

  constructor(parts: MachineParts) {
    this.#parts = parts
    this.#store = new MachineStore(parts.sql)
    this.#known = new KnownFiles(parts.sql)
    this.#workspace = parts.workspace('sync')
  }

  static createTables(sql: Sql): void {
    MachineStore.createTables(sql)
    KnownFiles.createTables(sql)
  }

  get packages(): MachineStore {
    return this.#store
  }

  get generation(): number {
    return this.#store.generation()
  }

  /** True when there is a sandbox, as far as is known. */
  get exists(): boolean {
    return this.#store.load() !== null
  }

  /**
   * A sandbox that has what the workspace has, awake for at least `neededMs`.
   * @throws FailureError `upstream` when none can be had
   */
  async ready(neededMs: number, signal: AbortSignal): Promise<Ready> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#prepare(neededMs, signal)
      } catch (thrown) {
        if (!(thrown instanceof SandboxGone)) throw thrown
        await this.giveUp(this.#workspace, signal)
        if (attempt === 3)
          fail('upstream', `${thrown.message}; a new one did no better. Try again later`, { cause: thrown })
      }
    }
  }

  async #prepare(neededMs: number, signal: AbortSignal): Promise<Ready> {
    const { now } = this.#parts
    const start = now()
    const known = await this.#wake(neededMs, signal)
    if (!known) return this.#boot(neededMs, signal)
    const woken = now()
    await this.#push(known.sandbox, known.state, signal)
    const state = this.#store.load() ?? known.state
    return { ...known, state, cold: false, failedRequirements: [], bootMs: woken - start, syncMs: now() - woken }
  }

  /** The sandbox that is there, awake for at least `neededMs`, or null. */
  async #wake(
    neededMs: number,
    signal: AbortSignal,
  ): Promise<{ readonly sandbox: Sandbox; readonly state: MachineState } | null> {
    const state = this.#store.load()
    if (!state) return null
    const { now, host } = this.#parts
    const idleMs = idleTime(neededMs)
    if (!this.#sandbox || this.#awakeUntil <= now()) {
      this.#sandbox = await host.connect(state.sandboxId, idleMs, signal)
      this.#awakeUntil = now() + idleMs
    } else if (this.#awakeUntil < now() + neededMs + SPARE_MS) {
      await this.#sandbox.extend(idleMs)
      this.#awakeUntil = now() + idleMs
    }
    if (this.#sandbox) return { sandbox: this.#sandbox, state }
    this.lost()
    return null
  }

  async #boot(neededMs: number, signal: AbortSignal): Promise<Ready> {
    const { host, now, labels, env } = this.#parts
    const start = now()
    const replaces = this.#store.generation() > 0
    const idleMs = idleTime(neededMs)
    const sandbox = await host.create({ metadata: labels, idleMs, internet: true }, signal)
    this.#known.clear()
    this.#store.begin({ sandboxId: sandbox.id, pushedSeq: -1, watchPort: null })
    this.#sandbox = sandbox
    this.#awakeUntil = now() + idleMs
    const ignore = await this.#ignore()
    const booted = await sandbox.run(bootstrapScript(ignore), { timeoutMs: BOOTSTRAP_TIMEOUT_MS, signal })
    if (booted.exitCode !== 0) throw new SandboxGone('the sandbox could not be prepared')
    const state: MachineState = { sandboxId: sandbox.id, pushedSeq: -1, watchPort: readWatchPort(booted.stdout) }
    const created = now()
    const files = await this.#push(sandbox, state, signal)
    const pushed = now()
    const { packages, failed } = await this.#install(sandbox, env, signal)
    return {
      sandbox,
      state: this.#store.load() ?? state,
      cold: true,
      ...(replaces && { restored: { files, packages, failed } }),
      failedRequirements: replaces ? [] : failed,
      bootMs: created - start + now() - pushed,
      syncMs: pushed - created,
    }
  }

  async #install(sandbox: Sandbox, env: Readonly<Record<string, string>>, signal: AbortSignal) {
    const specs = this.#store.packages()
    const pins = this.#store.distributions()
    if (specs.length === 0 && pins.length === 0) return { packages: [], failed: [] }
    const installed = await installPackages(sandbox, { specs, pins, env, signal })
    this.#store.setDistributions(installed.packages)
    return installed
  }

  /** @returns how many entries were carried over. */
  async #push(sandbox: Sandbox, state: MachineState, signal: AbortSignal): Promise<number> {
    const workspace = this.#workspace
    const head = workspace.headSeq()
    if (head === state.pushedSeq) return 0
    const paths = state.pushedSeq < 0 ? null : workspace.changesSince(state.pushedSeq)
    const plan = planPush(workspace, this.#known, paths)
    this.#pushing = true
    await push(plan, { workspace, known: this.#known, sandbox, signal })
    this.#pushing = false
    this.#store.save({ ...state, pushedSeq: head })
    return plan.put.length
  }

  /**
   * Commits what the sandbox changed since the last look.
   * @returns null when there is no sandbox; what it had changed, if anything, went with it
   */
  async pull(workspace: SyncedWorkspace, signal: AbortSignal): Promise<Pulled | null> {
    const known = await this.#wake(0, signal)
    return known && this.#pullFrom(known.sandbox, known.state.watchPort, workspace, signal)
  }

  async #pullFrom(sandbox: Sandbox, watchPort: number | null, workspace: SyncedWorkspace, signal: AbortSignal) {
    const pulled = await pull({ workspace, known: this.#known, sandbox, signal }, await this.#ignore(), { watchPort })
    this.#store.setDistributions(pulled.distributions)
    return pulled
  }

  /**
   * Ends a sandbox that is gone or does not do as it should. What its files have that the workspace lacks is taken
   * along first, if it can be; its processes end before that, so that none is in the way. What a push left half there
   * is not: it would pass for the newest.
   * @param sandboxId the one that is meant: another call may have replaced it already
   * @returns whether its files were taken along
   * @throws FailureError `upstream` when the host cannot be asked; the sandbox stays the session's then
   */
  async giveUp(workspace: SyncedWorkspace, signal: AbortSignal, sandboxId = this.#store.load()?.sandboxId) {
    const state = this.#store.load()
    if (!state || state.sandboxId !== sandboxId) {
      return this.#givenUp.sandboxId === sandboxId && this.#givenUp.kept
    }
    const within = AbortSignal.any([signal, AbortSignal.timeout(RESCUE_MS)])
    const sandbox = await this.#parts.host.reboot(state.sandboxId, within)
    const isWhole = state.pushedSeq >= 0 && !this.#pushing
    const kept = sandbox !== null && isWhole && (await this.#takeAlong(sandbox, workspace, within))
    this.#givenUp = { sandboxId: state.sandboxId, kept }
    await this.kill().catch(this.#parts.logError) // it pauses by itself
    return kept
  }

  async #takeAlong(sandbox: Sandbox, workspace: SyncedWorkspace, signal: AbortSignal): Promise<boolean> {
    try {
      await this.#pullFrom(sandbox, null, workspace, signal)
      return true
    } catch (thrown) {
      if (!(thrown instanceof SandboxGone)) this.#parts.logError(thrown)
      return false
    }
  }

  /** The sandbox is gone: the next call makes another. */
  lost(): void {
    this.#sandbox = null
    this.#awakeUntil = 0
    this.#pushing = false
    this.#store.forget()
    this.#known.clear()
  }

  /** Ends the sandbox, if there is one. What was not pulled is lost. */
  async kill(): Promise<void> {
    const state = this.#store.load()
    this.lost()
    if (state) await this.#parts.host.kill(state.sandboxId)
  }

  async #ignore(): Promise<IgnoreList> {
    const workspace = this.#workspace
    if (workspace.stat(IGNORE_FILE)?.kind !== 'file') return ignoreList(null)
    const bytes = await workspace.read(IGNORE_FILE)
    return ignoreList(bytes && new TextDecoder().decode(bytes))
  }
}

/** Between the end of a command and the sandbox's pause: for looking at what it changed. */
const SPARE_MS = 60_000

const idleTime = (neededMs: number) => Math.max(SANDBOX_IDLE_MS, neededMs + SPARE_MS)
