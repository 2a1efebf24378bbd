import { FailureError, fail, RefusalError, toFailure } from '../core/failure.ts'
import { newCallId } from '../core/ids.ts'
import { MAX_CONSOLE_COMMAND_MS } from '../core/limits/consoles.ts'
import { SESSION_IDLE_MS } from '../core/limits/sessions.ts'
import { once } from '../core/once.ts'
import type { Outcome, ToolCall } from '../core/outcome.ts'
import type { WorkspacePath } from '../core/workspace-path.ts'
import type { OutsidePorts, Ports } from '../ports/index.ts'
import { SandboxGone, type SandboxHost } from '../ports/sandbox.ts'
import type { Secrets } from '../ports/secrets.ts'
import type { Sql } from '../ports/sql.ts'
import { type Nesting, outermost } from '../registry/chain/budget.ts'
import type { Caller as CallingKey, TenantApi } from '../tenant/api.ts'
import type { Effect } from '../tools/define.ts'
import type { PreparedCall, Registry } from '../tools/registry.ts'
import type { SyncedWorkspace } from '../workspace/synced.ts'
import { zipOf } from '../workspace/zip.ts'
import type { CallView, HistoryPage } from './api.ts'
import { type BeginNote, BeginNotes } from './begin-note.ts'
import { SessionCircuits } from './circuits.ts'
import { isBusy, SessionConsoles } from './consoles/consoles.ts'
import { History } from './history.ts'
import { SessionJobs } from './jobs/jobs.ts'
import { News } from './jobs/news.ts'
import { Lane } from './lane.ts'
import { type Caller, Machine } from './machine/machine.ts'
import { SessionRunner } from './machine/session-runner.ts'
import { SessionMadeTools } from './made-tools.ts'
import { SessionNotes } from './notes.ts'
import { SessionOwnTools } from './own-tools.ts'
import { SessionPeople } from './people.ts'
import { HostLink } from './python/link.ts'
import { SessionPython } from './python/python.ts'
import { SessionPythonActions } from './python-actions.ts'
import { SessionRegistered } from './registered.ts'
import { Stopwatch } from './stopwatch.ts'

export interface SessionParts {
  readonly sql: Sql
  readonly registry: Registry
  /** The workspace; its commits are noted under the call that makes them. */
  readonly workspace: (callId: string) => SyncedWorkspace
  readonly host: SandboxHost
  readonly outside: OutsidePorts
  /** Those of the session's tenant. */
  readonly secrets: Secrets
  /** The session's name and node id, and who has its registered tools. */
  readonly name: string
  readonly node: string
  readonly tenant: Pick<TenantApi, 'beginCall' | 'endCalls' | 'findTool' | 'changeTools'>
  /** For every command in the sandbox, e.g. which package index pip asks. */
  readonly env: Readonly<Record<string, string>>
  /** For people who look at the account of the sandbox host. */
  readonly labels: Readonly<Record<string, string>>
  readonly now: () => number
  /** Unforeseen errors go to our own logs and nowhere else. */
  readonly logError: (thrown: unknown) => void
}

/**
 * What a session does, with no Workers types in it: runs tool calls over its workspace and its sandbox, and keeps their
 * history.
 */
export class Session {
  readonly people: SessionPeople
  readonly ownTools: SessionOwnTools
  readonly registered: SessionRegistered
  readonly madeTools: SessionMadeTools
  readonly #notes: SessionNotes
  readonly #parts: SessionParts
  readonly #history: History
  readonly #machine: Machine
  readonly #circuits: SessionCircuits
  readonly #lane = new Lane()
  readonly #ended = new AbortController()
  readonly #jobs: SessionJobs
  readonly #python: HostLink
  readonly pythonActions: SessionPythonActions
  /** Calls that can be cancelled. */
  readonly #running = new Map<string, AbortController>()
  readonly #endings = new News()
  readonly #beginNotes: BeginNotes
  #lastUsed: number

  constructor(parts: SessionParts) {
    this.#parts = parts
    this.#history = new History(parts.sql)
    this.#circuits = new SessionCircuits(parts.now)
    this.#machine = new Machine(parts)
    this.#notes = new SessionNotes(parts.sql)
    this.#beginNotes = new BeginNotes(NOTE_AFTER_MS, parts.now)
    this.ownTools = new SessionOwnTools(parts.sql)
    this.people = new SessionPeople(parts.sql, parts.now)
    this.madeTools = new SessionMadeTools({ ...parts, hasOwnTool: (name) => this.ownTools.codeOf(name) !== null })
    this.registered = new SessionRegistered({
      ...parts,
      session: parts.name,
      madeTool: (id) => this.madeTools.find(id),
    })
    this.#python = new HostLink(parts.sql, parts.env)
    this.pythonActions = new SessionPythonActions(parts.sql)
    this.#jobs = new SessionJobs({
      ...parts,
      machine: this.#machine,
      lane: this.#lane,
      readerOf: (tool) => parts.registry.readerOf(tool),
      caller: (callId) => this.#caller(callId),
      ended: (callId, ended) => {
        const outcome: Outcome =
          'result' in ended ? { kind: 'done', ...ended } : { kind: 'failed', failure: ended.failure }
        this.#history.settle(callId, outcome, parts.now())
        this.#lastUsed = parts.now()
      },
    })
    // What a crash cut off may have gone on in the sandbox.
    if (this.#history.loseRunning(this.#jobs.runningIds()) > 0) this.#machine.unsettle()
    this.#lastUsed = this.#history.lastUsed() ?? parts.now()
  }

  static createTables(sql: Sql): void {
    History.createTables(sql)
    Machine.createTables(sql)
  }

  /** When a call last began or ended, in milliseconds since 1970. */
  get lastUsed(): number {
    return this.#machine.commands.count > 0 ? this.#parts.now() : this.#lastUsed
  }

  /** True when there is a sandbox, or one that is still to be ended. */
  get hasSandbox(): boolean {
    return this.#machine.exists || this.#machine.hasLeft
  }

  /** True while work goes on that outlives its call: somebody has to look after it. */
  get hasJobs(): boolean {
    return this.#jobs.runningIds().length > 0
  }

  /** Python packages that go into the session's sandboxes, from the first one on. */
  require(specs: readonly string[]): void {
    this.#machine.packages.add(specs)
  }

  /** Runs one tool. Never throws for what a caller or a tool did. `outer`: of the call that makes this one, if one does. */
  async call(call: ToolCall, by: CallingKey = NOBODY, outer: OuterCall | null = null): Promise<Outcome> {
    const { now } = this.#parts
    const callId = newCallId(now())
    const stopwatch = new Stopwatch(now)
    const entry = { callId, tool: call.tool, args: this.#parts.registry.keptArgs(call), now: now() }
    this.#lastUsed = entry.now

    const prepared = this.#prepare(call)
    const ran =
      'refused' in prepared ? prepared.refused : await this.#run(prepared, { callId, stopwatch, entry, by, outer })
    const receipt = stopwatch.receipt()
    if (this.#ended.signal.aborted) {
      return { kind: 'failed', failure: { code: 'not_found', message: DELETED } }
    }
    this.#history.end(entry, ran, receipt, now())
    this.#running.delete(callId)
    this.#endings.tell()
    this.#lastUsed = now()
    return { ...ran, receipt }
  }

  #prepare(call: ToolCall): PreparedCall | { readonly refused: Outcome } {
    try {
      return this.#parts.registry.prepare(call)
    } catch (thrown) {
      return { refused: { kind: 'refused', failure: this.#failure(thrown) } }
    }
  }

  async #run(prepared: PreparedCall, { callId, stopwatch, entry, by, outer }: RunningCall): Promise<Outcome> {
    const isCancellable = isLong(prepared.effect)
    const cancel = new AbortController()
    if (isCancellable) this.#running.set(callId, cancel)
    if (this.#ended.signal.aborted) cancel.abort(this.#ended.signal.reason)
    const known = this.#beginNotes.open(() => {
      this.#history.begin(entry)
      this.registered.noteRunning(callId)
    }, isCancellable)
    try {
      const stop = outer ? AbortSignal.any([outer.signal, cancel.signal]) : cancel.signal
      const ports = this.#ports({ callId, stopwatch, tool: entry.tool, cancel: stop, by, outer, known })
      // The session's end cancels those that can be: its own signal outlives them all.
      const signal = isCancellable ? stop : this.#ended.signal
      const result = await this.#inOrder(prepared.effect, callId, stopwatch, () => {
        // It may have waited its turn for longer than whoever calls it waits.
        outer?.signal.throwIfAborted()
        return prepared.run(ports, signal)
      })
      return 'soFar' in result ? { kind: 'pending', ...result } : { kind: 'done', result }
    } catch (thrown) {
      return { kind: thrown instanceof RefusalError ? 'refused' : 'failed', failure: this.#failure(thrown) }
    } finally {
      known.settle()
    }
  }

  /** What changes files waits its turn; while commands run, what looks at files sees what they have written so far. */
  async #inOrder<T>(effect: Effect, callId: string, stopwatch: Stopwatch, work: () => Promise<T>): Promise<T> {
    if (isLong(effect)) return work()
    if (effect === 'read' && !this.#machine.active) return work()
    const asked = stopwatch.now()
    return this.#lane.run(async () => {
      stopwatch.add('queued', stopwatch.now() - asked)
      if (this.#machine.active) await this.#catchUp(callId, stopwatch)
      return work()
    })
  }

  /** Takes over what the sandbox changed. A sandbox that cannot be asked now does not keep a file tool from its work. */
  async #catchUp(callId: string, stopwatch: Stopwatch): Promise<void> {
    const start = stopwatch.now()
    try {
      await this.#machine.pull(this.#caller(callId))
    } catch (thrown) {
      this.#parts.logError(thrown)
      if (thrown instanceof SandboxGone) {
        await this.#machine.giveUp(this.#caller(callId)).catch(this.#parts.logError)
      }
    }
    stopwatch.add('sync', stopwatch.now() - start)
  }

  #caller(callId: string, known?: BeginNote): Caller {
    return {
      workspace: this.#parts.workspace(callId),
      signal: this.#ended.signal,
      note: () => known?.now(),
    }
  }

  #ports({ callId, stopwatch, tool, cancel, by, outer, known }: PortsOf): Ports {
    const { outside, secrets, env, now } = this.#parts
    const machine = this.#machine
    // A tool uses few of these: what takes making is made when it is asked for.
    const workspace = once(() => this.#parts.workspace(callId))
    const caller = once(() => this.#caller(callId, known))
    const runner = once(
      () => new SessionRunner({ machine, caller: caller(), lane: this.#lane, callId, env, stopwatch, cancel }),
    )
    const consoles = once(() => new SessionConsoles({ machine, caller: caller(), lane: this.#lane, runner: runner() }))
    const python = once(() => {
      const signals = [this.#ended.signal, cancel]
      return new SessionPython({ machine, runner: runner(), link: this.#python, signals })
    })
    const registered = once(() => this.registered.port(callId, by, () => known.isMade))
    const madeTools = once(() => this.madeTools.port(by, registered()))
    return {
      ...outside,
      secrets,
      circuits: this.#circuits,
      clock: { now },
      get workspace() {
        return workspace()
      },
      get locks() {
        return workspace().locks
      },
      turn: (work) => this.#inOrder('write', callId, stopwatch, work),
      notes: this.#notes,
      people: this.people,
      otherTools: {
        nesting: outer?.nesting ?? outermost(),
        has: (name) => this.#parts.registry.has(name),
        // What an agent put together acts for whoever calls it, but never as the owner.
        call: (call, nesting, signal) => this.call(call, { ...by, mayAdmin: false }, { signal, nesting }),
      },
      ownTools: this.ownTools,
      get registered() {
        return registered()
      },
      get madeTools() {
        return madeTools()
      },
      packages: { installed: (specs) => machine.packages.add(specs) },
      get runner() {
        return runner()
      },
      get consoles() {
        return consoles()
      },
      pythonActions: this.pythonActions,
      get python() {
        return python()
      },
      jobs: {
        begin: async (job) => {
          known.now()
          return this.#jobs.begin(callId, tool, job, runner())
        },
        wait: async (id, patienceMs) => {
          if (patienceMs <= 0) await this.#jobs.refresh(id)
          return this.#jobs.wait(id, patienceMs)
        },
        cancel: (id) => this.#jobs.cancel(id),
      },
    }
  }

  /** One call as it is now. @returns null when there is none, or it is no longer kept */
  async look(callId: string): Promise<CallView | null> {
    await this.#jobs.refresh(callId)
    return this.callOf(callId)
  }

  /** As {@link look}, as far as is known already. */
  callOf(callId: string): CallView | null {
    const call = this.#history.call(callId)
    if (!call) return null
    const job = this.#jobs.view(callId)
    const running = call.state === 'running' || (job !== null && !job.ended)
    return { call, running, progress: job?.progress ?? NO_PROGRESS, ...(job?.ended && { ended: job.ended }) }
  }

  /** @returns {@link callOf}, when there is progress beyond the first `after` lines, at its end, or after that long */
  async follow(callId: string, after: number, patienceMs: number): Promise<CallView | null> {
    if (this.#jobs.view(callId)) await this.#jobs.wait(callId, patienceMs, after)
    else if (this.#running.has(callId)) await this.#endings.next(patienceMs)
    return this.callOf(callId)
  }

  /** Stops a call that runs, and the work that outlives it; what has ended stays as it is. */
  async cancel(callId: string): Promise<CallView | null> {
    if (this.#jobs.view(callId)) await this.#jobs.cancel(callId)
    else if (this.#running.has(callId)) {
      this.#running.get(callId)?.abort(new FailureError({ code: 'conflict', message: CANCELLED }))
      while (this.#running.has(callId)) await this.#endings.next(CANCEL_LOOK_MS)
    }
    return this.callOf(callId)
  }

  /** Looks after work that outlives its call. */
  async keepUpJobs(): Promise<void> {
    await this.#jobs.keepUp()
  }

  history(page: { readonly limit: number; readonly before?: number }): HistoryPage {
    return this.#history.page(page)
  }

  /** A file to stream out. @throws FailureError `not_found` */
  async open(path: WorkspacePath) {
    const callId = newCallId(this.#parts.now())
    const stopwatch = new Stopwatch(this.#parts.now)
    const workspace = this.#parts.workspace(callId)
    return this.#inOrder('read', callId, stopwatch, async () => {
      if (workspace.stat(path)?.kind === 'directory') fail('invalid_input', `Cannot download directory: ${path}`)
      return (await workspace.open(path)) ?? fail('not_found', `File not found: ${path}`)
    })
  }

  /**
   * Gives the sandbox back after a last look at its files, unless the session was used meanwhile, or a shell or the
   * notebook still runs something. What it held beyond
   * them is made again when it is needed.
   * @throws when it could not be looked at, or not be ended: nothing is lost then, and it is to be tried again
   */
  async rest(): Promise<void> {
    await this.#lane.run(async () => {
      const idleFor = this.#parts.now() - this.lastUsed
      if (idleFor >= SESSION_IDLE_MS && this.#machine.exists) {
        const mayBeBusy = idleFor < SESSION_IDLE_MS + MAX_CONSOLE_COMMAND_MS
        if (mayBeBusy && (await isBusy(this.#machine, this.#caller('idle')))) return
        await this.#lastLook()
        this.#machine.leave()
      }
      await this.#machine.endLeft()
    })
  }

  /**
   * Ends what runs, and then the sandbox, whose files are taken over in between.
   * @throws FailureError `upstream` when the host cannot be asked; the sandbox stays then
   */
  async halt(): Promise<void> {
    await this.#lane.run(() => this.#machine.giveUp(this.#caller('close')))
  }

  /** Stores a file in its turn. */
  async store(path: WorkspacePath, content: Uint8Array): Promise<void> {
    const callId = newCallId(this.#parts.now())
    const workspace = this.#parts.workspace(callId)
    await this.#inOrder('write', callId, new Stopwatch(this.#parts.now), () =>
      workspace.commit([{ op: 'write', path, content }]),
    )
  }

  /** All files and directories, as a zip that is made while it is read. */
  async archive(): Promise<ReadableStream<Uint8Array>> {
    const callId = newCallId(this.#parts.now())
    const workspace = this.#parts.workspace(callId)
    return this.#inOrder('read', callId, new Stopwatch(this.#parts.now), async () => zipOf(workspace))
  }

  async #lastLook(): Promise<void> {
    try {
      await this.#machine.pull(this.#caller('idle'))
    } catch (thrown) {
      if (!(thrown instanceof SandboxGone)) throw thrown
    }
  }

  /**
   * Ends what runs, and the sandbox with it. The session is not to be used any more.
   * @throws when the sandbox could not be ended: it is to be tried again
   */
  async end(): Promise<void> {
    this.#ended.abort(new FailureError({ code: 'not_found', message: DELETED }))
    for (const cancel of this.#running.values()) cancel.abort(this.#ended.signal.reason)
    this.#python.close()
    await this.#lane.run(async () => {
      this.#machine.leave()
      await this.#machine.endLeft()
    })
  }

  #failure(thrown: unknown) {
    if (!(thrown instanceof FailureError) || thrown.failure.code === 'internal') this.#parts.logError(thrown)
    return toFailure(thrown)
  }
}

/** Neither waits its turn nor lets others wait. */
const isLong = (effect: Effect) => effect === 'run' || effect === 'fetch'

/** A call that has no sandbox at work and ends sooner is noted once, with its end: that is one transaction. */
const NOTE_AFTER_MS = 1_000

const NO_PROGRESS = { lines: [], count: 0 }
const DELETED = 'the task was deleted while this ran'
const CANCELLED = 'the call was cancelled; what it wrote until then is kept'
/** Cancelling waits for the call to end; it is told when that happens. */
const CANCEL_LOOK_MS = 1_000

interface PortsOf {
  readonly callId: string
  readonly stopwatch: Stopwatch
  readonly tool: string
  readonly cancel: AbortSignal
  readonly by: CallingKey
  readonly outer: OuterCall | null
  readonly known: BeginNote
}

/** The call that makes another one. */
interface OuterCall {
  readonly signal: AbortSignal
  readonly nesting: Nesting
}

interface RunningCall {
  readonly callId: string
  readonly stopwatch: Stopwatch
  readonly entry: Parameters<History['begin']>[0]
  readonly by: CallingKey
  readonly outer: OuterCall | null
}

const NOBODY: CallingKey = { key: null, agent: null }
