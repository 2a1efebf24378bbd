import { fail } from '../../core/failure.ts'
import { RESCUE_MS, SANDBOX_IDLE_MS } from '../../core/limits/sandbox.ts'
import { VENV_DIR } from '../../core/task-layout.ts'
import { withTimeLimit } from '../../core/time-limit.ts'
import { type Sandbox, SandboxGone, type SandboxHost } from '../../ports/sandbox.ts'
import type { Sql } from '../../ports/sql.ts'
import type { SyncedWorkspace } from '../../workspace/synced.ts'
import { ignoreListOf } from '../sync/ignore.ts'
import type { ToldFile } from '../sync/told.ts'
import { bootstrap, type Prepared } from './bootstrap.ts'
import { installPackages } from './environment.ts'
import { NoticeBoard } from './notices.ts'
import { PackageStore } from './package-store.ts'
import { RunningCommands } from './running-commands.ts'
import { SandboxFiles } from './sandbox-files.ts'
import type { SandboxLease } from './sandbox-lease.ts'
import { type NewSandbox, SandboxSource, type SessionSpares } from './sandbox-source.ts'
import { type Overdue, type SandboxState, SandboxStateStore } from './sandbox-state.ts'
import { SPARE_IGNORES } from './spare-maker.ts'

export interface SessionSandboxParts {
  readonly host: SandboxHost
  readonly spares: SessionSpares
  /** Takes the supervisor that a new sandbox came with, by its process id. */
  readonly hasSupervisor: (sandboxId: string, pid: number) => void
  readonly lease: SandboxLease
  readonly sql: Sql
  readonly now: () => number
  /** Seen by people who look at the account of the sandbox host. */
  readonly labels: Readonly<Record<string, string>>
  /** For every command: e.g. which package index pip asks. */
  readonly env: Readonly<Record<string, string>>
  readonly logError: (thrown: unknown) => void
}

/** For whom the machine works: a call. */
export interface CallContext {
  /** Commits are noted under the call. */
  readonly workspace: SyncedWorkspace
  readonly signal: AbortSignal
  /** Makes the call known before the sandbox begins to work for it: a crash must not hide that it did. */
  note(): void
}

/** A sandbox that has what the workspace has. */
export interface Ready {
  readonly sandbox: Sandbox
  readonly state: SandboxState
  /** True when it was made for this call. */
  readonly cold: boolean
  readonly bootMs: number
  readonly syncMs: number
}

/** Between the end of a command and the sandbox's pause: for looking at what it changed. */
const LOOK_MARGIN_MS = 60_000

/**
 * The session's sandbox: made when it is first needed, filled from the workspace, replaced when it is gone. What waits
 * for the sandbox is not to be run side by side: the session's mutex sees to that. The rest may be called at any time.
 */
export class SessionSandbox {
  readonly commands: RunningCommands
  readonly notices = new NoticeBoard()
  readonly packages: PackageStore
  readonly #parts: SessionSandboxParts
  readonly #store: SandboxStateStore
  readonly #files: SandboxFiles
  readonly #source: SandboxSource
  #sandbox: Sandbox | null = null
  /** The sandbox does not pause before this time. */
  #awakeUntil = 0
  /** Calls that are about to use the sandbox, or do. */
  #users = 0
  /** A session without a sandbox has none to give back. */
  #mayHaveLease: boolean
  /** Ends when the sandbox was given to others, or kept. */
  #handingOver: Promise<void> | null = null
  /** The last sandbox that was given up, whether its files were taken along, and why, where its calls cannot know. */
  #discarded: { sandboxId: string; kept: boolean; why: string | null } = { sandboxId: '', kept: false, why: null }

  constructor(parts: SessionSandboxParts) {
    this.#parts = parts
    this.commands = new RunningCommands(parts.now())
    this.#store = new SandboxStateStore(parts.sql)
    this.#mayHaveLease = this.exists
    this.#source = new SandboxSource({ ...parts, store: this.#store })
    this.packages = new PackageStore(parts.sql)
    this.#files = new SandboxFiles({
      sql: parts.sql,
      store: this.#store,
      packages: this.packages,
      notices: this.notices,
      logError: parts.logError,
      isActive: () => this.active,
    })
  }

  get generation(): number {
    return this.#store.generation()
  }

  /** True when there is a sandbox, as far as is known. */
  get exists(): boolean {
    return this.#store.load() !== null
  }

  /** Null when there is none. */
  get sandboxId(): string | null {
    return this.#store.load()?.sandboxId ?? null
  }

  /** True when there are sandboxes to be ended. */
  get hasDiscarded(): boolean {
    return this.#store.left().length > 0
  }

  /** True when the sandbox may have what the workspace lacks. */
  get active(): boolean {
    return this.commands.count > 0 || this.overdue.length > 0 || (this.unsettled && !this.#isPaused)
  }

  /** Calls whose deadline came and whose commands may still run. */
  get overdue(): readonly Overdue[] {
    return this.#store.load()?.overdue ?? []
  }

  /** True when processes may go on in the sandbox that calls left behind. */
  get unsettled(): boolean {
    return this.#store.load()?.unsettled === true
  }

  get #isPaused(): boolean {
    return this.#store.load()?.paused === true
  }

  /** True when there is a sandbox that was not paused by {@link pause}. */
  get runs(): boolean {
    return this.exists && !this.#isPaused
  }

  /** True while a command runs, or a call is about to use the sandbox. */
  get inUse(): boolean {
    return this.#users > 0 || this.commands.count > 0
  }

  /** True when all is in the workspace that the sandbox's watcher had counted by `watched`. */
  hasTakenOver(sandbox: Sandbox, watched: string): boolean {
    const state = this.#store.load()
    return state?.sandboxId === sandbox.id && state.watched !== null && Number(watched) <= Number(state.watched)
  }

  /** True while a sandbox is the session's. */
  isCurrent(sandbox: Sandbox): boolean {
    return this.#store.load()?.sandboxId === sandbox.id
  }

  /** The sandbox of that id as it is, awake for at least `neededMs`; null when it is not the session's any more. */
  async reach(sandboxId: string, neededMs: number, signal: AbortSignal): Promise<Sandbox | null> {
    return this.sandboxId === sandboxId ? this.#wake(neededMs, signal) : null
  }

  /**
   * Keeps the sandbox from being paused while `work` goes on. It begins with `begin`, which is done when the session may
   * have a running sandbox, and again when the host had no room.
   * @param stop ends the waiting for one
   * @throws FailureError `rate_limited` when there is none in time
   */
  async using<B, T>(
    neededMs: number,
    { stop, begin }: { readonly stop: readonly AbortSignal[]; readonly begin: () => Promise<B> },
    work: (begun: B) => Promise<T>,
  ): Promise<T> {
    const { lease, now } = this.#parts
    const isAwake = () => this.#sandbox !== null && this.#awakeUntil > now()
    while (this.#handingOver) await this.#handingOver
    this.#users += 1
    this.#mayHaveLease = true
    try {
      return await work(await lease.within({ holdMs: idleTime(neededMs), isAwake, stop }, begin))
    } finally {
      this.#users -= 1
      await this.giveLeaseBack()
    }
  }

  /** Does `work`, which may pause the sandbox for others: calls that come meanwhile use it after that, in their turn. */
  async handOver(work: () => Promise<void>): Promise<void> {
    if (this.#handingOver) return this.#handingOver
    const done = work().finally(() => {
      this.#handingOver = null
    })
    this.#handingOver = done.catch(() => undefined)
    await done
  }

  /** Whether others wait for the session's sandbox. */
  isWanted(): Promise<boolean> {
    return this.#parts.lease.isWanted()
  }

  /** The sandbox runs on, though it was wanted. */
  async keepLease(): Promise<void> {
    await this.#parts.lease.renew(0)
  }

  /** Gives the lease back, unless the sandbox runs or a call is about to use one. */
  async giveLeaseBack(): Promise<void> {
    if (!this.#mayHaveLease || this.runs || this.inUse) return
    this.#mayHaveLease = false
    await this.#parts.lease.release()
  }

  /** The sandbox may have what the workspace lacks, until it is looked at. */
  markDirty(): void {
    const state = this.#store.load()
    if (state && !state.unsettled) this.#store.update(state.sandboxId, { unsettled: true })
  }

  /** The deadline of a call came while its command runs: what is in memory of that may be lost before it has ended. */
  noteOverdue(sandbox: Sandbox, call: Overdue): void {
    this.#store.update(sandbox.id, { unsettled: true, overdue: [...this.overdue, call] })
  }

  /** Nothing of an overdue call runs any more. */
  noteSettled(callId: string): void {
    const state = this.#store.load()
    if (!state?.overdue?.some((call) => call.callId === callId)) return
    this.#store.update(state.sandboxId, { overdue: state.overdue.filter((call) => call.callId !== callId) })
  }

  /**
   * A sandbox that has what the workspace has, awake for at least `neededMs`.
   * @throws FailureError `upstream` when none can be had
   */
  async ready(neededMs: number, caller: CallContext): Promise<Ready> {
    caller.note()
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#prepare(neededMs, caller)
      } catch (thrown) {
        if (!(thrown instanceof SandboxGone)) throw thrown
        await this.discard(caller)
        if (attempt === 3) {
          fail('upstream', `${thrown.message}; a new one did no better. Try again later`, { cause: thrown })
        }
      }
    }
  }

  async #prepare(neededMs: number, caller: CallContext): Promise<Ready> {
    const { now } = this.#parts
    const start = now()
    const sandbox = await this.#wake(neededMs, caller.signal)
    if (!sandbox) return this.#boot(neededMs, caller)
    const woken = now()
    await this.#files.push(sandbox, caller)
    return { sandbox, state: this.#store.of(sandbox), cold: false, bootMs: woken - start, syncMs: now() - woken }
  }

  /** The sandbox that is there and can be used, awake for at least `neededMs`, or null. */
  async #wake(neededMs: number, signal: AbortSignal): Promise<Sandbox | null> {
    const state = this.#store.load()
    if (!state) return null
    const sandbox = state.booted ? await this.#awake(state.sandboxId, neededMs, signal) : null
    if (!sandbox) this.leave()
    return sandbox
  }

  async #awake(id: string, neededMs: number, signal: AbortSignal): Promise<Sandbox | null> {
    const { now, host, lease } = this.#parts
    const idleMs = idleTime(neededMs)
    if (!this.#sandbox || this.#awakeUntil <= now()) {
      this.#mayHaveLease = true
      await lease.ensure(idleMs)
      this.#sandbox = await host.connect(id, idleMs, signal)
      this.#awakeUntil = now() + idleMs
      if (this.#sandbox && this.#isPaused) this.#store.update(id, { paused: false })
    } else if (this.#awakeUntil < now() + neededMs + LOOK_MARGIN_MS) {
      await lease.renew(idleMs)
      await this.#sandbox.extend(idleMs)
      this.#awakeUntil = now() + idleMs
    }
    return this.#sandbox
  }

  async #boot(neededMs: number, caller: CallContext): Promise<Ready> {
    const { now } = this.#parts
    const start = now()
    const replaces = this.#store.generation() > 0
    try {
      const sandbox = await this.#newSandbox(idleTime(neededMs), caller)
      const created = now()
      const files = await this.#files.push(sandbox, caller)
      const pushed = now()
      const { packages, failed } = await this.#install(sandbox, caller.signal)
      this.#store.update(sandbox.id, { booted: true })
      this.notices.add(replaces ? { restored: { files, packages, failed } } : { notes: failed.map(notInstalled) })
      const bootMs = created - start + now() - pushed
      return { sandbox, state: this.#store.of(sandbox), cold: true, bootMs, syncMs: pushed - created }
    } catch (thrown) {
      // One that was asked for and never came is ended before the next is asked for.
      if (this.exists) await this.#abandon()
      throw thrown
    }
  }

  /** A sandbox that is prepared and has no files: a spare one, or one that is made. */
  async #newSandbox(idleMs: number, { workspace, signal }: CallContext): Promise<Sandbox> {
    const source = this.#source
    await source.tryEndDiscarded()
    await this.#parts.lease.ensure(idleMs)
    const ignore = await ignoreListOf(workspace)
    // Nothing but the environment is there then: where the workspace has that, no listing is needed to know so.
    const known = ({ watchPort, watched }: Prepared) => ({
      watchPort,
      watched: workspace.stat(VENV_DIR)?.kind === 'directory' ? watched : null,
    })
    const begin = (label: string, { sandbox, prepared }: NewSandbox) => {
      this.#files.forget()
      const state = { ...NEW_STATE, sandboxId: sandbox.id, unwatched: ignore.key }
      this.#store.begin(label, prepared ? { ...state, ...known(prepared) } : state)
      if (prepared?.supervisorPid) this.#parts.hasSupervisor(sandbox.id, prepared.supervisorPid)
      this.#sandbox = sandbox
      this.#awakeUntil = this.#parts.now() + idleMs
    }
    const spare = ignore.key === SPARE_IGNORES.key && (await source.takeSpare(idleMs, signal, begin))
    const sandbox = spare ? spare.sandbox : await source.create(idleMs, begin)
    signal.throwIfAborted()
    if (!spare) this.#store.update(sandbox.id, known(await bootstrap(sandbox, ignore, signal)))
    return sandbox
  }

  /** Forgets a new sandbox that turned out to be of no use. */
  async #abandon(): Promise<void> {
    this.leave()
    await this.#source.tryEndDiscarded()
  }

  async #install(sandbox: Sandbox, signal: AbortSignal) {
    const specs = this.packages.specs()
    const had = this.packages.distributions()
    if (specs.length === 0 && had.length === 0) return { packages: [], failed: [] }
    const installed = await installPackages(sandbox, { specs, had, env: this.#parts.env, signal })
    const missing = this.packages.restored(installed.packages)
    return {
      packages: installed.packages.map(({ pin }) => pin),
      failed: [...installed.failed, ...missing],
    }
  }

  /**
   * Commits what the sandbox changed since the last look.
   * @param file the one file that changed, as the sandbox says: where that fits what is known, nothing is looked at
   * @throws SandboxGone when there is none to look at any more: it is to be given up
   */
  async pull(caller: CallContext, file?: ToldFile): Promise<void> {
    const sandbox = await this.#wake(0, caller.signal)
    if (!sandbox || (file && (await this.#files.takeTold(sandbox, caller, file)))) return
    await this.#files.take(sandbox, caller)
  }

  /**
   * Pauses the sandbox, with all that runs in it, after a last look at its files. Whatever needs it wakes it.
   * @param isInUse asked again after the look: then it runs on
   * @throws SandboxGone when there is none to be paused any more; what else fails leaves it as it is
   */
  async pause(caller: CallContext, isInUse: () => boolean): Promise<void> {
    await this.pull(caller)
    const id = this.sandboxId
    if (id === null || isInUse()) return
    if (!(await this.#parts.host.pause(id, caller.signal)))
      throw new SandboxGone('the sandbox ended before it was paused')
    this.#sandbox = null
    this.#awakeUntil = 0
    this.#store.update(id, { paused: true })
  }

  /**
   * Ends a sandbox that is gone or does not do as it should. What its files have that the workspace lacks is taken
   * along first, if it can be; its processes end before that, so that none is in the way.
   * @param sandboxId the one that is meant: another call may have replaced it already
   * @param why for the calls that run in it, where the sandbox itself is not the reason
   * @returns whether its files were taken along
   * @throws FailureError `upstream` when the host cannot be asked; the sandbox stays the session's then
   */
  async discard(
    caller: CallContext,
    sandboxId = this.#store.load()?.sandboxId,
    why: string | null = null,
  ): Promise<boolean> {
    const state = this.#store.load()
    if (!state || state.sandboxId !== sandboxId) {
      return this.#discarded.sandboxId === sandboxId && this.#discarded.kept
    }
    const kept = this.#isPaused || (state.booted && (await this.#rescueFiles(state.sandboxId, caller)))
    this.#discarded = { sandboxId: state.sandboxId, kept, why }
    await this.#abandon()
    await this.giveLeaseBack()
    return kept
  }

  /** Why a sandbox was given up, where it was not for its own sake; null when it was. */
  whyDiscarded(sandbox: Sandbox): string | null {
    return this.#discarded.sandboxId === sandbox.id ? this.#discarded.why : null
  }

  async #rescueFiles(sandboxId: string, caller: CallContext): Promise<boolean> {
    return withTimeLimit(RESCUE_MS, caller.signal, async (limited) => {
      const sandbox = await this.#parts.host.reboot(sandboxId, limited)
      if (!sandbox) return false
      this.#store.update(sandboxId, { watchPort: null })
      try {
        await this.#files.take(sandbox, { ...caller, signal: limited })
        return true
      } catch (thrown) {
        if (!(thrown instanceof SandboxGone)) this.#parts.logError(thrown)
        return false
      }
    })
  }

  /** The session has no sandbox any more; the next call makes one. What was not pulled is lost. */
  leave(): void {
    this.#sandbox = null
    this.#awakeUntil = 0
    this.#store.leave()
    this.#files.forget()
  }

  /** Ends the sandboxes that were given up. @throws what the host says; the rest stays to be ended */
  async endDiscarded(): Promise<void> {
    await this.#source.endDiscarded()
  }
}

const NEW_STATE: Omit<SandboxState, 'sandboxId'> = {
  booted: false,
  pushedSeq: -1,
  watchPort: null,
  unwatched: '',
  watched: null,
  unsettled: false,
}

const idleTime = (neededMs: number) => Math.max(SANDBOX_IDLE_MS, neededMs + LOOK_MARGIN_MS)

const notInstalled = (spec: string) => `the requirement ${spec} could not be installed; pip install shows why`
