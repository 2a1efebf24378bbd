import type { UsageSums } from './api.ts'
import { latencyBucket } from './latency.ts'

export const HOUR_MS = 60 * 60_000
export const HOURS_PER_DAY = 24

/** Stands for several that are no longer told apart. */
export const OTHERS = '*'

export const NO_USE: UsageSums = {
  ...{ calls: 0, failed: 0, refused: 0 },
  ...{ ms: 0, bytesIn: 0, bytesOut: 0, sandboxMs: 0, cost: 0 },
}

/** What calls are counted by. Nobody is an empty text. */
export interface UsageKey {
  /** Since 1970. */
  readonly hour: number
  readonly tool: string
  readonly key: string
  readonly agent: string
  readonly session: string
}

/** What one call adds, or several that ended alike. */
export interface UsageEntry {
  readonly at: UsageKey
  readonly sums: UsageSums
  /** Why it failed or was refused; null when it worked. */
  readonly reason: string | null
  /** Milliseconds of each, where it stands for several calls. */
  readonly eachMs?: readonly number[]
}

/** One row while it grows. */
export class UsageRow {
  readonly at: UsageKey
  readonly sums = { calls: 0, failed: 0, refused: 0, ms: 0, bytesIn: 0, bytesOut: 0, sandboxMs: 0, cost: 0 }
  readonly reasons: Map<string, number>
  readonly latencies: Map<string, number>

  constructor(at: UsageKey) {
    this.at = at
    this.reasons = new Map()
    this.latencies = new Map()
  }

  add({ sums, reason, eachMs }: UsageEntry): void {
    for (const name of SUMS) this.sums[name] += sums[name]
    if (reason !== null) increase(this.reasons, reason, sums.failed + sums.refused)
    // How long a lost one took nobody knows.
    if (sums.calls === 0 || reason === 'lost') return
    for (const ms of eachMs ?? [sums.ms]) increase(this.latencies, `${latencyBucket(ms)}`, 1)
  }

  /** What is stored of the same row already. */
  addStored(sums: UsageSums, reasons: string, latencies: string): void {
    for (const name of SUMS) this.sums[name] += sums[name]
    for (const [reason, count] of countsIn(reasons)) increase(this.reasons, reason, count)
    for (const [bucket, count] of countsIn(latencies)) increase(this.latencies, bucket, count)
  }
}

const SUMS = ['calls', 'failed', 'refused', 'ms', 'bytesIn', 'bytesOut', 'sandboxMs', 'cost'] as const

const increase = (counts: Map<string, number>, name: string, by: number) =>
  counts.set(name, (counts.get(name) ?? 0) + by)

const countsIn = (json: string) => Object.entries(JSON.parse(json) as Record<string, number>)
