import type { Failure } from '../../core/failure.ts'
import { JOB_KEPT_MS, MAX_KEPT_JOBS } from '../../core/limits/jobs.ts'
import type { Saying } from '../../core/saying/saying.ts'
import type { WorkspacePath } from '../../core/workspace-path.ts'
import { LazyTable } from '../../migrations/session/lazy-table.ts'
import type { JobView } from '../../ports/jobs.ts'
import type { Sql } from '../../ports/sql.ts'

/** A stored job, with all that is needed to continue with it after a restart. */
export interface Job {
  readonly id: string
  readonly tool: string
  /** Null until the program is started. */
  readonly sandboxId: string | null
  /** The workspace's newest commit when the job began. */
  readonly baseSeq: number
  readonly startedAt: number
  /** Time when the program was started in the sandbox; absent before, and in rows of earlier versions. */
  readonly ranFrom?: number
  readonly deadlineAt: number
  /** Number of output bytes already read. */
  readonly offset: number
  /** State of the tool's reader. */
  readonly state: object
  readonly progress: JobView['progress']
  /** Time of the request to stop; null without one. */
  readonly cancelledAt: number | null
  readonly ended: NonNullable<JobView['ended']> | null
  /** Process id in the sandbox; absent before the start, and in rows of earlier versions. */
  readonly pid?: number
  /** Command in the background: how lists show it, and the file with its output. Absent for other work. */
  readonly command?: { readonly shown: string; readonly log: WorkspacePath }
  /** Time of the end; absent while the job runs, and in rows of earlier versions. */
  readonly endedAt?: number
  /** Number of attempts to fetch the job's files after its end. */
  readonly tries?: number
}

type Row = { id: string; job: string; ended_at: number | null }

/** Running jobs, and those that ended lately. */
export class JobStore {
  readonly #table: LazyTable

  constructor(sql: Sql) {
    this.#table = new LazyTable(sql, 'jobs')
  }

  add(job: Job): void {
    this.#table.write('INSERT INTO jobs (id, job) VALUES (?, ?)', job.id, JSON.stringify(job))
  }

  get(id: string): Job | null {
    const [row] = this.#table.read<Row>('SELECT * FROM jobs WHERE id = ?', id)
    return row ? jobOf(row) : null
  }

  running(): Job[] {
    return this.#table.read<Row>('SELECT * FROM jobs WHERE ended_at IS NULL ORDER BY id').map(jobOf)
  }

  /** The newest ended jobs, newest first. */
  ended(limit: number): Job[] {
    const query = 'SELECT * FROM jobs WHERE ended_at IS NOT NULL ORDER BY ended_at DESC, id DESC LIMIT ?'
    return this.#table.read<Row>(query, limit).map(jobOf)
  }

  /** Updates a job. @returns the updated one; null when it was removed */
  update(id: string, changes: Partial<Omit<Job, 'id' | 'ended'>>): Job | null {
    const job = this.get(id)
    if (!job) return null
    const next = { ...job, ...changes }
    this.#table.read('UPDATE jobs SET job = ? WHERE id = ?', JSON.stringify(next), id)
    return next
  }

  end(id: string, ended: NonNullable<Job['ended']>, now: number): void {
    const job = this.get(id)
    if (!job) return
    this.#table.read(
      'UPDATE jobs SET job = ?, ended_at = ? WHERE id = ?',
      JSON.stringify({ ...job, ended, endedAt: now }),
      now,
      id,
    )
    this.#table.read('DELETE FROM jobs WHERE ended_at < ?', now - JOB_KEPT_MS)
    this.#table.read(
      `DELETE FROM jobs WHERE ended_at IS NOT NULL AND id NOT IN
         (SELECT id FROM jobs WHERE ended_at IS NOT NULL ORDER BY ended_at DESC LIMIT ?)`,
      MAX_KEPT_JOBS,
    )
  }

  remove(id: string): void {
    this.#table.read('DELETE FROM jobs WHERE id = ?', id)
  }
}

/** Job of a row. In rows of earlier versions the message parts of a failure are called `said`. */
function jobOf({ job }: Row): Job {
  const read = JSON.parse(job) as Job
  if (!read.ended || !('failure' in read.ended)) return read
  const { said, ...failure }: Failure & { readonly said?: Saying } = read.ended.failure
  return said ? { ...read, ended: { failure: { ...failure, parts: said } } } : read
}
