const MINUTE_MS = 60_000
/** Callers that are known at a time before those are forgotten whose bucket is full anyway. */
const SWEEP_CALLERS = 1_000

interface Bucket {
  readonly left: number
  readonly at: number
}

/** How often each caller may ask of what all share: a bucket for each, filled up by the minute. Counted in this instance of the Worker alone. */
export class Pace {
  readonly #perMinute: number
  readonly #buckets = new Map<string, Bucket>()

  constructor(perMinute: number) {
    this.#perMinute = perMinute
  }

  /** @returns milliseconds until it may ask; 0 when it may now, which is counted */
  take(caller: string, now: number): number {
    const left = this.#left(this.#buckets.get(caller), now)
    if (left < 1) return Math.ceil(((1 - left) / this.#perMinute) * MINUTE_MS)
    if (this.#buckets.size >= SWEEP_CALLERS) this.#sweep(now)
    this.#buckets.set(caller, { left: left - 1, at: now })
    return 0
  }

  #left(bucket: Bucket | undefined, now: number): number {
    if (!bucket) return this.#perMinute
    return Math.min(this.#perMinute, bucket.left + (Math.max(0, now - bucket.at) / MINUTE_MS) * this.#perMinute)
  }

  #sweep(now: number): void {
    for (const [caller, bucket] of this.#buckets) {
      if (this.#left(bucket, now) >= this.#perMinute) this.#buckets.delete(caller)
    }
  }
}
