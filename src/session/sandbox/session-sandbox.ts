import { fail } from '../../core/failure.ts'
import type { Internet } from '../../core/internet.ts'
import { KILL_GRACE_MS, RESCUE_MS, SANDBOX_IDLE_MS } from '../../core/limits/sandbox.ts'
import { VENV_DIR } from '../../core/task-layout.ts'
import { isWithin } from '../../core/tenant-internet.ts'
import { withTimeLimit } from '../../core/time-limit.ts'
import { type Sandbox, SandboxFull, SandboxGone, type SandboxHost } from '../../ports/sandbox.ts'
import type { Sql } from '../../ports/sql.ts'
import { ignoreListOf } from '../../workspace/ignore-list.ts'
import type { SyncedWorkspace } from '../../workspace/synced.ts'
import type { ReportedFile } from '../sync/reported-file.ts'
import { bootstrap, type Prepared } from './bootstrap.ts'
import { ChangeCollectors } from './changed-files.ts'
import { installPackages } from './environment.ts'
import { NoticeBoard } from './notices.ts'
import { PackageStore } from './package-store.ts'
import { RunningCommands } from './running-commands.ts'
import { SandboxFiles } from './sandbox-files.ts'
import type { SandboxLease } from './sandbox-lease.ts'
import { type MeteredTime, SandboxMeter } from './sandbox-meter.ts'
import { type NewSandbox, SandboxSource, type SessionSpares } from './sandbox-source.ts'
import { NEW_SANDBOX_STATE, type Overdue, type SandboxState, SandboxStateStore } from './sandbox-state.ts'
import { HAS_INTERNET, SPARE_IGNORES } from './spare-maker.ts'

export interface SessionSandboxParts {
  readonly host: SandboxHost
  readonly spares: SessionSpares
  /** Internet policy of the next sandbox; HAS_INTERNET when left out. */
  readonly internet?: () => Promise<Internet>
  /** Takes over the supervisor of a new sandbox, by its process id. */
  readonly hasSupervisor: (sandboxId: string, pid: number) => void
  readonly lease: SandboxLease
  /** Counts time of the sandbox, in one transaction with `change`. */
  readonly meter: (time: MeteredTime, change: () => void) => void
  readonly sql: Sql
  readonly now: () => number
  /** Labels for people who look at the account of the sandbox provider. */
  readonly labels: Readonly<Record<string, string>>
  /** Environment of every command: e.g. which package index pip asks. */
  readonly env: Readonly<Record<string, string>>
  readonly logError: (thrown: unknown) => void
}

/** The call for which the session sandbox works. */
export interface CallContext {
  /** The workspace, whose history names the call as the author of commits. */
  readonly workspace: SyncedWorkspace
  readonly signal: AbortSignal
  /** Notes the call before the sandbox begins to work for it: a crash must not hide that it did. */
  note(): void
  /** Key of the call; null for none, undefined where it is no call. */
  readonly key?: () => string | null | undefined
}

/** A sandbox with all files of the workspace. */
export interface Ready {
  readonly sandbox: Sandbox
  readonly state: SandboxState
  /** True when it was made for this call. */
  readonly cold: boolean
  readonly bootMs: number
  readonly syncMs: number
}

/** Message for files that a new sandbox has no room for. */
const TOO_LARGE =
  "insufficient storage: this session's files do not fit on the disk of a sandbox, so no command can run; delete large files that commands " +
  'do not need, or move them to another session, then call again'

/** Time between the end of a command and the sandbox's pause, for looking at its changes. */
const LOOK_MARGIN_MS = 60_000

/**
 * The session's sandbox: made on first use, filled from the workspace, replaced when it is gone. Operations that await the
 * sandbox run one at a time, under the session's mutex. All others may be called at any time.
 */
export class SessionSandbox {
  readonly commands: RunningCommands
  readonly notices = new NoticeBoard()
  /** Changes of files, for the commands that run. */
  readonly changes = new ChangeCollectors()
  readonly packages: PackageStore
  readonly #parts: SessionSandboxParts
  readonly #store: SandboxStateStore
  readonly #files: SandboxFiles
  readonly #source: SandboxSource
  readonly #meter: SandboxMeter
  #sandbox: Sandbox | null = null
  /** Time until which the sandbox does not pause. */
  #awakeUntil = 0
  /** Number of calls that use the sandbox, or are about to. */
  #users = 0
  /** Number of times that the sandbox was marked dirty. */
  #marks = 0
  /** False for a session that has no lease to release. */
  #mayHaveLease: boolean
  /** Ends when the sandbox was handed over to others, or kept; null when neither is under way. */
  #handingOver: Promise<void> | null = null
  /** The last discarded sandbox: whether its files were saved, and the reason where its calls cannot know it. */
  #discarded: { sandboxId: string; kept: boolean; why: string | null } = { sandboxId: '', kept: false, why: null }

  constructor(parts: SessionSandboxParts) {
    this.#parts = parts
    this.commands = new RunningCommands(parts.now())
    this.#store = new SandboxStateStore(parts.sql)
    this.#mayHaveLease = this.exists
    this.#source = new SandboxSource({ ...parts, store: this.#store })
    this.#meter = new SandboxMeter({
      store: this.#store,
      now: parts.now,
      isFull: () => parts.sql.isReadOnly,
      write: parts.meter,
    })
    this.packages = new PackageStore(parts.sql)
    this.#files = new SandboxFiles({
      sql: parts.sql,
      store: this.#store,
      packages: this.packages,
      notices: this.notices,
      changes: this.changes,
      logError: parts.logError,
      now: parts.now,
      isActive: () => this.active,
      marks: () => this.#marks,
    })
  }

  get generation(): number {
    return this.#store.generation()
  }

  /** Whether the session has a sandbox, as far as is known. */
  get exists(): boolean {
    return this.#store.load() !== null
  }

  /** Id of the sandbox; null when there is none. */
  get sandboxId(): string | null {
    return this.#store.load()?.sandboxId ?? null
  }

  /** Whether there are discarded sandboxes to be ended. */
  get hasDiscarded(): boolean {
    return this.#store.left().length > 0
  }

  /** Whether the sandbox may have changes that the workspace lacks. */
  get active(): boolean {
    return this.commands.count > 0 || this.overdue.length > 0 || (this.unsettled && !this.#isPaused)
  }

  /** Calls past their deadlines whose commands may still run. */
  get overdue(): readonly Overdue[] {
    return this.#store.load()?.overdue ?? []
  }

  /** Whether background processes of earlier calls may run in the sandbox. */
  get unsettled(): boolean {
    return this.#store.load()?.unsettled === true
  }

  get #isPaused(): boolean {
    return this.#store.load()?.paused === true
  }

  /** Whether there is a sandbox that was not paused by {@link pause}. */
  get runs(): boolean {
    return this.exists && !this.#isPaused
  }

  /** Whether a command runs, or a call is about to use the sandbox. */
  get inUse(): boolean {
    return this.#users > 0 || this.commands.count > 0
  }

  /** Whether the workspace has all changes that the sandbox's watcher had counted by `watched`. */
  hasTakenOver(sandbox: Sandbox, watched: string): boolean {
    const state = this.#store.load()
    return state?.sandboxId === sandbox.id && state.watched !== null && Number(watched) <= Number(state.watched)
  }

  /** Whether the sandbox reaches more of the internet than the session may now. */
  async exceedsPolicy(): Promise<boolean> {
    const state = this.#store.load()
    return state !== null && !isWithin(state.internet ?? HAS_INTERNET, await this.#source.internet())
  }

  /** Whether a sandbox is the session's. */
  isCurrent(sandbox: Sandbox): boolean {
    return this.#store.load()?.sandboxId === sandbox.id
  }

  /** The sandbox of that id in its present state, awake for at least `neededMs`; null when it is not the session's any more. */
  async reach(sandboxId: string, neededMs: number, signal: AbortSignal): Promise<Sandbox | null> {
    return this.sandboxId === sandboxId ? this.#wake(neededMs, signal) : null
  }

  /**
   * Keeps the sandbox from being paused during `work`. Runs `begin` first, when the session may have a running sandbox, and again
   * when the provider had no room.
   * @param stop signals that end the wait for a sandbox
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
      return await work(await lease.within({ holdMs: this.#idleTime(neededMs), isAwake, stop }, begin))
    } finally {
      this.#users -= 1
      await this.giveLeaseBack()
    }
  }

  /**
   * Replaces a sandbox that turned out to be gone, for a call that uses it already.
   * @throws FailureError `rate_limited` when there is none in time
   */
  replacing<T>(neededMs: number, stop: readonly AbortSignal[], begin: () => Promise<T>): Promise<T> {
    return this.#parts.lease.within({ holdMs: this.#idleTime(neededMs), isAwake: () => true, stop }, begin)
  }

  /** The longest time for a command that a call waits for, in milliseconds: sandboxes of some accounts run no longer. */
  get longestCommandMs(): number {
    return this.#longestRunMs - KILL_GRACE_MS - LOOK_MARGIN_MS
  }

  get #longestRunMs(): number {
    return this.#parts.host.plan?.longestRunMs ?? Number.POSITIVE_INFINITY
  }

  /** Time for which the provider is told to let the sandbox run. */
  #idleTime(neededMs: number): number {
    return Math.min(Math.max(SANDBOX_IDLE_MS, neededMs + LOOK_MARGIN_MS), this.#longestRunMs)
  }

  /** Runs `work`, which may pause the sandbox for others: calls that come meanwhile use it after that, in order. */
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

  /** Keeps the lease of a sandbox that was wanted and runs on. */
  async keepLease(): Promise<void> {
    await this.#parts.lease.renew(0)
  }

  /** Releases the lease, unless the sandbox runs or a call is about to use one. */
  async giveLeaseBack(): Promise<void> {
    if (!this.#mayHaveLease || this.runs || this.inUse) return
    this.#mayHaveLease = false
    await this.#parts.lease.release()
  }

  /** Marks the sandbox dirty: it may have changes that the workspace lacks, until the next look. */
  markDirty(): void {
    this.#marks += 1
    const state = this.#store.load()
    if (state && !state.unsettled) this.#store.update(state.sandboxId, { unsettled: true })
  }

  /** Stores that the deadline of a call came while its command runs: the knowledge in memory may be lost before it has ended. */
  noteOverdue(sandbox: Sandbox, call: Overdue): void {
    this.#marks += 1
    this.#store.update(sandbox.id, { unsettled: true, overdue: [...this.overdue, call] })
  }

  /** Notes that no process of an overdue call runs any more. */
  noteSettled(callId: string): void {
    const state = this.#store.load()
    if (!state?.overdue?.some((call) => call.callId === callId)) return
    this.#store.update(state.sandboxId, { overdue: state.overdue.filter((call) => call.callId !== callId) })
  }

  /**
   * The sandbox with all files of the workspace, awake for at least `neededMs`.
   * @throws FailureError `upstream` when there is none to be had, `limit_exceeded` when the files do not fit into one
   */
  async ready(neededMs: number, caller: CallContext): Promise<Ready> {
    caller.note()
    this.#meter.usedBy(caller.key?.())
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

  /** The present sandbox, if it can be used, awake for at least `neededMs`; else null. */
  async #wake(neededMs: number, signal: AbortSignal): Promise<Sandbox | null> {
    const state = this.#store.load()
    if (!state) return null
    const sandbox = state.booted ? await this.#awake(state.sandboxId, neededMs, signal) : null
    if (!sandbox) this.leave()
    return sandbox
  }

  async #awake(id: string, neededMs: number, signal: AbortSignal): Promise<Sandbox | null> {
    const { now, host, lease } = this.#parts
    const idleMs = this.#idleTime(neededMs)
    if (!this.#sandbox || this.#awakeUntil <= now()) {
      this.#mayHaveLease = true
      await lease.ensure(idleMs)
      this.#sandbox = await host.connect(id, idleMs, signal)
      this.#awakeUntil = now() + idleMs
      if (this.#sandbox) this.#meter.awake(this.#awakeUntil)
    } else if (this.#awakeUntil < now() + neededMs + LOOK_MARGIN_MS) {
      await lease.renew(idleMs)
      await this.#sandbox.extend(idleMs)
      this.#awakeUntil = now() + idleMs
      this.#meter.extended(this.#awakeUntil)
    }
    return this.#sandbox
  }

  async #boot(neededMs: number, caller: CallContext): Promise<Ready> {
    const { now } = this.#parts
    const start = now()
    const replaces = this.#store.generation() > 0
    try {
      const sandbox = await this.#newSandbox(this.#idleTime(neededMs), caller)
      const created = now()
      const files = await this.#files.push(sandbox, caller)
      const pushed = now()
      const { packages, failed } = await this.#install(sandbox, caller.signal)
      this.#store.update(sandbox.id, { booted: true })
      this.notices.add(replaces ? { restored: { files, packages, failed } } : { notes: failed.map(notInstalled) })
      const bootMs = created - start + now() - pushed
      return { sandbox, state: this.#store.of(sandbox), cold: true, bootMs, syncMs: pushed - created }
    } catch (thrown) {
      // A requested one that never came is ended before the next is requested.
      if (this.exists) await this.#abandon()
      // To carry the same files into another one would take as long, and end as this did.
      if (thrown instanceof SandboxFull) fail('limit_exceeded', TOO_LARGE, { cause: thrown })
      throw thrown
    }
  }

  /** A prepared sandbox without files: a spare, or a new one. */
  async #newSandbox(idleMs: number, { workspace, signal }: CallContext): Promise<Sandbox> {
    const source = this.#source
    await source.tryEndDiscarded()
    await this.#parts.lease.ensure(idleMs)
    // Asked for when the lease is noted: a change of the policy finds the sandbox by it.
    const [ignore, internet] = await Promise.all([ignoreListOf(workspace), source.internet()])
    // The sandbox has nothing but the environment then: where the workspace has that, no listing is needed to know so.
    const known = ({ watchPort, watched }: Prepared) => ({
      watchPort,
      watched: workspace.stat(VENV_DIR)?.kind === 'directory' ? watched : null,
    })
    const begin = (label: string, { sandbox, prepared }: NewSandbox) => {
      this.#files.forget()
      const until = this.#parts.now() + idleMs
      const meter = this.#meter.begun(until)
      const state = { ...NEW_SANDBOX_STATE, sandboxId: sandbox.id, internet, unwatched: ignore.key, meter }
      this.#store.begin(label, prepared ? { ...state, ...known(prepared) } : state)
      if (prepared?.supervisorPid) this.#parts.hasSupervisor(sandbox.id, prepared.supervisorPid)
      this.#sandbox = sandbox
      this.#awakeUntil = until
    }
    const fits = ignore.key === SPARE_IGNORES.key && this.#parts.lease.mayHaveSpare
    const spare = fits && (await source.takeSpare(idleMs, internet, signal, begin))
    if (!spare) await this.#parts.lease.takeTurn()
    const sandbox = spare ? spare.sandbox : await source.create(idleMs, internet, begin)
    signal.throwIfAborted()
    if (!spare) this.#store.update(sandbox.id, known(await bootstrap(sandbox, ignore, signal)))
    return sandbox
  }

  /** Discards a new sandbox that turned out to be of no use. */
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
   * Commits the sandbox's changes since the last look.
   * @param file the one changed file by the sandbox's report: where that agrees with the known state, no look is needed
   * @throws SandboxGone when there is none to look at any more: it must be discarded
   */
  async pull(caller: CallContext, file?: ReportedFile): Promise<void> {
    const sandbox = await this.#wakeToLook(caller)
    if (!sandbox || (file && (await this.#files.takeReported(sandbox, caller, file)))) return
    await this.#files.take(sandbox, caller)
  }

  /** The sandbox, awake; null when the session has none that may have changes. @throws SandboxGone as {@link pull} */
  async #wakeToLook({ signal }: CallContext): Promise<Sandbox | null> {
    const hasFiles = this.#store.load()?.booted === true
    const sandbox = await this.#wake(0, signal)
    if (!sandbox && hasFiles) throw new SandboxGone('the sandbox ended before its files were taken over')
    return sandbox
  }

  /** Time since when changes were taken over by the watcher's word alone, in milliseconds; null when a whole look confirmed them. */
  get uncheckedSince(): number | null {
    return this.#store.load()?.uncheckedSince ?? null
  }

  /** Looks at all files, and commits what the watcher missed. @throws SandboxGone as {@link pull} */
  async check(caller: CallContext): Promise<void> {
    const sandbox = await this.#wakeToLook(caller)
    if (sandbox) await this.#files.take(sandbox, caller, { isWhole: true })
  }

  /**
   * Pauses the sandbox, with all that runs in it, after a last look at its files. Its next use wakes it.
   * @param isInUse asked again after the look: true keeps the sandbox running
   * @throws SandboxGone when there is none to pause any more; any other failure leaves it unchanged
   */
  async pause(caller: CallContext, isInUse: () => boolean): Promise<void> {
    await this.check(caller)
    const id = this.sandboxId
    if (id === null || isInUse()) return
    if (!(await this.#parts.host.pause(id, caller.signal)))
      throw new SandboxGone('the sandbox ended before it was paused')
    this.#sandbox = null
    this.#awakeUntil = 0
    this.#meter.paused()
  }

  /** Counts the time of a sandbox that has run for long. */
  keepMeter(): void {
    this.#meter.keepUp()
  }

  /**
   * Notes that the provider paused the sandbox by itself, at the end of its time. A sandbox that may have uncommitted changes is not
   * noted as paused: it must be woken for a look at them.
   */
  async notePaused(signal: AbortSignal): Promise<void> {
    const state = this.#store.load()
    if (!state?.booted || state.paused || this.#awakeUntil > this.#parts.now()) return
    if (this.active || state.uncheckedSince != null || this.inUse) return
    if (!(await this.#parts.host.isPaused(state.sandboxId, signal))) return
    this.#sandbox = null
    this.#meter.paused()
  }

  /**
   * Discards a sandbox that is gone or misbehaves. Changes in it that the workspace lacks are saved first, if possible; its
   * processes end before that, so that none is in the way.
   * @param sandboxId the sandbox to discard: another call may have replaced it already
   * @param why for the calls that run in it, where the sandbox itself is not the reason
   * @returns whether its files were saved
   * @throws FailureError `upstream` when the provider cannot be asked; the sandbox stays the session's then
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

  /** Reason for discarding a sandbox, where the sandbox itself was not the reason; else null. */
  whyDiscarded(sandbox: Sandbox): string | null {
    return this.#discarded.sandboxId === sandbox.id ? this.#discarded.why : null
  }

  async #rescueFiles(sandboxId: string, caller: CallContext): Promise<boolean> {
    return withTimeLimit(RESCUE_MS, caller.signal, async (limited) => {
      const sandbox = await this.#parts.host.reboot(sandboxId, limited)
      if (!sandbox) return false
      this.#store.update(sandboxId, { watchPort: null })
      try {
        await this.#files.take(sandbox, { ...caller, signal: limited }, { isWhole: true })
        return true
      } catch (thrown) {
        if (!(thrown instanceof SandboxGone)) this.#parts.logError(thrown)
        return false
      }
    })
  }

  /** Releases the session's sandbox; the next call makes one. Changes that were not committed are lost. */
  leave(): void {
    this.#sandbox = null
    this.#awakeUntil = 0
    this.#meter.settle()
    this.#store.leave()
    this.#files.forget()
  }

  /** Ends the discarded sandboxes. @throws the provider's error; the rest must still be ended */
  async endDiscarded(): Promise<void> {
    await this.#source.endDiscarded()
  }
}

const notInstalled = (spec: string) => `the requirement ${spec} could not be installed; pip install shows why`
