import { FailureError } from '../core/failure.ts'
import type { Internet } from '../core/internet.ts'
import { SESSION_IDLE_MS } from '../core/limits/sessions.ts'
import type { Outcome } from '../core/outcome.ts'
import type { SentCall } from '../core/packed-call.ts'
import type { SessionState } from '../core/session-settings.ts'
import type { OutsidePorts } from '../ports/index.ts'
import { wordsOfAnswer } from '../ports/people.ts'
import { SandboxGone, type SandboxHost } from '../ports/sandbox.ts'
import type { SandboxLeases } from '../ports/sandbox-leases.ts'
import type { Secrets } from '../ports/secrets.ts'
import type { Sql } from '../ports/sql.ts'
import type { Caller, TenantApi } from '../tenant/api.ts'
import type { Registry } from '../tools/registry.ts'
import { WorkspaceSnapshots } from '../workspace/history/snapshots.ts'
import type { SyncedWorkspace } from '../workspace/synced.ts'
import { Accounting } from './accounting.ts'
import type { Begun } from './api.ts'
import { type BeginNote, BeginNotes, NOTE_AFTER_MS } from './begin-note.ts'
import { BegunCalls } from './begun/begun-calls.ts'
import { SessionResults } from './begun/session-results.ts'
import { CallLedger } from './call-ledger.ts'
import type { PortMakers } from './call-ports.ts'
import type { OuterCall } from './call-scope.ts'
import { DELETED } from './calls/call-end.ts'
import { CallFailures } from './calls/call-failures.ts'
import { Dispatcher } from './calls/dispatcher.ts'
import { HeldNotes } from './calls/held-notes.ts'
import { LogReads } from './calls/log-reads.ts'
import { SessionCircuits } from './circuits.ts'
import { ConsolePorts } from './consoles/console-ports.ts'
import { FileCheck } from './file-check.ts'
import { CallFileHistory } from './file-history/call-file-history.ts'
import { FilePorts } from './file-ports.ts'
import type { ForkMade, MadeFork } from './forks-api.ts'
import { History } from './history.ts'
import { SessionJobs } from './jobs/jobs.ts'
import { KeptSecrets } from './kept-secrets.ts'
import { CutOffCommands } from './lasting/cut-off-commands.ts'
import { LastingCommands } from './lasting/lasting-commands.ts'
import { Mutex } from './mutex.ts'
import { SessionNotes } from './notes.ts'
import type { ObservedCalls } from './observed-calls.ts'
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
import { SessionHistory } from './session-history.ts'
import { SessionLinks } from './session-links.ts'
import { SessionLogs } from './session-logs.ts'
import { SessionSnapshots } from './session-snapshots.ts'
import { SessionWatch } from './session-watch.ts'
import { SnapshotPorts } from './snapshot-ports.ts'
import { Stopwatch } from './stopwatch.ts'
import { supervisorLink } from './supervisor/link.ts'
import { Supervisor } from './supervisor/supervisor.ts'
import type { toolSources } from './toolbox/sources.ts'
import { SessionToolbox } from './toolbox/toolbox.ts'
import { WorkEnds } from './work-ends.ts'

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
  /** Internet policy of the next sandbox; true when left out. */
  readonly internet?: () => Promise<Internet>
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
  /** Makes a session with the files of this one; none where left out. */
  readonly fork?: (request: ForkMade) => Promise<MadeFork>
  /** Has contents sent to the blob store in a while. */
  readonly flushSoon: () => Promise<void>
  /** Observation of calls for the operator; none where left out. */
  readonly observed?: ObservedCalls
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
  /** Whole looks at the sandbox's files, for what its watcher missed. */
  readonly fileCheck: FileCheck
  readonly files: SessionFiles
  readonly fileHistory: SessionHistory
  readonly snapshots: SessionSnapshots
  readonly links: SessionLinks
  readonly calls: SessionCalls
  readonly watch: SessionWatch
  /** The session's log files, for its workspace. */
  readonly logs: SessionLogs
  readonly #parts: SessionParts
  readonly #history: History
  readonly #sessionSandbox: SessionSandbox
  readonly #mutex = new Mutex()
  readonly #ended = new AbortController()
  readonly #overdue: OverdueCommands
  readonly #jobs: SessionJobs
  readonly lasting: LastingCommands
  readonly #cutOff: CutOffCommands
  readonly #python: ResidentLink
  readonly #supervisorLink: ResidentLink
  readonly #running = new RunningCalls()
  /** Calls that go on without their callers. */
  readonly begun: BegunCalls
  readonly #scheduler: Scheduler
  readonly #held: HeldNotes
  readonly #secrets: KeptSecrets
  readonly #dispatcher: Dispatcher
  #lastUsed: number
  readonly #used = (at: number): void => {
    this.#lastUsed = at
  }

  constructor(parts: SessionParts) {
    this.#parts = parts
    this.#history = new History(parts.sql, () => this.accounting.outbox.forgetHeard())
    const ledger = new CallLedger(parts.sql)
    this.logs = new SessionLogs({ ...parts, history: this.#history })
    this.#supervisorLink = supervisorLink(parts.sql, parts.env)
    this.#sessionSandbox = new SessionSandbox({
      hasSupervisor: (sandboxId, pid) => this.#supervisorLink.adopt(sandboxId, pid),
      ...parts,
      lease: new SandboxLease(parts),
      meter: (time, change) => this.accounting.sandboxTime(time, change),
    })
    const shared = {
      ...parts,
      sessionSandbox: this.#sessionSandbox,
      mutex: this.#mutex,
      caller: (id: string) => this.#caller(id),
      writer: () => this.#writer,
    }
    const ends = new WorkEnds({ ...parts, history: this.#history, ledger, session: this, used: this.#used })
    this.#overdue = new OverdueCommands(shared)
    this.people = new SessionPeople({
      ...parts,
      report: (...report) => this.accounting.humanTask(...report),
      completed: ({ id, result }) => this.#history.endPendingOn('human_in_loop', id, wordsOfAnswer(result)),
    })
    this.#python = pythonLink(parts.sql, parts.env)
    this.#jobs = new SessionJobs({
      ...shared,
      overdue: this.#overdue,
      readerOf: (tool) => parts.registry.readerOf(tool),
      ended: (...job) => ends.ofJob(...job),
    })
    this.lasting = new LastingCommands(shared)
    this.#cutOff = new CutOffCommands({ ...shared, overdue: this.#overdue, running: this.#running, ledger, ends })
    this.begun = new BegunCalls({ ...parts, deleted: this.#ended.signal })
    const { begun } = this
    const known = { history: this.#history, jobs: this.#jobs, running: this.#running, cutOff: this.#cutOff }
    this.calls = new SessionCalls({ ...known, begun })
    this.watch = new SessionWatch({ ...parts, toolsOf: (callIds) => this.#history.toolsOf(callIds) })
    const goingOn = [...this.#jobs.runningIds(), ...this.#cutOff.ids]
    const addCost = (callId: string, cost: number) => this.#history.addCost(callId, cost)
    this.accounting = new Accounting({ ...parts, session: parts.name, addCost }, goingOn)
    this.#secrets = new KeptSecrets({ ...parts, admission: this.accounting.admission })
    this.fileCheck = new FileCheck(shared)
    this.quiet = new QuietSandbox({ ...shared, running: this.#running, lastUsed: () => this.lastUsed })
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
    this.fileHistory = new SessionHistory({
      ...parts,
      scheduler: this.#scheduler,
      fileHistory: (author) => this.#fileHistory(author),
    })
    this.snapshots = new SessionSnapshots({
      ...parts,
      snapshots: new WorkspaceSnapshots(parts.sql),
      scheduler: this.#scheduler,
    })
    this.links = new SessionLinks(parts)
    this.#held = new HeldNotes(
      {
        ...parts,
        history: this.#history,
        ledger,
        outbox: this.accounting.outbox,
        lasting: this.lasting,
        markDirty: () => this.#sessionSandbox.markDirty(),
        unanswered: this.#cutOff.ids,
      },
      goingOn,
    )
    this.#dispatcher = this.#makeDispatcher(ledger)
    this.#lastUsed = this.#history.lastUsed() ?? parts.createdAt
  }

  /** Runs work as one that changes files, in the order of the calls: what running commands wrote is taken over before it. */
  inTurn<T>(callId: string, work: () => Promise<T>): Promise<T> {
    return this.#scheduler.run('write', { callId, stopwatch: new Stopwatch(this.#parts.now) }, work)
  }

  #makePorts(): PortMakers {
    const { outside, sql, env, now, workspace } = this.#parts
    const ofSandbox = { sessionSandbox: this.#sessionSandbox, mutex: this.#mutex, env, now, ended: this.#ended.signal }
    const supervisor = new Supervisor(this.#supervisorLink, now)
    return {
      common: {
        ...outside,
        secrets: this.#secrets.open,
        circuits: new SessionCircuits(now),
        clock: { now },
        notes: new SessionNotes(sql),
        people: this.people,
        packages: { installed: (specs) => this.#sessionSandbox.packages.add(specs) },
      },
      files: new FilePorts(workspace, this.#scheduler),
      fileHistory: (callId) => this.#fileHistory(callId),
      sandbox: new SandboxPorts({
        context: (callId, known) => this.#caller(callId, known),
        runners: new RunnerPorts({
          ...{ ...ofSandbox, overdue: this.#overdue, supervisor, running: this.#running, lasting: this.lasting },
          context: (callId) => this.#caller(callId),
          leftWriter: () => this.#leftWriter,
        }),
        consoles: new ConsolePorts({ ...ofSandbox, link: this.#supervisorLink }),
        python: new PythonPorts({ ...ofSandbox, link: this.#python }),
        jobs: this.#jobs,
        now,
      }),
      snapshots: new SnapshotPorts({ snapshots: this.snapshots, fork: this.#parts.fork ?? null }),
      toolbox: this.toolbox,
      results: new SessionResults(this),
    }
  }

  #makeDispatcher(ledger: CallLedger): Dispatcher {
    const { now, registry, workspace, tenant } = this.#parts
    const failures = new CallFailures(this.#parts)
    return new Dispatcher({
      now,
      registry,
      workspace,
      logReads: new LogReads({ registry, workspace, logs: this.logs, failures }),
      held: this.#held,
      ledger,
      accounting: this.accounting,
      audit: tenant.audit,
      begun: this.begun,
      beginNotes: new BeginNotes(NOTE_AFTER_MS, now),
      running: this.#running,
      portMakers: this.#makePorts(),
      scheduler: this.#scheduler,
      history: this.#history,
      jobs: this.#jobs,
      lasting: this.lasting,
      quiet: this.quiet,
      failures,
      used: this.#used,
      deleted: this.#ended.signal,
    })
  }

  /** Voids copies of the tenant's tools and secrets of earlier revisions. */
  toolsChanged(revision: number): void {
    this.accounting.admission.dropTools(revision)
    this.#secrets.drop()
  }

  /** Time when a call last began or ended, in milliseconds since 1970. */
  get lastUsed(): number {
    return this.#sessionSandbox.commands.count > 0 ? this.#parts.now() : this.#lastUsed
  }

  /** Whether a call that reads or changes files is under way, or waits for its turn. */
  get hasFileCall(): boolean {
    return this.#scheduler.hasFileCall
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

  /** Author in history of what work in the sandbox wrote: the call that it is of; `background` where that has ended. */
  get #writer(): string {
    return this.runningInSandbox[0] ?? LEFT_RUNNING
  }

  /** {@link #writer} while something goes on in the sandbox that outlives its call; otherwise null. */
  get #leftWriter(): string | null {
    const { active, unsettled } = this.#sessionSandbox
    return active && (unsettled || this.hasJobs) ? this.#writer : null
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
    return this.#jobs.runningIds().length > 0 || this.#cutOff.ids.length > 0
  }

  /** Writes ends of calls that waited in memory for room on the disk. @returns false while there is no room */
  writeHeld(): Promise<boolean> {
    return this.#held.write()
  }

  /** Adds Python packages to the session's sandboxes, from the first one on. */
  require(specs: readonly string[]): void {
    this.#sessionSandbox.packages.add(specs)
  }

  /**
   * Begins a call that goes on without its caller. `ended` settles with the call.
   * @throws FailureError `limit_exceeded`
   */
  begin(call: SentCall, by?: Caller): { readonly begun: Promise<Begun>; readonly ended: Promise<void> } {
    return this.#dispatcher.begin(call, by)
  }

  /**
   * Runs one tool. Never throws for what a caller or a tool did.
   * @param outer the call that makes this one, if any
   */
  call(call: SentCall, by?: Caller, outer?: OuterCall | null): Promise<Outcome> {
    return this.#dispatcher.call(call, by, outer)
  }

  #fileHistory(callId: string): CallFileHistory {
    return new CallFileHistory({
      workspace: this.#parts.workspace(callId),
      toolsOf: (callIds) => this.#history.toolsOf(callIds),
      runningInSandbox: () => this.runningInSandbox.filter((id) => id !== callId),
    })
  }

  #caller(callId: string, known?: BeginNote): CallContext {
    return {
      workspace: this.#parts.workspace(callId),
      signal: this.#ended.signal,
      note: () => known?.now(),
      key: () => this.accounting.outbox.keyOf(callId),
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
    await this.#cutOff.keepUp()
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
        await this.#sessionSandbox.notePaused(this.#ended.signal)
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

  /** Ends the sandbox without a look at its files, which are of another state than the workspace. @throws when the provider cannot be asked */
  async dropSandbox(): Promise<void> {
    await this.#mutex.run(async () => {
      this.#sessionSandbox.leave()
      await this.#endDiscarded()
    })
  }

  /** Whether the sandbox reaches more of the internet than the session may now. One that is being made is waited for. */
  exceedsPolicy(): Promise<boolean> {
    return this.#mutex.run(() => this.#sessionSandbox.exceedsPolicy())
  }

  /** Wakes the sandbox, or makes one, and fills it. @throws FailureError `rate_limited`, `upstream` */
  async resume(): Promise<void> {
    this.#lastUsed = this.#parts.now()
    const begin = () => this.#mutex.run(() => this.#sessionSandbox.ready(0, this.#caller('resume')))
    await this.#sessionSandbox.using(0, { stop: [this.#ended.signal], begin }, async () => undefined)
  }

  async #lastLook(): Promise<void> {
    try {
      await this.#sessionSandbox.check(this.#caller('idle'))
    } catch (thrown) {
      if (!(thrown instanceof SandboxGone)) throw thrown
    }
  }

  /**
   * Ends running work, and the sandbox with it. The session must not be used any more.
   * @throws when the sandbox could not be ended: the attempt must be repeated
   */
  async end(): Promise<void> {
    this.#ended.abort(new FailureError(DELETED))
    this.#running.cancelAll(this.#ended.signal.reason)
    this.#python.close()
    this.#supervisorLink.close()
    // Not waited for: a server that hangs holds up no end.
    void this.#parts.outside.mcpServers.end()
    await this.#mutex.run(async () => {
      this.#sessionSandbox.leave()
      await this.#endDiscarded()
    })
  }

  /** Ends sandboxes that the session gave up. @throws when the provider cannot be asked */
  async endDiscarded(): Promise<void> {
    if (this.#sessionSandbox.hasDiscarded) await this.#mutex.run(() => this.#sessionSandbox.endDiscarded())
  }

  async #endDiscarded(): Promise<void> {
    await this.#sessionSandbox.endDiscarded()
    await this.#sessionSandbox.giveLeaseBack()
  }
}

/** Author in history of what processes of ended calls wrote. */
const LEFT_RUNNING = 'background'
