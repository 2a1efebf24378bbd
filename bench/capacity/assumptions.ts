import { SANDBOX_QUIET_MS } from '../../src/core/limits/leases.ts'
import type { MeasuredCall } from './measured.ts'

/** Tenant as the tables of docs/operating.md assume it. What others have is changed here, and `npm run bench:capacity` writes the tables anew. */
export const TENANT = {
  /** Calls a day, by kind: 300. */
  callsPerDay: {
    file_read: 120,
    'file_write, a new path': 40,
    'file_write, an existing path': 60,
    'execute_shell, no change': 40,
    'execute_shell, one file changed': 30,
    'a call by Toolcore': 8,
    'a paper search, 1,000 papers': 2,
  } satisfies Record<MeasuredCall, number>,
  /** Calls come together: the first one wakes what the others share. */
  callsPerBurst: 10,
  /** Bursts a day that use a sandbox: those of the shell. Each finds none, the worst case. */
  sandboxBurstsPerDay: 7,
  /** Seconds in which the commands of a burst run, and those in which the sandbox then waits for another one. */
  workSecondsPerBurst: 60,
  idleSecondsPerBurst: SANDBOX_QUIET_MS / 1_000,
  /** Requests to the object of leases for a burst: a lease, its extensions, its end, a place in the pace of creations. */
  leaseRequestsPerBurst: 8,
  /** Requests to E2B for a burst: made, told to run longer, paused, ended. */
  lifecyclesPerBurst: 6,
  /** Times that a burst reads its key in D1: isolates remember it for half a minute. Each reads three rows. */
  keyReadsPerBurst: 2,
  rowsPerKeyRead: 3,
  /** Processor time of the Worker for a request, with what its objects need, in milliseconds. */
  cpuMsPerRequest: 8,
  /** Contents a day that are too large or too many to wait in SQLite: each is an operation of R2, and seven rows (decision 097). */
  contentsToR2PerDay: 40,
  rowsPerContentToR2: 7,
  /** Contents a day that come from R2, most of them into new sandboxes. */
  contentsFromR2PerDay: 100,
  /** GB a day that nothing refers to any more: as many contents as go to R2, of 0.2 MB each. They stay for the days of DELETED_CONTENTS_DAYS. */
  releasedGbPerDay: 40 * 0.2e-3,
  /** Storage, in GB; R2's without what is released. */
  objectGb: 0.05,
  r2Gb: 0.5,
  keysGb: 4e-6,
  papersGb: 50 * 20e-6,
} as const

export const DAYS_PER_MONTH = 30
export const SECONDS_PER_DAY = 86_400
/** Times the mean of a day that the busiest minutes have: most work is done in ten hours, and not evenly. */
export const PEAK = 5
/** Time that a search over papers takes its database (decision 105). */
export const SEARCH_SECONDS = 0.03
export const TENANTS = [10, 1_000, 100_000] as const
