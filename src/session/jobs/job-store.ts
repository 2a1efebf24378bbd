import { JOB_KEPT_MS, MAX_KEPT_JOBS } from '../../core/limits/jobs.ts'
import { LazyTable } from '../../migrations/session/lazy-table.ts'
import type { JobView } from '../../ports/jobs.ts'
import type { Sql } from '../../ports/sql.ts'

/** A job as the session remembers it: all that is needed to go on with it after a restart. */
export interface Job {
  readonly id: string
  readonly tool: string
  /** Null until the program was started. */
  readonly sandboxId: string | null
  /** The workspace's newest commit when it began. */
  readonly baseSeq: number
  readonly startedAt: number
  /** When its program was started in the sandbox; absent before, and in rows of earlier versions. */
  readonly ranFrom?: number
  readonly deadlineAt: number
  /** Bytes of its output that were read. */
  readonly offset: number
  /** Of its tool's reader. */
  readonly state: object
  readonly progress: JobView['progress']
  /** When it was asked to stop. */
  readonly cancelledAt: number | null
  readonly ended: NonNullable<JobView['ended']> | null
  /** Times that its files were asked for after its end. */
  readonly tries?: number
}

type Row = { id: string; job: string; ended_at: number | null }

/** The jobs that run, and those that ended lately. */
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
    return row ? (JSON.parse(row.job) as Job) : null
  }

  running(): Job[] {
    return this.#table
      .read<Row>('SELECT * FROM jobs WHERE ended_at IS NULL ORDER BY id')
      .map(({ job }) => JSON.parse(job) as Job)
  }

  /** @returns the job as it is now; null when it was removed */
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
    this.#table.read('UPDATE jobs SET job = ?, ended_at = ? WHERE id = ?', JSON.stringify({ ...job, ended }), now, id)
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
