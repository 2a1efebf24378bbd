import { FailureError, toFailure } from '../../core/failure.ts'
import { JOB_LOOK_WAIT_MS, JOB_STOP_MS } from '../../core/limits/jobs.ts'
import { KILL_GRACE_MS } from '../../core/limits/sandbox.ts'
import { SANDBOX_SCRIPT_MS } from '../../core/limits/sync.ts'
import type { Outcome } from '../../core/outcome.ts'
import { type Sandbox, SandboxGone, SandboxNotThere } from '../../ports/sandbox.ts'
import type { Sql } from '../../ports/sql.ts'
import type { Registry } from '../../tools/registry.ts'
import type { CallLedger } from '../call-ledger.ts'
import type { Mutex } from '../mutex.ts'
import type { RunningCalls } from '../running-calls.ts'
import type { ChangeCollector } from '../sandbox/changed-files.ts'
import { killScript } from '../sandbox/exec-script.ts'
import type { Notices } from '../sandbox/notices.ts'
import { isOutOfReach } from '../sandbox/out-of-reach.ts'
import type { OverdueCommands } from '../sandbox/overdue.ts'
import type { CallContext, SessionSandbox } from '../sandbox/session-sandbox.ts'
import type { WorkEnds } from '../work-ends.ts'
import { Attempts } from './attempts.ts'
import { type KeptEnd, keptFile, keptScript, readKept } from './kept-end.ts'
import { resultOfKept } from './kept-result.ts'
import { type LastingCommand, LastingStore } from './lasting-store.ts'

interface Parts {
  readonly sql: Sql
  readonly sessionSandbox: SessionSandbox
  readonly mutex: Mutex
  readonly overdue: OverdueCommands
  readonly running: RunningCalls
  readonly registry: Pick<Registry, 'answererOf'>
  readonly caller: (callId: string) => CallContext
  readonly now: () => number
  readonly ledger: Pick<CallLedger, 'goOn'>
  readonly ends: Pick<WorkEnds, 'ofCutOff'>
  readonly logError: (thrown: unknown) => void
}

interface CutOff {
  readonly command: LastingCommand
  readonly cancel: AbortController
  readonly changes: ChangeCollector
  /** The look under way, which all that ask for one share. */
  look: Promise<void> | null
  /** Attempts to fetch its files. */
  readonly tries: Attempts
  /** Looks in a row that its sandbox did not take. */
  readonly refusals: Attempts
}

/** Attempts to fetch the files of an ended command, which may have made its directory unreadable. */
const MAX_TRIES = 5
/** Looks in a row that a sandbox refuses, e.g. without room for another process, before it is given up. */
const MAX_REFUSALS = 4
/** Shortest time of a look for which somebody waits, where the command has not ended after it. */
const RETRY_MS = 1_000

/**
 * Commands that a restart of the session's object cut off from their calls: they go on in the sandbox, where their supervisor keeps their
 * ends. Requests for these calls look at them, otherwise the alarm does; each ends with the answer that its call would have had.
 */
export class CutOffCommands {
  readonly #parts: Parts
  readonly #store: LastingStore
  readonly #commands = new Map<string, CutOff>()

  constructor(parts: Parts) {
    this.#parts = parts
    this.#store = new LastingStore(parts.sql)
    const { sessionSandbox, running } = parts
    for (const command of this.#store.all()) {
      const cancel = new AbortController()
      const changes = sessionSandbox.changes.open(sessionSandbox.unsettled)
      const one: CutOff = { command, cancel, changes, look: null, tries: new Attempts(), refusals: new Attempts() }
      this.#commands.set(command.callId, one)
      running.begin(command.callId, cancel)
      running.noteSandbox(command.callId, null, false)
      sessionSandbox.commands.count += 1
      sessionSandbox.notices.add({ notes: [cutOff(command.callId)] })
      cancel.signal.addEventListener('abort', () => void this.#cancel(one).catch(parts.logError))
    }
    parts.ledger.goOn(this.ids)
  }

  /** Ids of the calls. */
  get ids(): string[] {
    return [...this.#commands.keys()]
  }

  has(callId: string): boolean {
    return this.#commands.has(callId)
  }

  /** Looks at the command of a call, if there is one, and waits for its end at most so long. */
  async look(callId: string, waitMs: number): Promise<void> {
    const one = this.#commands.get(callId)
    if (!one) return
    one.look ??= this.#tryLook(one, Math.min(waitMs, JOB_LOOK_WAIT_MS)).finally(() => {
      one.look = null
    })
    await one.look
  }

  /** Looks at all commands once. */
  async keepUp(): Promise<void> {
    for (const id of this.ids) await this.look(id, 0)
  }

  async #tryLook(one: CutOff, waitMs: number): Promise<void> {
    const { caller, now, running, logError } = this.#parts
    const { callId } = one.command
    const { signal } = caller(callId)
    const began = now()
    try {
      await this.#lookOnce(one, waitMs, signal)
    } catch (thrown) {
      // The session was deleted, with everything about the command. A provider that cannot be asked is asked again.
      if (signal.aborted) return
      logError(thrown)
    }
    const pause = Math.min(waitMs, RETRY_MS)
    if (this.has(callId) && now() - began < pause) await running.nextEnd(pause)
  }

  async #lookOnce(one: CutOff, waitMs: number, signal: AbortSignal): Promise<void> {
    const { command } = one
    const kept = await this.#kept(one, waitMs, signal)
    // Its supervisor ends it at its deadline.
    if (kept === 'running' && !this.#isOverdue(command)) return
    const isKnown = kept !== null && kept !== 'running'
    if (!isKnown || kept.isLate) await this.#kill(one)
    if (isKnown) await this.#finish(one, kept)
    else this.#lose(one)
  }

  /** Whether a command is past the time at which its supervisor should have ended it. */
  #isOverdue({ deadlineAt }: LastingCommand): boolean {
    return this.#parts.now() > deadlineAt + JOB_STOP_MS
  }

  /** The command's end in its sandbox. @returns null when nobody knows it any more, or it cannot be had though it is overdue */
  async #kept(one: CutOff, waitMs: number, signal: AbortSignal): Promise<KeptEnd | 'running' | null> {
    const { command, refusals } = one
    const { now, logError } = this.#parts
    try {
      const sandbox = await this.#sandboxOf(command, signal)
      if (!sandbox) return null
      const timeoutMs = waitMs + SANDBOX_SCRIPT_MS
      const { stdout, exitCode } = await sandbox.run(keptScript(command.id, waitMs), { timeoutMs, signal })
      if (exitCode !== 0) throw new SandboxGone('the sandbox did not carry out a look at a command')
      refusals.reset()
      return readKept(stdout)
    } catch (thrown) {
      if (signal.aborted || isOutOfReach(thrown)) throw thrown
      const isOverdue = this.#isOverdue(command)
      if (!(thrown instanceof SandboxGone)) {
        // The command may have made the look fail.
        if (!isOverdue) throw thrown
        logError(thrown)
        return null
      }
      // A sandbox that is only busy has room again later.
      const isGone = thrown instanceof SandboxNotThere || isOverdue || refusals.count(now()) >= MAX_REFUSALS
      if (!isGone) throw thrown
      await this.#discard(command)
      return null
    }
  }

  async #sandboxOf({ sandboxId }: LastingCommand, signal: AbortSignal): Promise<Sandbox | null> {
    const { mutex, sessionSandbox, overdue } = this.#parts
    await overdue.settled()
    const neededMs = JOB_LOOK_WAIT_MS + SANDBOX_SCRIPT_MS + KILL_GRACE_MS
    return mutex.run(() => sessionSandbox.reach(sandboxId, neededMs, signal))
  }

  /** Fetches the command's files, and ends its call with the answer that it would have had. */
  async #finish(one: CutOff, kept: KeptEnd): Promise<void> {
    const { command } = one
    const { sessionSandbox, caller, registry, logError, now } = this.#parts
    if (!this.#commands.has(command.callId)) return
    if (!(await this.#takeOver(one, kept))) return
    const { workspace } = caller(command.callId)
    const { logs } = command
    const result = resultOfKept(command, kept, {
      workspace,
      changed: one.changes.without(logs ? [logs.stdout, logs.stderr] : []),
      notices: this.#noticesFor(command),
      generation: sessionSandbox.generation,
    })
    const ranMs = Math.min(kept.ms, now() - command.startedAt)
    try {
      one.cancel.signal.throwIfAborted()
      const answer = registry.answererOf(command.tool)
      if (!answer) return this.#lose(one)
      this.#end(one, { kind: 'done', result: answer(command.answer, result, { workspace }) }, ranMs)
    } catch (thrown) {
      if (!(thrown instanceof FailureError)) logError(thrown)
      this.#end(one, { kind: 'failed', failure: toFailure(thrown) }, ranMs)
    }
  }

  /** Takes the notices for an answer. That it was cut off is for the next call: nobody waits for this answer. */
  #noticesFor({ callId }: LastingCommand): Notices {
    const { notices } = this.#parts.sessionSandbox
    const taken = notices.take()
    const own = cutOff(callId)
    if (taken.notes.includes(own)) notices.add({ notes: [own] })
    return { ...taken, notes: taken.notes.filter((note) => note !== own) }
  }

  /** Takes the command's files over. @returns false where that must be tried again; the last attempt gives up */
  async #takeOver({ command, tries }: CutOff, { ended }: KeptEnd): Promise<boolean> {
    const { mutex, sessionSandbox, caller, now, logError } = this.#parts
    const isLast = tries.count(now()) >= MAX_TRIES
    if (ended.background) sessionSandbox.markDirty()
    try {
      await mutex.run(() => sessionSandbox.pull(caller(command.callId)))
      return true
    } catch (thrown) {
      if (caller(command.callId).signal.aborted) return false
      if (thrown instanceof SandboxGone) await this.#discard(command)
      else logError(thrown)
      if (isLast) this.#markUnseen(command)
      return thrown instanceof SandboxGone || isLast
    }
  }

  /** Ends a command on request, and its call with the reason. */
  async #cancel(one: CutOff): Promise<void> {
    const { callId } = one.command
    if (this.#parts.caller(callId).signal.aborted) return
    await this.#kill(one)
    // A look under way may have begun before.
    await one.look
    await this.look(callId, JOB_STOP_MS)
    this.#lose(one)
  }

  /** Ends what runs of a command, by its mark. Where that fails its call ends all the same. */
  async #kill({ command }: CutOff): Promise<void> {
    const { caller, logError } = this.#parts
    const { signal } = caller(command.callId)
    try {
      const sandbox = await this.#sandboxOf(command, signal)
      await sandbox?.run(killScript(command.id), { timeoutMs: KILL_GRACE_MS, signal })
    } catch (thrown) {
      signal.throwIfAborted()
      if (!(thrown instanceof SandboxGone)) logError(thrown)
    }
  }

  /** Ends the call of a command whose end nobody knows: with the reason, where it was cancelled. */
  #lose(one: CutOff): void {
    if (!this.has(one.command.callId)) return
    const { aborted, reason } = one.cancel.signal
    this.#markUnseen(one.command)
    this.#end(one, aborted ? { kind: 'failed', failure: toFailure(reason) } : null, this.#ranMs(one))
  }

  /** Notes that the workspace may lack what a command wrote: as one that runs no more, nobody would look for it. */
  #markUnseen({ sandboxId }: LastingCommand): void {
    const { sessionSandbox } = this.#parts
    if (sessionSandbox.sandboxId === sandboxId) sessionSandbox.markDirty()
  }

  #ranMs({ command: { startedAt, deadlineAt } }: CutOff): number {
    return Math.max(0, Math.min(this.#parts.now(), deadlineAt) - startedAt)
  }

  #end({ command, changes }: CutOff, outcome: Outcome | null, ranMs: number): void {
    const { sessionSandbox, running, ends } = this.#parts
    const { callId } = command
    if (!this.#commands.has(callId)) return
    // On a full disk this throws, and is tried again.
    ends.ofCutOff(command, outcome, ranMs)
    this.#store.remove(callId)
    this.#commands.delete(callId)
    changes.close()
    sessionSandbox.commands.count -= 1
    sessionSandbox.commands.leave([keptFile(command.id)], 0)
    running.end(callId)
  }

  #discard({ callId, sandboxId }: LastingCommand): Promise<boolean> {
    const { mutex, sessionSandbox, caller } = this.#parts
    return mutex.run(() => sessionSandbox.discard(caller(callId), sandboxId))
  }
}

const cutOff = (callId: string) =>
  `a restart of the server cut ${callId} off from its client, not its command: that goes on to its end, and its answer is then in the history of calls`
