/** Each bucket reaches 9 % further than the one before; a call is at most 4.5 % off the middle of its own. */
const BUCKETS_PER_OCTAVE = 8

/** @param ms whole milliseconds */
export const latencyBucket = (ms: number): number => (ms < 1 ? 0 : 1 + Math.floor(Math.log2(ms) * BUCKETS_PER_OCTAVE))
