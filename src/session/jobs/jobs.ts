import { FailureError, fail, toFailure } from '../../core/failure.ts'
import {
  JOB_LOOK_WAIT_MS,
  JOB_START_MS,
  JOB_STOP_MS,
  JOB_SYNC_MS,
  MAX_BACKGROUND_COMMANDS,
  MAX_JOB_LINE_BYTES,
  MAX_JOB_OUTPUT_BYTES,
  MAX_PROGRESS_CHARS,
  MAX_PROGRESS_LINES,
  MAX_RUNNING_JOBS,
} from '../../core/limits/jobs.ts'
import { KILL_GRACE_MS } from '../../core/limits/sandbox.ts'
import { SANDBOX_SCRIPT_MS } from '../../core/limits/sync.ts'
import { redact } from '../../core/redact.ts'
import { SESSION, say, tool as toolName } from '../../core/saying/saying.ts'
import type { WorkspacePath } from '../../core/workspace-path.ts'
import type { JobEnd, JobReader, JobView, NewJob } from '../../ports/jobs.ts'
import type { Runner } from '../../ports/runner.ts'
import { type Sandbox, SandboxGone } from '../../ports/sandbox.ts'
import type { Sql } from '../../ports/sql.ts'
import type { Mutex } from '../mutex.ts'
import { isOutOfReach } from '../sandbox/out-of-reach.ts'
import type { OverdueCommands } from '../sandbox/overdue.ts'
import type { CallContext, SessionSandbox } from '../sandbox/session-sandbox.ts'
import { resultOfCommand } from './command-result.ts'
import { Condition } from './condition.ts'
import {
  type CommandJob,
  killScript,
  type Look,
  lookScript,
  type Printed,
  printScript,
  readLook,
  readPrinted,
  removeScript,
  startScript,
  stopScript,
} from './job-scripts.ts'
import { type Job, JobStore } from './job-store.ts'

const RETRY_MS = 1_000
/** Attempts to fetch the files of ended work, which may have made its directory unreadable. */
const MAX_TRIES = 5
/** Longest wait of {@link SessionJobs.refresh} for a slow sandbox. */
const REFRESH_MS = 3_000

export interface JobsParts {
  readonly sql: Sql
  readonly sessionSandbox: SessionSandbox
  readonly mutex: Mutex
  readonly overdue: OverdueCommands
  readonly readerOf: (tool: string) => JobReader<object> | null
  readonly caller: (callId: string) => CallContext
  readonly now: () => number
  /** Reports to the call that began the job how it ended, and how many milliseconds it ran in the sandbox. */
  readonly ended: (id: string, ended: NonNullable<Job['ended']>, ranMs: number) => void
  readonly logError: (thrown: unknown) => void
}

/**
 * Jobs of one session: programs that outlive the calls that began them. Nothing about them is in memory only, so that a restarted
 * session continues where it was. Waiting calls look at them, otherwise the alarm does.
 */
export class SessionJobs {
  readonly #parts: JobsParts
  readonly #store: JobStore
  readonly #looks = new Map<string, Promise<void>>()
  readonly #starting = new Set<string>()
  /** Jobs that were begun since this object was made, and have not ended. */
  readonly #begun = new Set<string>()
  #syncedAt: number
  readonly #changed = new Condition()

  constructor(parts: JobsParts) {
    this.#parts = parts
    // Here, since sessions that were made before there were jobs lack it.
    this.#store = new JobStore(parts.sql)
    this.#syncedAt = parts.now()
    // A job counts as a running command of the session sandbox.
    parts.sessionSandbox.commands.count += this.#store.running().length
  }

  runningIds(): string[] {
    return this.#store.running().map(({ id }) => id)
  }

  /**
   * Begins a job, as `Jobs.begin`. A new sandbox may take longer than any call waits, so making it does not belong to the call.
   * @throws FailureError `limit_exceeded`
   */
  begin(id: string, tool: string, job: NewJob, runner: Runner): string {
    if (this.#store.running().filter(({ command }) => !command).length >= MAX_RUNNING_JOBS) {
      fail(
        'limit_exceeded',
        say`${MAX_RUNNING_JOBS} such calls of this ${SESSION} run already (MAX_RUNNING_JOBS); wait for one of them, or cancel it`,
      )
    }
    this.#begin({ id, tool, state: job.state }, job, runner)
    return id
  }

  /**
   * Begins a command, and waits until it is started.
   * @throws FailureError `limit_exceeded`; why it could not be started
   */
  async beginCommand(id: string, tool: string, job: CommandJob & { shown: string }, runner: Runner): Promise<Job> {
    const running = this.#store.running().filter(({ command }) => command)
    if (running.length >= MAX_BACKGROUND_COMMANDS) {
      fail(
        'limit_exceeded',
        say`${MAX_BACKGROUND_COMMANDS} commands of this ${SESSION} run in the background already (MAX_BACKGROUND_COMMANDS): ${running.map((other) => other.id).join(', ')}; end one with ${toolName('job_stop')}`,
      )
    }
    this.#begin({ id, tool, state: {}, command: { shown: job.shown, log: job.log } }, job, runner)
    while (this.#starting.has(id)) await this.#changed.next(RETRY_MS)
    this.#parts.caller(id).signal.throwIfAborted()
    const begun = this.#store.get(id) ?? fail('not_found', unknown(id))
    if (begun.ended && 'failure' in begun.ended) throw new FailureError(begun.ended.failure)
    return begun
  }

  #begin(of: Pick<Job, 'id' | 'tool' | 'state' | 'command'>, job: NewJob | CommandJob, runner: Runner): void {
    const { sessionSandbox, now, caller } = this.#parts
    const { id } = of
    const startedAt = now()
    this.#starting.add(id)
    this.#begun.add(id)
    sessionSandbox.commands.count += 1
    this.#store.add({
      ...of,
      sandboxId: null,
      baseSeq: caller(id).workspace.headSeq(),
      startedAt,
      deadlineAt: startedAt + job.timeoutMs,
      offset: 0,
      progress: { lines: [], count: 0 },
      cancelledAt: null,
      ended: null,
    })
    void this.#tryStart(id, job, runner)
  }

  async #tryStart(id: string, job: NewJob | CommandJob, runner: Runner): Promise<void> {
    const { caller, logError } = this.#parts
    try {
      await this.#start(id, job, runner)
    } catch (thrown) {
      // The session was deleted, with everything about the job.
      if (caller(id).signal.aborted) return
      if (!(thrown instanceof FailureError)) logError(thrown)
      this.#end(id, { failure: toFailure(thrown) })
    } finally {
      this.#starting.delete(id)
      this.#changed.notify()
    }
    if (this.#store.get(id)?.cancelledAt) await this.cancel(id).catch(logError)
  }

  async #start(id: string, job: NewJob | CommandJob, runner: Runner): Promise<void> {
    const secrets = 'log' in job ? job.secrets : Object.values(job.secrets)
    const { exitCode, timedOut, stdout } = await runner.run({
      script: startScript(id, job),
      cwd: job.cwd,
      env: 'log' in job ? job.env : job.secrets,
      secrets,
      timeoutMs: JOB_START_MS,
      label: 'job',
    })
    const sandboxId = this.#parts.sessionSandbox.sandboxId
    if (exitCode !== 0 || timedOut || sandboxId === null) {
      fail('upstream', 'the sandbox could not start the program; its disk may be full, or it has no python3. Try again')
    }
    const pid = /^\d{1,9}$/.test(stdout.text) ? { pid: Number(stdout.text) } : {}
    this.#store.update(id, { sandboxId, ranFrom: this.#parts.now(), ...pid })
  }

  /** Whether a job that was begun by this object's calls runs: no read of the database. */
  isBegun(id: string): boolean {
    return this.#begun.has(id)
  }

  /** @returns null when there is no such job, or it is no longer kept */
  find(id: string): Job | null {
    return this.#store.get(id)
  }

  /** The running jobs, and the newest of those that have ended. */
  jobs(limit: number): Job[] {
    return [...this.#store.running().reverse(), ...this.#store.ended(limit)]
  }

  /**
   * Part of the log of a running command, as the sandbox has it; waits there for output.
   * @returns null when it could not be had just now
   */
  async printed(job: Job, from: number, waitMs: number, maxBytes: number): Promise<Printed | null> {
    const { caller, logError } = this.#parts
    const { signal } = caller(job.id)
    try {
      const sandbox = job.command && (await this.#sandboxOf(job))
      if (!sandbox) return null
      const script = printScript(job.id, job.command.log, from, waitMs, maxBytes)
      return readPrinted((await sandbox.run(script, { timeoutMs: waitMs + SANDBOX_SCRIPT_MS, signal })).stdout)
    } catch (thrown) {
      signal.throwIfAborted()
      if (!(thrown instanceof SandboxGone)) logError(thrown)
      return null
    }
  }

  view(id: string): JobView | null {
    const job = this.#store.get(id)
    return job && viewOf(job)
  }

  /** @param after returns as soon as there is progress beyond so many lines; by default only at the end */
  async wait(id: string, patienceMs: number, after = Number.POSITIVE_INFINITY): Promise<JobView> {
    const { now } = this.#parts
    const until = now() + patienceMs
    for (;;) {
      const job = this.#store.get(id) ?? fail('not_found', unknown(id))
      const left = until - now()
      if (job.ended || left <= 0 || job.progress.count > after) return viewOf(job)
      await this.#changed.within(left, this.#look(job, left), this.#parts.caller(id).signal)
    }
  }

  /** One look at a job, without waiting for progress. A look under way sees new output by itself. */
  async refresh(id: string): Promise<void> {
    const job = this.#store.get(id)
    if (!job || job.ended || this.#looks.has(id) || this.#starting.has(id)) return
    await this.#changed.within(REFRESH_MS, this.#look(job, 0), this.#parts.caller(id).signal)
  }

  async cancel(id: string): Promise<void> {
    const { now } = this.#parts
    const job = this.#store.get(id)
    if (!job) return fail('not_found', unknown(id))
    if (job.ended) return
    const cancelled = this.#store.update(id, { cancelledAt: job.cancelledAt ?? now() })
    if (!cancelled || this.#starting.has(id)) return
    const sandbox = await this.#sandboxOf(cancelled)
    if (sandbox) await this.#inside(sandbox, id, stopScript(id))
    const { ended } = await this.wait(id, JOB_STOP_MS)
    if (ended) return
    await this.#force(id)
    if (!(await this.wait(id, JOB_STOP_MS)).ended) await this.#stop(id, 'cancelled')
  }

  /** Looks at all jobs once: for a session without calls. */
  async keepUp(): Promise<void> {
    for (const job of this.#store.running()) await this.#look(job, 0)
    if (this.#parts.now() - this.#syncedAt >= JOB_SYNC_MS) await this.#sync()
  }

  /** Commits what running jobs have written so far. */
  async #sync(): Promise<void> {
    const { now, caller, mutex, sessionSandbox, logError } = this.#parts
    this.#syncedAt = now()
    const [job] = this.#store.running()
    if (job) await mutex.run(() => sessionSandbox.pull(caller(job.id))).catch(logError)
  }

  /** Looks at a job, one look at a time, which all waiting calls share. */
  #look(job: Job, waitMs: number): Promise<void> {
    const running = this.#looks.get(job.id)
    if (running) return running
    const look = this.#tryLook(job, Math.min(waitMs, JOB_LOOK_WAIT_MS)).finally(() => this.#looks.delete(job.id))
    this.#looks.set(job.id, look)
    return look
  }

  /** Tries a look. The provider of sandboxes may be out of reach for a while; the job continues meanwhile. */
  async #tryLook(job: Job, waitMs: number): Promise<void> {
    const began = this.#parts.now()
    try {
      await this.#lookOnce(job, waitMs)
      // A look waits for output by itself; one that code of the task has replaced may not, and would be repeated without a pause.
      const pause = Math.min(waitMs, RETRY_MS)
      const isEarly = this.#parts.now() - began < pause
      if (isEarly && this.#store.get(job.id)?.offset === job.offset) await this.#changed.next(pause)
    } catch (thrown) {
      if (!this.#parts.caller(job.id).signal.aborted) this.#parts.logError(thrown)
      // Code of the task may have made the look fail; an unreachable provider is asked again.
      if (this.#isOverdue(job) && !isOutOfReach(thrown)) await this.#stop(job.id, 'timeout').catch(this.#parts.logError)
      await this.#changed.next(Math.min(waitMs, RETRY_MS))
    }
  }

  async #lookOnce({ id }: Job, waitMs: number): Promise<void> {
    if (this.#starting.has(id)) return this.#changed.next(waitMs)
    // Its start may have ended since the caller read it.
    const job = this.#store.get(id)
    if (!job || job.ended) return
    const sandbox = await this.#sandboxOf(job)
    if (!sandbox) return this.#lose(job, 'its sandbox ended')
    const look = await this.#seen(sandbox, job, waitMs)
    if (!look) return this.#lose(job, 'its sandbox ended, or somebody ended it there')
    const now = this.#read(job, look)
    if (!now) return
    const isTooMuch = now.offset > MAX_JOB_OUTPUT_BYTES + MAX_JOB_LINE_BYTES // more than the supervisor writes: a forgery
    if (look.more && !isTooMuch) return
    if (look.end) {
      // Somebody else wrote its end: the program must not run on unwatched.
      if (look.alive) await this.#force(job.id)
      return this.#finish(now, look.end)
    }
    const time = this.#parts.now()
    if (!look.alive) {
      const how = now.cancelledAt !== null ? 'cancelled' : time > now.deadlineAt ? 'timeout' : null
      if (!how) return this.#lose(now, 'somebody ended it in the sandbox, or memory ran out')
      return this.#finish(now, { how, exitCode: null, stderr: '', durationMs: time - now.startedAt })
    }
    if (isTooMuch || this.#isOverdue(now)) await this.#stop(job.id, 'timeout')
  }

  /** Whether a job is past the time at which its supervisor should have stopped it. */
  #isOverdue({ deadlineAt }: Job): boolean {
    return this.#parts.now() > deadlineAt + JOB_STOP_MS
  }

  /** Stops a job whatever the sandbox reports of it: that may be a lie. */
  async #stop(id: string, how: 'cancelled' | 'timeout'): Promise<void> {
    await this.#force(id)
    const job = this.#store.get(id)
    if (!job || job.ended) return
    await this.#finish(job, { how, exitCode: null, stderr: '', durationMs: this.#parts.now() - job.startedAt })
  }

  /** Looks at a job in its sandbox. @returns null when no supervisor watches it, or its sandbox is gone */
  async #seen(sandbox: Sandbox, job: Job, waitMs: number): Promise<Look | null> {
    const { signal } = this.#parts.caller(job.id)
    try {
      const script = lookScript(job.id, job.offset, waitMs)
      const { stdout } = await sandbox.run(script, { timeoutMs: waitMs + SANDBOX_SCRIPT_MS, signal })
      return readLook(stdout)
    } catch (thrown) {
      if (!(thrown instanceof SandboxGone)) throw thrown
      await this.#discard(sandbox, job.id)
      return null
    }
  }

  #read(job: Job, { lines, bytes }: Look): Job | null {
    const reader = this.#parts.readerOf(job.tool)
    let { state, progress } = job
    for (const line of lines) {
      const read = reader?.line(state, line)
      state = read?.state ?? state
      if (read?.progress) progress = withLine(progress, read.progress)
    }
    if (bytes === 0) return this.#store.get(job.id)
    const next = this.#store.update(job.id, { state, progress, offset: job.offset + bytes })
    this.#changed.notify()
    return next
  }

  /** Fetches a job's files and keeps its answer; the answer goes without files that repeated attempts could not fetch. */
  async #finish(job: Job, end: Omit<JobEnd, 'created'>): Promise<void> {
    const tries = (job.tries ?? 0) + 1
    this.#store.update(job.id, { tries })
    const sandbox = await this.#takeOver(job).catch((thrown: unknown) => {
      if (tries < MAX_TRIES) throw thrown
      this.#parts.logError(thrown)
      return this.#sandboxOf(job)
    })
    if (!sandbox) return this.#lose(job, 'its sandbox ended with it')
    const created = this.#parts.caller(job.id).workspace.createdSince(job.baseSeq)
    this.#end(job.id, this.#answer(job, { ...end, created }))
    await this.#inside(sandbox, job.id, removeScript(job.id))
  }

  async #takeOver({ id, sandboxId }: Job): Promise<Sandbox | null> {
    const { sessionSandbox, mutex, caller } = this.#parts
    return mutex.run(async () => {
      try {
        const sandbox = await sessionSandbox.reach(sandboxId ?? '', SANDBOX_SCRIPT_MS, caller(id).signal)
        if (sandbox) await sessionSandbox.pull(caller(id))
        return sandbox
      } catch (thrown) {
        if (!(thrown instanceof SandboxGone)) throw thrown
        await sessionSandbox.discard(caller(id))
        return null
      }
    })
  }

  #answer(job: Job, end: JobEnd): NonNullable<Job['ended']> {
    try {
      if (job.command) return { result: resultOfCommand(job.command.log, end) }
      const reader = this.#parts.readerOf(job.tool)
      return reader ? { result: reader.end(job.state, end) } : { failure: lost('the tool that ran it is gone') }
    } catch (thrown) {
      if (!(thrown instanceof FailureError)) this.#parts.logError(thrown)
      return { failure: toFailure(thrown) }
    }
  }

  async #lose(job: Job, why: string): Promise<void> {
    await this.#force(job.id)
    this.#end(job.id, { failure: job.command ? lostCommand(why, job.command.log) : lost(why) })
  }

  #end(id: string, ended: NonNullable<Job['ended']>): void {
    const { sessionSandbox, now } = this.#parts
    const job = this.#store.get(id)
    if (job?.ended !== null) return
    const time = now()
    this.#store.end(id, ended, time)
    this.#begun.delete(id)
    sessionSandbox.commands.count -= 1
    // By this clock: code of the task may have written the sandbox's times.
    this.#parts.ended(id, ended, job.ranFrom === undefined ? 0 : time - job.ranFrom)
    this.#changed.notify()
  }

  /** Kills the remaining processes of a job, from outside of its own supervision. */
  async #force(id: string): Promise<void> {
    const job = this.#store.get(id)
    if (!job || job.ended) return
    const sandbox = await this.#sandboxOf(job)
    if (!sandbox) return
    await this.#inside(sandbox, id, killScript(id))
  }

  /** Runs a script whose failure changes nothing: the processes that it should have ended are looked at again. */
  async #inside(sandbox: Sandbox, id: string, script: string): Promise<void> {
    const { caller, logError } = this.#parts
    await sandbox.run(script, { timeoutMs: SANDBOX_SCRIPT_MS, signal: caller(id).signal }).catch(logError)
  }

  async #sandboxOf({ id, sandboxId }: Job): Promise<Sandbox | null> {
    const { mutex, sessionSandbox, caller, overdue } = this.#parts
    if (sandboxId === null) return null
    await overdue.settled()
    return mutex.run(() =>
      sessionSandbox.reach(sandboxId, JOB_LOOK_WAIT_MS + SANDBOX_SCRIPT_MS + KILL_GRACE_MS, caller(id).signal),
    )
  }

  #discard(sandbox: Sandbox, id: string): Promise<boolean> {
    const { mutex, sessionSandbox, caller } = this.#parts
    return mutex.run(() => sessionSandbox.discard(caller(id), sandbox.id))
  }
}

const unknown = (id: string) =>
  `there is no work of a call "${id.slice(0, 50)}" in this task; what has ended is kept for a day (JOB_KEPT_MS)`

const lost = (why: string) => ({
  code: 'upstream' as const,
  message: `this work was lost: ${why}; the files that it wrote until then are in the task. Look at them, then call again`,
})

const lostCommand = (why: string, log: WorkspacePath) => ({
  code: 'upstream' as const,
  message: `the job was lost: ${why}; its output so far is in ${log}, and the files that it wrote until then are in the task. Run it again if it is still needed`,
  data: { state: 'lost' },
})

/**
 * Adds a progress line. The reader's words come from a program's output: bounded, in one line, and without what looks like a
 * credential.
 */
function withLine({ lines, count }: JobView['progress'], line: string): JobView['progress'] {
  const short = redact(line.replaceAll(/\s+/g, ' ').trim()).slice(0, MAX_PROGRESS_CHARS)
  return { lines: [...lines, short].slice(-MAX_PROGRESS_LINES), count: count + 1 }
}

const viewOf = ({ id, startedAt, progress, ended }: Job): JobView => ({
  id,
  startedAt,
  progress,
  ...(ended && { ended }),
})
