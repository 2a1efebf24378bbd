import { latencyBucket } from './latency.ts'
import { NO_USE, type UsageKey, type UsageSums } from './usage-api.ts'

export const HOUR_MS = 60 * 60_000
export const HOURS_PER_DAY = 24

/** Name of several members of a group that are counted together. */
export const OTHERS = '*'

/** Reason of calls that are not among the failed ones, though their command ended with another code than 0. */
export const NONZERO_EXIT = 'nonzero_exit'

/** Usage of one call, or of several that ended alike. */
export interface UsageEntry {
  readonly at: UsageKey
  readonly sums: UsageSums
  /** Code of the failure or refusal, or {@link NONZERO_EXIT}; null for success. */
  readonly reason: string | null
  /** Milliseconds of each call, where the entry stands for several. */
  readonly eachMs?: readonly number[]
}

/** A usage row in the course of adding entries. */
export class UsageRow {
  readonly at: UsageKey
  readonly sums = { ...NO_USE }
  readonly reasons: Map<string, number>
  readonly latencies: Map<string, number>

  constructor(at: UsageKey) {
    this.at = at
    this.reasons = new Map()
    this.latencies = new Map()
  }

  add({ sums, reason, eachMs }: UsageEntry): void {
    for (const name of SUMS) this.sums[name] += sums[name]
    const counted = reason === NONZERO_EXIT ? sums.calls : sums.failed + sums.refused
    if (reason !== null) increase(this.reasons, reason, counted)
    // How long a lost call took is unknown.
    if (sums.calls === 0 || reason === 'lost') return
    for (const ms of eachMs ?? [sums.ms]) increase(this.latencies, `${latencyBucket(ms)}`, 1)
  }

  /** Adds the stored values of the same row. */
  addStored(sums: UsageSums, reasons: string, latencies: string): void {
    for (const name of SUMS) this.sums[name] += sums[name]
    for (const [reason, count] of countsIn(reasons)) increase(this.reasons, reason, count)
    for (const [bucket, count] of countsIn(latencies)) increase(this.latencies, bucket, count)
  }
}

const SUMS = [
  ...(['calls', 'failed', 'refused', 'ms', 'bytesIn', 'bytesOut', 'sandboxMs', 'cost'] as const),
  ...(['sandboxRunningMs', 'sandboxPausedMs'] as const),
]

const increase = (counts: Map<string, number>, name: string, by: number) =>
  counts.set(name, (counts.get(name) ?? 0) + by)

const countsIn = (json: string) => Object.entries(JSON.parse(json) as Record<string, number>)
