import { withAnySignal } from '../../core/any-signal.ts'
import { FailureError, fail, RefusalError } from '../../core/failure.ts'
import { KILL_GRACE_MS, MAX_OUTPUT_BYTES, MAX_OUTPUT_FILE_BYTES } from '../../core/limits/sandbox.ts'
import { isNoSandbox } from '../../core/rate-limited.ts'
import type { WorkspacePath } from '../../core/workspace-path.ts'
import {
  type Command,
  type CommandResult,
  INPUT_FILE,
  type LiveFollower,
  type LivePiece,
  type Runner,
} from '../../ports/runner.ts'
import { type RunOptions, type Sandbox, SandboxGone, SandboxNotThere } from '../../ports/sandbox.ts'
import type { KeepCommand, KeepEnd } from '../lasting/keep.ts'
import { LiveMask } from '../live/live-mask.ts'
import type { Mutex } from '../mutex.ts'
import type { Stopwatch } from '../stopwatch.ts'
import type { AnswerCall } from '../supervisor/call-reader.ts'
import type { Supervisor } from '../supervisor/supervisor.ts'
import type { ReportedFile } from '../sync/reported-file.ts'
import type { ChangeCollector } from './changed-files.ts'
import { endOf, notesOn, type Way } from './command-end.ts'
import { endCommand, endMarked, withinDeadline } from './end-command.ts'
import {
  type Captured,
  type Ended,
  MAX_INLINE_SCRIPT_CHARS,
  outputFiles,
  readEnd,
  type Unable,
  type Wrapped,
  wrap,
} from './exec-script.ts'
import { beforeCommand, NotBegun } from './not-begun.ts'
import type { Notices } from './notices.ts'
import { toOutput } from './output.ts'
import { NotStopped, type OverdueCommands } from './overdue.ts'
import { STATE_DIRECTORY } from './place.ts'
import { placeInput } from './place-input.ts'
import { fetchOutputs, fetchPrinted, NOTHING_PRINTED } from './printed.ts'
import type { CallContext, Ready, SessionSandbox } from './session-sandbox.ts'
import { Watchdog } from './watchdog.ts'

/** Trace of work in a sandbox: whether and where to look for changes. */
export interface Trace extends Pick<Ended, 'background' | 'changed' | 'watched'> {
  /** The one changed file, where the sandbox names it: then no listing is needed. */
  readonly file?: ReportedFile
}

/**
 * The `Runner` port for one call: commands in the session's sandbox, over its workspace. The supervisor there runs a command;
 * where it cannot, a process of the command's own does.
 */
export class SessionRunner implements Runner {
  readonly #sessionSandbox: SessionSandbox
  readonly #caller: CallContext
  readonly #mutex: Mutex
  readonly #callId: string
  readonly #env: Readonly<Record<string, string>>
  readonly #watch: Stopwatch
  readonly #cancel: AbortSignal
  readonly #used: () => void
  readonly #before: () => CallContext | null
  readonly #overdue: OverdueCommands
  readonly #supervisor: Supervisor
  readonly #live: LiveFollower | null
  readonly #keep: KeepCommand | null
  #commands = 0
  /** Stops the clock of the call's command. */
  #stopCounting = () => {}
  /** True once the call has done something: it cannot be refused any more. */
  #hasBegun = false

  constructor(parts: {
    readonly sessionSandbox: SessionSandbox
    readonly caller: CallContext
    readonly mutex: Mutex
    readonly callId: string
    readonly env: Readonly<Record<string, string>>
    readonly stopwatch: Stopwatch
    /** Aborts to end the command and its processes, as its deadline does. */
    readonly cancel: AbortSignal
    /** Notes that the call uses the sandbox, until it ends. */
    readonly used: () => void
    /** Context of work that outlives its call and may have written already; null while there is none. */
    readonly before: () => CallContext | null
    readonly overdue: OverdueCommands
    readonly supervisor: Supervisor
    /** Takes what commands for the call's client print while they run; left out where nobody follows the call. */
    readonly live?: LiveFollower
    /** Notes a command that outlives a restart; left out where none does. */
    readonly keep?: KeepCommand
  }) {
    this.#sessionSandbox = parts.sessionSandbox
    this.#caller = parts.caller
    this.#mutex = parts.mutex
    this.#callId = parts.callId
    this.#env = parts.env
    this.#watch = parts.stopwatch
    this.#cancel = parts.cancel
    this.#used = parts.used
    this.#before = parts.before
    this.#overdue = parts.overdue
    this.#supervisor = parts.supervisor
    this.#live = parts.live ?? null
    this.#keep = parts.keep ?? null
  }

  async run(command: Command): Promise<CommandResult> {
    const { maxChars } = command
    const { longestCommandMs } = this.#sessionSandbox
    const timeoutMs = Math.min(command.timeoutMs, longestCommandMs)
    // The input takes as long again at most.
    const neededMs = Math.max(command.awakeMs ?? 0, command.input ? 2 * timeoutMs : timeoutMs)
    const watchdog = new Watchdog(this.#cancel, command.answerMs)
    const attempt: Attempt = { ended: null, fetched: NOTHING_PRINTED, changes: null }
    const done = await this.within(neededMs, watchdog, (ready) =>
      this.#execute({ ...command, timeoutMs }, ready, watchdog, attempt),
    ).finally(() => attempt.changes?.close())
    const { logs, notices, notes } = done ?? {
      logs: attempt.ended?.logs,
      notices: this.lateNotices(attempt.ended !== null),
    }
    const changed = attempt.changes?.without(logs ? [logs.stdout, logs.stderr] : [])
    const { exitCode, stdout, stderr } = done?.ended ?? attempt.ended?.ended ?? (await attempt.fetched)
    const timedOut = done?.timedOut ?? true
    const secrets = command.secrets ?? []
    // What is taken over after the answer is not there yet.
    const kept = (log: WorkspacePath | undefined) => (done && log && !this.#hasFile(log) ? null : (log ?? null))
    return {
      exitCode: timedOut ? -1 : exitCode,
      stdout: toOutput(stdout, kept(logs?.stdout), secrets, maxChars),
      stderr: toOutput(stderr, kept(logs?.stderr), secrets, maxChars),
      timedOut,
      ...(changed && { changed }),
      ...(done && { ms: done.ms }),
      ...notices,
      notes: [...(timeoutMs < command.timeoutMs ? [cutTo(timeoutMs)] : []), ...(notes ?? []), ...notices.notes],
    }
  }

  /**
   * Runs `work` in the present sandbox, or in a new one when that turns out to be gone; then commits its changes. A sandbox that
   * the provider still knows may have ended by the first action of the work, so the work is not repeated then, unless it is a
   * command that was not sent.
   * @param watchdog deadline of the work, which starts it when its time begins
   * @returns null when the work has not ended soon after its deadline: it is ended after the answer
   * @throws FailureError as `Runner.run`
   */
  async within<T extends { readonly ended: Trace }>(
    timeoutMs: number,
    watchdog: Watchdog,
    work: (ready: Ready) => Promise<T>,
  ) {
    const whole = this.#whole(timeoutMs, watchdog, work)
    watchdog.onOver(() => this.#overdue.end(whole))
    const answered = await watchdog.untilAnswer(whole).finally(() => watchdog.stop())
    if (answered) return answered.value
    this.#stopCounting()
    // The next answer reports the outcome.
    const { notices } = this.#sessionSandbox
    whole.then(
      (done) => notices.add(done.notices),
      (thrown) =>
        notices.add({ notes: thrown instanceof FailureError ? [`${OVERDUE}: ${thrown.failure.message}`] : [] }),
    )
    this.#caller.signal.throwIfAborted()
    this.#cancel.throwIfAborted()
    return null
  }

  /**
   * Notes that the call's deadline came while its command runs in that sandbox.
   * @param isMarked whether all processes of the call have its mark
   */
  noteOverdue(sandbox: Sandbox, isMarked: boolean): void {
    this.#sessionSandbox.noteOverdue(sandbox, { callId: this.#callId, isMarked })
  }

  /**
   * Ends the call's processes in the sandbox, and lets our own stopped programs continue.
   * @throws NotStopped when that cannot be done from inside
   */
  async endMarked(sandbox: Sandbox): Promise<void> {
    const ending = { now: () => this.#watch.now(), signal: this.#caller.signal }
    const pid = this.#supervisor.pidIn(sandbox)
    if (!(await endMarked(sandbox, this.#callId, { pid }, ending))) throw new NotStopped()
    this.noteSettled()
  }

  /** Notes that no process of the call's command runs any more. */
  noteSettled(): void {
    this.#sessionSandbox.noteSettled(this.#callId)
  }

  /**
   * Notices for a call whose command is ended after its answer.
   * @param hasEnded whether only its changes are still to be committed
   */
  lateNotices(hasEnded = false): Notices & { readonly generation: number } {
    const { notes, ...notices } = this.#sessionSandbox.notices.take()
    const note = hasEnded ? TAKEN_OVER_LATER : ENDED_LATER
    return { ...notices, notes: [...notes, note], generation: this.#sessionSandbox.generation }
  }

  async #whole<T extends { readonly ended: Trace }>(
    timeoutMs: number,
    watchdog: Watchdog,
    work: (ready: Ready) => Promise<T>,
  ) {
    const stop = [this.#caller.signal, this.#cancel]
    const queuedSince = { at: this.#watch.now() }
    const begin = async () => {
      await this.#overdue.settled()
      return this.#begin(timeoutMs, queuedSince)
    }
    try {
      return await this.#sessionSandbox.using(timeoutMs + KILL_GRACE_MS, { stop, begin }, async (known) => {
        this.#hasBegun = true
        this.#used()
        const { ready, done } = await this.#inSandbox(known, timeoutMs, watchdog, work)
        const notices = await this.#undisturbed(ready, () => this.#takeOver(done.ended, ready, watchdog))
        this.#cancel.throwIfAborted()
        return { ...done, notices: { ...notices, generation: this.#sessionSandbox.generation } }
      })
    } catch (thrown) {
      if (isNoSandbox(thrown) && !this.#hasBegun) throw new RefusalError(thrown.failure, { cause: thrown })
      throw thrown
    }
  }

  async #inSandbox<T>(known: Ready, timeoutMs: number, watchdog: Watchdog, work: (ready: Ready) => Promise<T>) {
    const first = await this.#undisturbed(known, () => this.#doIfThere(known, watchdog, work))
    if (first) return { ready: known, done: first.done }
    const neededMs = timeoutMs + KILL_GRACE_MS
    const stop = [this.#caller.signal, this.#cancel]
    const ready = await this.#sessionSandbox.replacing(neededMs, stop, () =>
      this.#begin(timeoutMs, { at: this.#watch.now() }),
    )
    return { ready, done: await this.#undisturbed(ready, () => this.#counted(ready, work)) }
  }

  /** Does the work if the sandbox is there. @returns null when it was gone; it is discarded then */
  async #doIfThere<T>(ready: Ready, watchdog: Watchdog, work: (ready: Ready) => Promise<T>) {
    try {
      return { done: await this.#counted(ready, work) }
    } catch (thrown) {
      // Work that was answered already is not repeated.
      const isAnew = thrown instanceof SandboxNotThere && !watchdog.isOver
      if (!isAnew) throw thrown
      const isKnown = await this.#discard(ready.sandbox, thrown)
      if (isKnown && !(thrown instanceof NotBegun)) throw thrown
      return null
    }
  }

  /**
   * Prepares the sandbox for a command, which counts as running from the moment that the mutex is free again.
   * @param queuedSince start of the wait for the sandbox
   */
  async #begin(timeoutMs: number, queuedSince: { at: number }): Promise<Ready> {
    return this.#mutex.run(async () => {
      this.#watch.add('queued', this.#watch.now() - queuedSince.at)
      queuedSince.at = this.#watch.now()
      await this.#lookBefore()
      const ready = await this.#sessionSandbox.ready(timeoutMs + KILL_GRACE_MS, this.#caller)
      this.#watch.add('boot', ready.bootMs)
      this.#watch.add('sync', ready.syncMs)
      this.#watch.ranOn(ready.cold ? 'vm-cold' : 'vm-warm')
      this.#sessionSandbox.commands.count += 1
      return ready
    })
  }

  /** Commits what work beside the call wrote before it: at the call's end that would count as the call's own. */
  async #lookBefore(): Promise<void> {
    const author = this.#before()
    if (!author) return
    const start = this.#watch.now()
    try {
      await this.#sessionSandbox.pull(author)
    } catch (thrown) {
      // The command may mend what keeps the files from being read; the look at its end says so where it does not.
      if (thrown instanceof SandboxGone) await this.#sessionSandbox.discard(author)
    }
    this.#watch.add('sync', this.#watch.now() - start)
  }

  async #counted<T>(ready: Ready, work: (ready: Ready) => Promise<T>): Promise<T> {
    let start: number | null = this.#watch.now()
    const count = () => {
      if (start !== null) this.#watch.add('exec', this.#watch.now() - start)
      start = null
    }
    this.#stopCounting = count
    try {
      return await work(ready)
    } finally {
      this.#sessionSandbox.commands.count -= 1
      count()
    }
  }

  async #execute(command: Command, ready: Ready, watchdog: Watchdog, attempt: Attempt) {
    const { timeoutMs } = command
    const { sandbox } = ready
    attempt.changes ??= this.#sessionSandbox.changes.open(this.#sessionSandbox.unsettled)
    const callId = this.#commands === 0 ? this.#callId : `${this.#callId}-${this.#commands}`
    this.#commands += 1
    let left = 0
    try {
      const wrapped = await beforeCommand(this.#wrapped(command, callId, ready))
      const { input } = command
      const stop = [this.#caller.signal, this.#cancel]
      if (input) await beforeCommand(placeInput(input, sandbox, inputFile(callId), stop))
      const env = { ...this.#env, ...command.env, ...(input && { [INPUT_FILE]: inputFile(callId) }) }
      watchdog.onOver(() => {
        this.noteOverdue(sandbox, true)
        attempt.fetched = fetchPrinted(sandbox, callId, () => attempt.ended !== null)
      })
      watchdog.start(timeoutMs)
      const began = this.#watch.now()
      const way: Way = { isSupervised: true, wasLost: false }
      const follower = command.isShown ? this.#live : null
      const live = follower && new LiveMask(command.secrets ?? [], follower.print)
      const calls = command.calls && this.#calls(command.calls, sandbox)
      const kept = this.#keep?.(wrapped, command, sandbox)
      const follow = live && { live: { ...follower, print: (piece: LivePiece) => live.write(piece) } }
      const terms = { env, timeoutMs, ...follow, ...(calls && { calls }), ...(kept && { kept }) }
      const running = withAnySignal([this.#caller.signal, watchdog.signal], (signal) =>
        this.#running(sandbox, wrapped, { ...terms, signal }, way).finally(() => live?.end()),
      )
      const report = (await watchdog.untilDeadline(running)) ?? 'late'
      const ms = this.#watch.now() - began
      if (report === 'late') watchdog.expire()
      else if (report !== 'killed') watchdog.stop()
      const isEnd = report !== 'late' && report !== 'killed'
      const all = isEnd ? report : await this.#wrapUp(sandbox, wrapped, way)
      this.noteSettled()
      const ended = endOf(all, wrapped)
      left = sizeOf(ended.stdout) + sizeOf(ended.stderr)
      attempt.ended = { ended, logs: wrapped.logs }
      return { ended, timedOut: report === 'late', ms, logs: wrapped.logs, notes: notesOn(ended, isEnd, way) }
    } finally {
      const input = command.input ? [inputFile(callId)] : []
      this.#sessionSandbox.commands.leave([...outputFiles(callId), scriptFile(callId), ...input], left)
    }
  }

  /**
   * Runs a command by the supervisor; where there is none, or it was lost before the command began, by a process of its own.
   * @returns `late` at the deadline, `killed` when the command's shell was killed
   */
  async #running(
    sandbox: Sandbox,
    wrapped: Wrapped,
    terms: Terms,
    way: Way,
  ): Promise<Ended | Unable | 'late' | 'killed'> {
    const by = await this.#supervisor.run(sandbox, wrapped, terms)
    if (by !== 'lost' && by !== 'elsewhere') return by
    // The connection ended with the sandbox, or was for the next one.
    if (!this.#sessionSandbox.isCurrent(sandbox)) throw new SandboxGone('the sandbox was given up while this ran')
    const end = by === 'lost' ? await this.#endLost(sandbox, wrapped) : 'unbegun'
    way.wasLost = end !== 'unbegun'
    if (end !== 'unbegun') return end
    terms.signal.throwIfAborted()
    way.isSupervised = false
    const printed = await withinDeadline(sandbox.run(wrap(wrapped), terms))
    return printed ? (readEnd(printed, wrapped) ?? 'killed') : 'late'
  }

  async #wrapped(
    { script, cwd, label, secrets = [], maxChars }: Command,
    callId: string,
    { sandbox, state }: Ready,
  ): Promise<Wrapped> {
    const isLong = script.length > MAX_INLINE_SCRIPT_CHARS
    if (isLong) {
      const content = new TextEncoder().encode(script)
      await sandbox.write([{ path: scriptFile(callId), content }], this.#caller.signal)
    }
    return {
      callId,
      script: isLong ? { file: scriptFile(callId) } : script,
      cwd,
      // A whole output may hold a secret, so it is kept only for commands without secrets.
      logs:
        secrets.length > 0
          ? null
          : { stdout: logFile(label, callId, 'stdout'), stderr: logFile(label, callId, 'stderr') },
      keptAboveBytes: Math.min(maxChars ?? MAX_OUTPUT_BYTES, MAX_OUTPUT_BYTES),
      watchPort: state.watchPort,
      watched: state.watched,
      sweep: this.#sessionSandbox.commands.takeSweep(),
    }
  }

  /** Answers calls of a command's program, with whether the workspace has the files as they were then. */
  #calls(calls: NonNullable<Command['calls']>, sandbox: Sandbox): AnswerCall {
    return (line, watched) => calls(line, () => watched !== null && this.#sessionSandbox.hasTakenOver(sandbox, watched))
  }

  /** False for a whole output that the sandbox could not keep, or did not because others wrote into it. */
  #hasFile(path: WorkspacePath): boolean {
    return this.#caller.workspace.stat(path)?.kind === 'file'
  }

  /** Ends a command past its deadline or with a killed shell: from inside, and if that fails with its sandbox. */
  async #wrapUp(sandbox: Sandbox, wrapped: Wrapped, { isSupervised }: Way): Promise<Ended | Unable> {
    const ending = { now: () => this.#watch.now(), signal: this.#caller.signal }
    const by = isSupervised ? { pid: this.#supervisor.pidIn(sandbox) } : null
    return (await endCommand(sandbox, wrapped, by, ending)) ?? this.#salvage(sandbox, wrapped.callId)
  }

  /** Ends a command whose supervisor was lost. @throws SandboxGone when nothing in the sandbox could end it */
  async #endLost(sandbox: Sandbox, wrapped: Wrapped): Promise<Ended | Unable> {
    const ending = { now: () => this.#watch.now(), signal: this.#caller.signal }
    const by = { pid: this.#supervisor.pidIn(sandbox) }
    const end = await endCommand(sandbox, wrapped, by, ending)
    if (!end) throw new SandboxGone('the sandbox ended while this ran, or runs no more processes')
    return end
  }

  /** Fetches the output of a command that nothing in the sandbox could end, and ends the sandbox. */
  async #salvage(sandbox: Sandbox, callId: string): Promise<Ended> {
    const { stdout, stderr } = await fetchOutputs(sandbox, callId)
    const kept = await this.#discard(sandbox, new NotStopped())
    this.#sessionSandbox.notices.add({ notes: [`${UNSTOPPABLE}; ${filesAre(kept)}`] })
    return { exitCode: 137, stdout, stderr, background: false, changed: false }
  }

  /** Commits the command's changes, and takes the notices for its caller. */
  async #takeOver(ended: Trace, { sandbox }: Ready, { isOver }: Watchdog): Promise<Notices> {
    const sessionSandbox = this.#sessionSandbox
    if (ended.background) sessionSandbox.markDirty()
    if (!isOver) await this.#overdue.settled()
    // A command beside it is looked at when it ends, or when somebody asks for files.
    const isTaken = () =>
      !sessionSandbox.unsettled && sessionSandbox.overdue.length === 0 && !this.#hasChanged(ended, sandbox)
    if (isTaken()) return sessionSandbox.notices.take()
    const start = this.#watch.now()
    try {
      return await this.#mutex.run(async () => {
        if (isTaken()) return sessionSandbox.notices.take()
        if (sessionSandbox.isCurrent(sandbox)) await sessionSandbox.pull(this.#caller, ended.file)
        else if (ended.changed) throw new SandboxGone('the sandbox was given up before its files were taken over')
        return sessionSandbox.notices.take()
      })
    } finally {
      this.#watch.add('sync', this.#watch.now() - start)
    }
  }

  /**
   * Whether changes may be uncommitted: false when those until the end of a command were committed, maybe with those of
   * another one.
   */
  #hasChanged({ changed, watched }: Trace, sandbox: Sandbox): boolean {
    return changed && !(watched !== undefined && this.#sessionSandbox.hasTakenOver(sandbox, watched))
  }

  /** Runs `work`. After a failure its changes are unknown: the sandbox is marked dirty, or discarded where it is gone. */
  async #undisturbed<T>({ sandbox }: Ready, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (cause) {
      if (!(cause instanceof SandboxGone)) {
        if (this.#sessionSandbox.isCurrent(sandbox)) this.#sessionSandbox.markDirty()
        throw cause
      }
      const kept = await this.#discard(sandbox, cause)
      const why =
        cause instanceof NotStopped ? UNSTOPPABLE : (this.#sessionSandbox.whyDiscarded(sandbox) ?? cause.message)
      return fail(
        'upstream',
        `${why}; ${filesAre(kept)}. Call again: a new sandbox is made, with the files and packages put back`,
        { cause },
      )
    }
  }

  /**
   * Discards the sandbox, unless another call did and there is a new one already. Not to be called in the mutex.
   * @returns whether its files were saved
   */
  #discard(sandbox: Sandbox, cause: SandboxGone): Promise<boolean> {
    const why = cause instanceof NotStopped ? cause.message : null
    return this.#mutex.run(() => this.#sessionSandbox.discard(this.#caller, sandbox.id, why))
  }
}

/** State of a command while it runs. */
type Terms = Pick<RunOptions, 'timeoutMs' | 'signal'> & {
  readonly env: Readonly<Record<string, string>>
  readonly calls?: AnswerCall
  readonly kept?: KeepEnd
}

interface Attempt {
  /** Null until it has ended, or was ended. */
  ended: { readonly ended: Ended; readonly logs: Wrapped['logs'] } | null
  /** Files that change while the command runs; null until it begins. */
  changes: ChangeCollector | null
  /** Output at the deadline, as far as that could be fetched. */
  fetched: ReturnType<typeof fetchOutputs>
}

/** Size of an output; a large one that was not measured counts as the largest. */
const sizeOf = ({ bytes, isPart }: Captured) => (isPart ? MAX_OUTPUT_FILE_BYTES : bytes)

const UNSTOPPABLE = 'the command could not be stopped, so its sandbox was ended, with all that ran in it'
const OVERDUE = 'a command that ran into its deadline'
const TAKEN_OVER_LATER =
  'the files that the command changed are taken over after this answer; the next call waits for that'
const ENDED_LATER =
  'the command had not ended when this was answered: it is ended now, and the next call waits for that; what it wrote is kept'

const cutTo = (timeoutMs: number) =>
  `timeout was cut to ${Math.floor(timeoutMs / 1_000)} seconds: a sandbox of this server runs no longer at a time`

const filesAre = (kept: boolean) => (kept ? 'what it wrote is kept' : 'files are kept as of the last call')

const inputFile = (callId: string) => `${STATE_DIRECTORY}/${callId}.in`
const scriptFile = (callId: string) => `${STATE_DIRECTORY}/${callId}.sh`
const logFile = (label: string, callId: string, channel: string) =>
  `logs/${label}-${callId}.${channel}.txt` as WorkspacePath
