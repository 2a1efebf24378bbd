import { DISK_FULL } from '../core/disk-full.ts'
import { FailureError, failureWith, RefusalError, toFailure } from '../core/failure.ts'
import type { CallKey } from '../core/idempotency.ts'
import { newCallId } from '../core/ids.ts'
import { MAX_ANSWER_CHARS } from '../core/limits/answers.ts'
import { MAX_ANSWERED_FILES } from '../core/limits/calls.ts'
import { MAX_HELD_CALLS } from '../core/limits/disk.ts'
import { SESSION_IDLE_MS } from '../core/limits/sessions.ts'
import type { CallFiles, Outcome, ToolCall } from '../core/outcome.ts'
import type { SentCall, UnchangedFile } from '../core/packed-call.ts'
import { SESSION, say } from '../core/saying/saying.ts'
import type { SessionState } from '../core/session-settings.ts'
import type { OutsidePorts } from '../ports/index.ts'
import { SandboxGone, type SandboxHost } from '../ports/sandbox.ts'
import type { SandboxLeases } from '../ports/sandbox-leases.ts'
import type { Secrets } from '../ports/secrets.ts'
import type { Sql } from '../ports/sql.ts'
import type { Caller, TenantApi } from '../tenant/api.ts'
import { isLong } from '../tools/define.ts'
import type { PreparedCall, Registry } from '../tools/registry.ts'
import type { SyncedWorkspace } from '../workspace/synced.ts'
import { Accounting } from './accounting.ts'
import { mayCallBuiltIn, refuseTool } from './allowed-tools.ts'
import type { Begun } from './api.ts'
import { type BeginNote, BeginNotes } from './begin-note.ts'
import type { BegunCall } from './begun/begun-call.ts'
import { BegunCalls } from './begun/begun-calls.ts'
import type { CallAccount } from './call-account.ts'
import { CallLedger } from './call-ledger.ts'
import { callPorts, type PortMakers } from './call-ports.ts'
import type { OuterCall } from './call-scope.ts'
import { SessionCircuits } from './circuits.ts'
import { ConsolePorts } from './consoles/console-ports.ts'
import { FilePorts } from './file-ports.ts'
import { requireUnchanged } from './files/conditions.ts'
import { History } from './history.ts'
import { SessionJobs } from './jobs/jobs.ts'
import { Mutex } from './mutex.ts'
import { SessionNotes } from './notes.ts'
import { OwnerAdvice } from './owner-advice.ts'
import { SessionPeople } from './people.ts'
import { pythonLink } from './python/link.ts'
import { PythonPorts } from './python/python-ports.ts'
import { QuietSandbox } from './quiet-sandbox.ts'
import type { ResidentLink } from './resident/link.ts'
import type { Room } from './room.ts'
import { RunnerPorts } from './runner-ports.ts'
import { RunningCalls } from './running-calls.ts'
import { OverdueCommands } from './sandbox/overdue.ts'
import { SandboxLease } from './sandbox/sandbox-lease.ts'
import type { SessionSpares } from './sandbox/sandbox-source.ts'
import { type CallContext, SessionSandbox } from './sandbox/session-sandbox.ts'
import { SandboxPorts } from './sandbox-ports.ts'
import { Scheduler } from './scheduler.ts'
import { SessionCalls } from './session-calls.ts'
import { SessionFiles } from './session-files.ts'
import { SessionLinks } from './session-links.ts'
import { SessionLogs } from './session-logs.ts'
import { Stopwatch } from './stopwatch.ts'
import { supervisorLink } from './supervisor/link.ts'
import { Supervisor } from './supervisor/supervisor.ts'
import type { toolSources } from './toolbox/sources.ts'
import { SessionToolbox } from './toolbox/toolbox.ts'

export interface SessionParts {
  readonly sql: Sql
  readonly registry: Registry
  /** The workspace, whose history names that call as the author of commits. */
  readonly workspace: (callId: string) => SyncedWorkspace
  readonly host: SandboxHost
  /** Leases of running sandboxes, and the session's name there. */
  readonly leases: SandboxLeases
  readonly holder: string
  /** Spare sandboxes of the deployment. */
  readonly spares: SessionSpares
  /** Time without a call after which the sandbox is paused, and for which a call waits for one, in milliseconds. */
  readonly quietMs: number
  readonly waitMs: number
  readonly outside: OutsidePorts
  /** Secrets of the session's tenant. */
  readonly secrets: Secrets
  /** The session's name and node id, and its tenant's registered tools. */
  readonly name: string
  readonly node: string
  /** Time of creation, in milliseconds since 1970. */
  readonly createdAt: number
  /** Whether the next sandbox may reach the internet; true when left out. */
  readonly internet?: () => boolean
  readonly tenant: Pick<TenantApi, 'calls' | 'tools' | 'audit'>
  /** Environment of every command in the sandbox, e.g. which package index pip asks. */
  readonly env: Readonly<Record<string, string>>
  /** Labels for people who look at the account of the sandbox provider. */
  readonly labels: Readonly<Record<string, string>>
  readonly now: () => number
  /** Sources of the session's own tools; those of `sources.ts` when left out. */
  readonly sources?: typeof toolSources
  /** Room on the disk of the session's database; `sql` is read-only while there is none. */
  readonly room: Pick<Room, 'look' | 'require'>
  /** Has contents sent to the blob store in a while. */
  readonly flushSoon: () => Promise<void>
  /** Unforeseen errors go to our own logs and nowhere else. */
  readonly logError: (thrown: unknown) => void
  /** Reports to the operator how to mend a failure; callers never see this. */
  readonly tellOwner: (advice: string) => void
}

/** Logic of a session, free of Workers types: runs tool calls over its workspace and its sandbox, and keeps their history. */
export class Session {
  readonly people: SessionPeople
  readonly accounting: Accounting
  readonly toolbox: SessionToolbox
  readonly quiet: QuietSandbox
  readonly files: SessionFiles
  readonly links: SessionLinks
  readonly calls: SessionCalls
  /** The session's log files, for its workspace. */
  readonly logs: SessionLogs
  readonly #parts: SessionParts
  readonly #history: History
  readonly #ledger: CallLedger
  readonly #sessionSandbox: SessionSandbox
  readonly #mutex = new Mutex()
  readonly #ended = new AbortController()
  readonly #overdue: OverdueCommands
  readonly #jobs: SessionJobs
  readonly #python: ResidentLink
  readonly #supervisorLink: ResidentLink
  readonly #running = new RunningCalls()
  /** Calls that go on without their callers. */
  readonly begun: BegunCalls
  readonly #scheduler: Scheduler
  readonly #portMakers: PortMakers
  readonly #beginNotes: BeginNotes
  readonly #advice: OwnerAdvice
  #lastUsed: number
  /** Ids of continuing calls, while the calls that a restart cut off could not be noted as lost on a full disk; else null. */
  #goingOn: readonly string[] | null = null

  constructor(parts: SessionParts) {
    this.#parts = parts
    this.#advice = new OwnerAdvice(parts.tellOwner)
    this.#history = new History(parts.sql, () => this.accounting.outbox.forgetHeard())
    this.#ledger = new CallLedger(parts.sql)
    this.logs = new SessionLogs({ ...parts, history: this.#history })
    this.#supervisorLink = supervisorLink(parts.sql, parts.env)
    this.#sessionSandbox = new SessionSandbox({
      hasSupervisor: (sandboxId, pid) => this.#supervisorLink.adopt(sandboxId, pid),
      ...parts,
      lease: new SandboxLease(parts),
    })
    const shared = {
      ...parts,
      sessionSandbox: this.#sessionSandbox,
      mutex: this.#mutex,
      caller: (id: string) => this.#caller(id),
    }
    this.#overdue = new OverdueCommands(shared)
    this.#beginNotes = new BeginNotes(NOTE_AFTER_MS, parts.now)
    this.people = new SessionPeople(parts)
    this.#python = pythonLink(parts.sql, parts.env)
    this.#jobs = new SessionJobs({
      ...shared,
      overdue: this.#overdue,
      readerOf: (tool) => parts.registry.readerOf(tool),
      ended: (callId, ended, ranMs) => {
        const outcome: Outcome =
          'result' in ended ? { kind: 'done', ...ended } : { kind: 'failed', failure: ended.failure }
        this.#history.settle(callId, outcome, parts.now())
        this.accounting.workEnded(callId, outcome, ranMs)
        this.#lastUsed = parts.now()
      },
    })
    this.begun = new BegunCalls(parts)
    this.calls = new SessionCalls({
      history: this.#history,
      jobs: this.#jobs,
      running: this.#running,
      begun: this.begun,
    })
    const goingOn = this.#jobs.runningIds()
    this.accounting = new Accounting({ ...parts, session: parts.name }, goingOn)
    this.quiet = new QuietSandbox({
      ...shared,
      running: this.#running,
      lastUsed: () => this.lastUsed,
    })
    this.toolbox = new SessionToolbox({
      ...parts,
      session: parts.name,
      outbox: this.accounting.outbox,
      admission: this.accounting.admission,
      isRemoved: () => this.#ended.signal.aborted,
      call: (call, by, outer) => this.call(call, by, outer),
    })
    this.#scheduler = new Scheduler({ ...shared, overdue: this.#overdue })
    this.files = new SessionFiles({ ...parts, scheduler: this.#scheduler, ended: this.#ended.signal })
    this.links = new SessionLinks(parts)
    this.#portMakers = this.#makePorts()
    if (parts.sql.isReadOnly) this.#goingOn = goingOn
    else this.#loseRunning(goingOn)
    this.#lastUsed = this.#history.lastUsed() ?? parts.createdAt
  }

  #makePorts(): PortMakers {
    const { outside, secrets, sql, env, now, workspace } = this.#parts
    const ofSandbox = { sessionSandbox: this.#sessionSandbox, mutex: this.#mutex, env, now, ended: this.#ended.signal }
    const supervisor = new Supervisor(this.#supervisorLink, now)
    return {
      common: {
        ...outside,
        secrets,
        circuits: new SessionCircuits(now),
        clock: { now },
        notes: new SessionNotes(sql),
        people: this.people,
        packages: { installed: (specs) => this.#sessionSandbox.packages.add(specs) },
      },
      files: new FilePorts(workspace, this.#scheduler),
      sandbox: new SandboxPorts({
        context: (callId, known) => this.#caller(callId, known),
        runners: new RunnerPorts({ ...ofSandbox, overdue: this.#overdue, supervisor, running: this.#running }),
        consoles: new ConsolePorts({ ...ofSandbox, link: this.#supervisorLink }),
        python: new PythonPorts({ ...ofSandbox, link: this.#python }),
        jobs: this.#jobs,
        now,
      }),
      toolbox: this.toolbox,
    }
  }

  #loseRunning(goingOn: readonly string[]): void {
    // Work that a crash cut off may have continued in the sandbox.
    if (this.#history.loseRunning(goingOn) > 0) this.#sessionSandbox.markDirty()
  }

  /** Time when a call last began or ended, in milliseconds since 1970. */
  get lastUsed(): number {
    return this.#sessionSandbox.commands.count > 0 ? this.#parts.now() : this.#lastUsed
  }

  /** State of the session's sandbox, as far as is known without asking it. */
  get state(): SessionState {
    if (!this.#sessionSandbox.exists) return 'ready'
    return this.#sessionSandbox.runs ? 'running' : 'paused'
  }

  /** Ids of running calls that take long, and of work that outlives its call. */
  get running(): string[] {
    return [...new Set([...this.#running.ids, ...this.#jobs.runningIds()])]
  }

  /** Ids of calls that use the sandbox, and of work in it. */
  get runningInSandbox(): string[] {
    return [...new Set([...this.#running.inSandbox, ...this.#jobs.runningIds()])]
  }

  /** Cancels calls that use the sandbox, and work in it, and waits for their end. */
  async cancelInSandbox(): Promise<void> {
    await Promise.all(this.#running.inSandbox.map((id) => this.#running.cancel(id)))
    await Promise.all(this.#jobs.runningIds().map((id) => this.#jobs.cancel(id)))
  }

  /** Whether there is a sandbox, or a discarded one that must still be ended. */
  get hasSandbox(): boolean {
    return this.#sessionSandbox.exists || this.#sessionSandbox.hasDiscarded
  }

  /** Whether work continues that outlives its call, and needs looking after. */
  get hasJobs(): boolean {
    return this.#jobs.runningIds().length > 0
  }

  /**
   * Writes what waited in memory for room on the disk: ends of calls, for the history and for the tenant's counts.
   * @returns false while there is no room
   */
  async writeHeld(): Promise<boolean> {
    const { sql, room } = this.#parts
    if (sql.isReadOnly) await room.look()
    if (sql.isReadOnly) return false
    if (this.#goingOn) this.#loseRunning(this.#goingOn)
    this.#goingOn = null
    // In one transaction, since nothing is awaited in between.
    this.#history.writeHeld()
    this.#ledger.writeHeld()
    this.accounting.outbox.writeHeld()
    return true
  }

  /** Adds Python packages to the session's sandboxes, from the first one on. */
  require(specs: readonly string[]): void {
    this.#sessionSandbox.packages.add(specs)
  }

  /**
   * Begins a call that goes on without its caller. `ended` settles with the call.
   * @throws FailureError `limit_exceeded`
   */
  begin(call: SentCall, by: Caller = NOBODY): { readonly begun: Promise<Begun>; readonly ended: Promise<void> } {
    const known = call.key && this.#parts.registry.effectOf(call.tool) !== 'read' ? this.#begunBefore(call) : null
    if (known) return { begun: Promise.resolve(known), ended: Promise.resolve() }
    const begun = this.begun.open()
    const made = this.call({ ...call, wantsFiles: true }, by, null, begun)
    const ended = made.then(
      (outcome) => this.begun.end(begun, this.#ended.signal.aborted ? null : outcome),
      (thrown) => {
        this.begun.end(begun, null)
        throw thrown
      },
    )
    const refused = made.then((outcome) => ({ refused: outcome }))
    return { begun: Promise.race([begun.noted.then((callId) => ({ callId })), refused]), ended }
  }

  /** The call that was begun before with the same key; null when there is none. */
  #begunBefore({ key, tool }: SentCall): Begun | null {
    const begun = key ? this.#ledger.begunBefore(key, tool, this.#parts.now()) : null
    return begun && ('callId' in begun ? { ...begun, replayed: true } : begun)
  }

  /**
   * Runs one tool. Never throws for what a caller or a tool did.
   * @param outer the call that makes this one, if any
   * @param begun the call as one that goes on without its caller; null for any other
   */
  async call(
    call: SentCall,
    by: Caller = NOBODY,
    outer: OuterCall | null = null,
    begun: BegunCall | null = null,
  ): Promise<Outcome> {
    const { now, sql, registry } = this.#parts
    const log = begun === null && mayCallBuiltIn(by, call.tool) ? this.#readOfLog(call) : null
    if (log) return this.#runUnnoted(log, outer)
    const key = call.key && registry.effectOf(call.tool) !== 'read' ? call.key : null
    if ((sql.isReadOnly || this.#holdsNotes) && !(await this.writeHeld())) {
      const refused = this.#withoutRoom(call, begun !== null)
      if (refused) return (key && this.#ledger.outcomeOf(key, call.tool, now())) ?? refused
    }
    const kept = key && this.#ledger.outcomeOf(key, call.tool, now())
    if (kept) return kept
    const callId = call.callId ?? newCallId(now())
    const stopwatch = new Stopwatch(now)
    const entry = { callId, tool: call.tool, args: registry.keptArgs(call), now: now() }
    this.#lastUsed = entry.now
    const since = call.wantsFiles ? this.#parts.workspace(callId).headSeq() : null
    if (key) this.#ledger.accept(key, { callId, tool: call.tool, at: entry.now })

    const account = this.accounting.open({ callId, call, by, startedAt: entry.now, stopwatch })
    const refused = await this.#whyNot(account, by, call.tool)
    const prepared = refused ? { refused } : this.#prepare(call)
    const ran =
      'refused' in prepared
        ? prepared.refused
        : await this.#run(prepared, {
            callId,
            stopwatch,
            entry,
            by,
            outer,
            account,
            begun,
            key,
            unchanged: call.unchanged,
          })
    const receipt = stopwatch.receipt()
    const ended = (): Outcome => ({
      ...ran,
      receipt,
      callId,
      ...(since !== null && { files: this.#filesOf(callId, since) }),
    })
    const isDeleted = this.#ended.signal.aborted
    if (!isDeleted) {
      // In one transaction, since nothing is awaited in between.
      const goesOn = this.#jobs.isBegun(callId)
      if (goesOn) account.hold()
      const noted = goesOn ? asPending(ran) : ran
      account.end(ran, (end) => this.#history.end(entry, noted, receipt, now(), end))
      if (registry.effectOf(call.tool) === 'run') this.#history.keepAnswer(callId, ran)
      if (key) this.#ledger.end(key, ended(), now())
    }
    this.#running.end(callId)
    this.quiet.callEnded()
    if (isDeleted) return { kind: 'failed', failure: failureWith('not_found', DELETED) }
    this.#lastUsed = now()
    return ended()
  }

  /** Files that a call changed since a commit. */
  #filesOf(callId: string, since: number): CallFiles {
    const workspace = this.#parts.workspace(callId)
    if (workspace.headSeq() === since) return { files: [], more: 0 }
    const { files, count } = workspace.changedByCall(since, MAX_ANSWERED_FILES)
    return { files, more: count - files.length }
  }

  /** Prepared call, if it reads a log file; else null. */
  #readOfLog({ tool, args }: ToolCall): PreparedCall | null {
    const path = this.logs.namedBy(args)
    if (path === null || this.#parts.registry.effectOf(tool) !== 'read') return null
    if (this.#parts.workspace('log').stat(path)) return null
    const given = args as Readonly<Record<string, unknown>>
    // The published frontend polls the logs and shows the newest calls, which stand last.
    const whole = given.silent === true && { max_chars: MAX_ANSWER_CHARS }
    // A log is UTF-8, also where it holds bytes that are no text.
    const prepared = this.#prepare({ tool, args: { ...whole, ...given, encoding: 'utf-8' } })
    return 'refused' in prepared || !isOfFilesAlone(prepared) ? null : prepared
  }

  /** Runs a read of files that is no call of the history, and counts for nothing: polling a log must not fill it. */
  async #runUnnoted(prepared: PreparedCall, outer: OuterCall | null): Promise<Outcome> {
    const stopwatch = new Stopwatch(this.#parts.now)
    const ran = await this.#runOnFiles(prepared, { callId: newCallId(this.#parts.now()), stopwatch, outer, key: null })
    return { ...ran, receipt: stopwatch.receipt() }
  }

  /** Why a call may not begin; null when it may. */
  async #whyNot(account: CallAccount, by: Caller, tool: string): Promise<Outcome | null> {
    try {
      if (!mayCallBuiltIn(by, tool)) await refuseTool(by, tool, this.#parts.tenant.audit)
      const asking = account.admit()
      if (asking) await asking
      return null
    } catch (thrown) {
      return { kind: 'refused', failure: this.#failure(thrown) }
    }
  }

  /** Why a call may not run on a full disk; null when it only reads. A refused call is not noted. */
  #withoutRoom({ tool }: ToolCall, isBegun: boolean): Outcome | null {
    // A begun call is noted before it runs.
    const isRead = !isBegun && this.#parts.registry.effectOf(tool) === 'read' && this.#history.held < MAX_HELD_CALLS
    return isRead ? null : { kind: 'refused', failure: DISK_FULL }
  }

  /** Whether notes wait in memory for room on the disk. */
  get #holdsNotes(): boolean {
    return this.#history.held > 0 || this.#goingOn !== null
  }

  #prepare(call: ToolCall): PreparedCall | { readonly refused: Outcome } {
    try {
      return this.#parts.registry.prepare(call)
    } catch (thrown) {
      return { refused: { kind: 'refused', failure: this.#failure(thrown) } }
    }
  }

  async #run(prepared: PreparedCall, running: RunningCall): Promise<Outcome> {
    const { callId, stopwatch, entry, by, outer, account, begun, key } = running
    if (!begun && isOfFilesAlone(prepared)) return this.#runOnFiles(prepared, running)
    const isCancellable = isLong(prepared.effect)
    const cancel = new AbortController()
    if (isCancellable) this.#running.begin(callId, cancel)
    if (this.#ended.signal.aborted) cancel.abort(this.#ended.signal.reason)
    const known = this.#beginNotes.open(() => {
      this.#history.begin(entry)
      this.accounting.outbox.noteRunning(callId)
    }, isCancellable)
    if (begun) {
      known.now()
      begun.note(callId)
    }
    try {
      const stop = outer ? AbortSignal.any([outer.signal, cancel.signal]) : cancel.signal
      const made = {
        callId,
        stopwatch,
        tool: entry.tool,
        cancel: stop,
        by,
        outer,
        known,
        account,
        begun: begun ?? outer?.begun ?? null,
      }
      const ports = callPorts(this.#portMakers, made)
      // The session's end cancels the cancellable ones: its own signal outlives them all.
      const signal = isCancellable ? stop : this.#ended.signal
      const result = await this.#scheduler.run(prepared.effect, { callId, stopwatch }, () => {
        // The call may have waited in the queue for longer than its caller waits.
        outer?.signal.throwIfAborted()
        if (key) {
          this.#ledger.begin(key)
          known.now()
        }
        return prepared.run(ports, signal)
      })
      return 'soFar' in result ? { kind: 'pending', ...result } : { kind: 'done', result }
    } catch (thrown) {
      return this.#endedBy(thrown)
    } finally {
      known.settle()
    }
  }

  /** Runs a tool that answers at once from the files alone: no part of it can be cancelled, or be noted before its end. */
  async #runOnFiles(
    prepared: PreparedCall,
    running: Pick<RunningCall, 'callId' | 'stopwatch' | 'outer' | 'unchanged' | 'key'>,
  ): Promise<Outcome> {
    const { callId, stopwatch, outer, unchanged, key } = running
    try {
      const result = await this.#scheduler.run(prepared.effect, { callId, stopwatch }, () => {
        outer?.signal.throwIfAborted()
        const workspace = this.#parts.workspace(callId)
        if (unchanged) requireUnchanged(workspace.filesAt(null), unchanged)
        if (key) this.#ledger.begin(key)
        return prepared.run({ workspace }, this.#ended.signal)
      })
      return 'soFar' in result ? { kind: 'pending', ...result } : { kind: 'done', result }
    } catch (thrown) {
      return this.#endedBy(thrown)
    }
  }

  #endedBy(thrown: unknown): Outcome {
    return { kind: thrown instanceof RefusalError ? 'refused' : 'failed', failure: this.#failure(thrown) }
  }

  #caller(callId: string, known?: BeginNote): CallContext {
    return {
      workspace: this.#parts.workspace(callId),
      signal: this.#ended.signal,
      note: () => known?.now(),
    }
  }

  /** Whether an overdue command runs in the sandbox. */
  get isUnsettled(): boolean {
    return this.#overdue.arePending
  }

  /** Ends overdue commands. */
  async settle(): Promise<void> {
    await this.#overdue.settled()
  }

  /** Looks after work that outlives its call. */
  async keepUpJobs(): Promise<void> {
    await this.#jobs.keepUp()
  }

  /**
   * Gives the sandbox back after a last look at its files, unless the session was used meanwhile, or a shell or the notebook
   * still runs something. Anything else that the sandbox held is made again on demand.
   * @throws when it could not be looked at, or not be ended: nothing is lost then, and the attempt must be repeated
   */
  async rest(): Promise<void> {
    await this.#mutex.run(async () => {
      const idleFor = this.#parts.now() - this.lastUsed
      if (idleFor >= SESSION_IDLE_MS && this.#sessionSandbox.exists) {
        // A paused one was looked at before.
        if (this.#sessionSandbox.runs) {
          if (await this.quiet.hasConsolesAtWork()) return
          await this.#lastLook()
        }
        this.#sessionSandbox.leave()
      }
      await this.#endDiscarded()
    })
  }

  /**
   * Ends running work, and then the sandbox, whose files are committed in between.
   * @throws FailureError `upstream` when the provider cannot be asked; the sandbox stays then
   */
  async halt(): Promise<void> {
    await this.#mutex.run(() => this.#sessionSandbox.discard(this.#caller('close')))
  }

  /** Wakes the sandbox, or makes one, and fills it. @throws FailureError `rate_limited`, `upstream` */
  async resume(): Promise<void> {
    this.#lastUsed = this.#parts.now()
    const ready = () => this.#mutex.run(() => this.#sessionSandbox.ready(0, this.#caller('resume')))
    await this.#sessionSandbox.using(0, { stop: [this.#ended.signal], begin: async () => null }, ready)
  }

  async #lastLook(): Promise<void> {
    try {
      await this.#sessionSandbox.pull(this.#caller('idle'))
    } catch (thrown) {
      if (!(thrown instanceof SandboxGone)) throw thrown
    }
  }

  /**
   * Ends running work, and the sandbox with it. The session must not be used any more.
   * @throws when the sandbox could not be ended: the attempt must be repeated
   */
  async end(): Promise<void> {
    this.#ended.abort(new FailureError(failureWith('not_found', DELETED)))
    this.#running.cancelAll(this.#ended.signal.reason)
    this.#python.close()
    this.#supervisorLink.close()
    await this.#mutex.run(async () => {
      this.#sessionSandbox.leave()
      await this.#endDiscarded()
    })
  }

  async #endDiscarded(): Promise<void> {
    await this.#sessionSandbox.endDiscarded()
    await this.#sessionSandbox.giveLeaseBack()
  }

  #failure(thrown: unknown) {
    if (!(thrown instanceof FailureError) || thrown.failure.code === 'internal') this.#parts.logError(thrown)
    const failure = toFailure(thrown)
    this.#advice.note(failure)
    return failure
  }
}

/** Outcome of a call whose work continues, as history has it until the end of that work. */
const asPending = (ran: Outcome): Outcome =>
  ran.kind === 'done'
    ? { kind: 'pending', soFar: ran.result, next: { tool: 'job_output', args: {} }, retryAfterMs: 0 }
    : ran

const isOfFilesAlone = ({ effect, uses }: PreparedCall) => !isLong(effect) && uses.every((port) => port === 'workspace')

/**
 * Time after which a running call is noted. A call that uses no sandbox and ends sooner is noted once, with its end: that is one
 * transaction.
 */
const NOTE_AFTER_MS = 1_000

const DELETED = say`the ${SESSION} was deleted while this ran`

interface RunningCall {
  readonly callId: string
  readonly stopwatch: Stopwatch
  readonly entry: Parameters<History['begin']>[0]
  readonly by: Caller
  readonly outer: OuterCall | null
  readonly account: CallAccount
  readonly begun: BegunCall | null
  readonly unchanged?: readonly UnchangedFile[] | undefined
  readonly key: CallKey | null
}

const NOBODY: Caller = { key: null, agent: null }
