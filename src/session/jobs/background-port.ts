import { fail } from '../../core/failure.ts'
import { JOB_START_MS, MAX_JOB_ANSWER_BYTES, MAX_JOB_COMMAND_CHARS, MAX_LISTED_JOBS } from '../../core/limits/jobs.ts'
import { redact } from '../../core/redact.ts'
import { say, tool as toolName } from '../../core/saying/saying.ts'
import type { WorkspacePath } from '../../core/workspace-path.ts'
import type {
  Background,
  BackgroundCommand,
  BackgroundJob,
  JobOutput,
  JobState,
  LogPart,
} from '../../ports/background.ts'
import type { SyncedWorkspace } from '../../workspace/synced.ts'
import type { CallScope } from '../call-scope.ts'
import type { SessionRunner } from '../sandbox/session-runner.ts'
import type { Job } from './job-store.ts'
import type { SessionJobs } from './jobs.ts'
import { partOf } from './log-part.ts'

/** Time that an answer waits for a job that has ended in the sandbox to be known as ended here. */
const END_MS = 5_000
/** Pause after a sandbox that could not be asked. */
const RETRY_MS = 1_000

interface Parts {
  readonly jobs: SessionJobs
  readonly call: CallScope
  readonly runner: () => SessionRunner
  readonly workspace: SyncedWorkspace
  readonly now: () => number
}

/** The `Background` port for one call. */
export class BackgroundPort implements Background {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  async start({
    script,
    cwd,
    env = {},
    secrets = [],
    timeoutMs,
    label,
    shown,
  }: BackgroundCommand): Promise<BackgroundJob> {
    const { jobs, call, runner } = this.#parts
    call.known.now()
    const log = `logs/${label}-${call.callId}.txt` as WorkspacePath
    const line = redact(shown.replaceAll(/\s+/g, ' ').trim()).slice(0, MAX_JOB_COMMAND_CHARS)
    return this.#view(
      await jobs.beginCommand(
        call.callId,
        call.tool,
        { script, cwd, env, secrets, timeoutMs, log, shown: line },
        runner(),
      ),
    )
  }

  async wait(id: string, patienceMs: number): Promise<BackgroundJob> {
    await this.#parts.jobs.wait(id, patienceMs)
    return this.#view(this.#job(id))
  }

  async output(id: string, { from, patienceMs }: LogPart): Promise<JobOutput> {
    const { jobs, now, call } = this.#parts
    const until = now() + patienceMs
    if (!this.#job(id).command)
      fail('invalid_input', say`job "${id}" has no log; ${toolName('code_task_execute')} with its id tells of it`)
    for (;;) {
      call.cancel.throwIfAborted()
      const job = this.#job(id)
      if (job.ended) return this.#kept(job, from)
      const left = Math.max(0, until - now())
      const part = await jobs.printed(job, from, left, MAX_JOB_ANSWER_BYTES)
      if (!part || part.ended) await jobs.wait(id, part ? Math.max(END_MS, left) : Math.min(left, RETRY_MS))
      else if (part.bytes > 0 || left === 0) return this.#running(job, part)
      if (this.#job(id).ended) continue
      if (part?.ended || now() >= until) {
        return this.#running(job, part ?? { text: '', from: Math.max(0, from), bytes: 0, size: null })
      }
    }
  }

  async stop(id: string): Promise<BackgroundJob> {
    const { jobs } = this.#parts
    this.#job(id)
    await jobs.cancel(id)
    // One that is just being started ends after that.
    await jobs.wait(id, JOB_START_MS)
    return this.#view(this.#job(id))
  }

  async list(): Promise<readonly BackgroundJob[]> {
    const { jobs } = this.#parts
    await Promise.all(jobs.runningIds().map((id) => jobs.refresh(id)))
    return jobs.jobs(MAX_LISTED_JOBS).map((job) => this.#view(job))
  }

  /** @throws FailureError `not_found` */
  #job(id: string): Job {
    const missing = say`there is no job "${id.slice(0, 50)}", or it ended more than a day ago; ${toolName('job_list')} has all`
    return this.#parts.jobs.find(id) ?? fail('not_found', missing)
  }

  #running(
    job: Job,
    { text, from, bytes, size }: Omit<JobOutput, 'job' | 'next'> & { readonly bytes: number },
  ): JobOutput {
    return { job: this.#view(job), text, from, next: from + bytes, size }
  }

  async #kept(job: Job, from: number): Promise<JobOutput> {
    const content = job.command ? await this.#parts.workspace.read(job.command.log) : null
    const part = partOf(content ?? new Uint8Array(), from, MAX_JOB_ANSWER_BYTES)
    return { job: this.#view(job), ...part, size: content?.byteLength ?? null }
  }

  #view({ id, tool, pid, command, startedAt, endedAt, ended }: Job): BackgroundJob {
    const ms = (endedAt ?? this.#parts.now()) - startedAt
    const base = {
      id,
      tool,
      pid: pid ?? null,
      command: command?.shown ?? null,
      log: command?.log ?? null,
      startedAt,
      ms,
    }
    if (!ended) return { ...base, state: 'running', exitCode: null }
    if ('failure' in ended) {
      const state = ended.failure.data?.state === 'lost' ? 'lost' : 'failed'
      return { ...base, state, exitCode: null, why: ended.failure.message }
    }
    const { state, exit_code, why } = ended.result.data
    return {
      ...base,
      state: (state ?? 'exited') as JobState,
      exitCode: typeof exit_code === 'number' ? exit_code : null,
      ...(typeof why === 'string' && { why }),
    }
  }
}
