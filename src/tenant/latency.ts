/** Number of calls by latency bucket, with JSON keys. */
export type Latencies = Readonly<Record<string, number>>

/** Each bucket reaches 9 % further than the one before; a call is at most 4.5 % off the middle of its own. */
const BUCKETS_PER_OCTAVE = 8

/** Bucket of a duration. @param ms whole milliseconds */
export const latencyBucket = (ms: number): number => (ms < 1 ? 0 : 1 + Math.floor(Math.log2(ms) * BUCKETS_PER_OCTAVE))

const middleOf = (bucket: number): number => (bucket === 0 ? 0 : Math.round(2 ** ((bucket - 0.5) / BUCKETS_PER_OCTAVE)))

/**
 * Latency that this share of the calls did not exceed, in milliseconds, to within 4.5 % and half a millisecond.
 * @param share 0.5 for the median
 * @returns null without calls
 */
export function latencyAt(latencies: Latencies, share: number): number | null {
  const buckets = Object.entries(latencies)
    .map(([bucket, calls]) => ({ bucket: Number(bucket), calls }))
    .sort((one, other) => one.bucket - other.bucket)
  const total = buckets.reduce((sum, { calls }) => sum + calls, 0)
  let below = 0
  for (const { bucket, calls } of buckets) {
    below += calls
    if (below >= total * share) return middleOf(bucket)
  }
  return null
}
