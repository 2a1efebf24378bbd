/** Plans of accounts at E2B, where sandboxes are paid for and counted. */

/** Limits of one account at a provider of sandboxes, which refuses what goes beyond them. */
export interface SandboxPlan {
  /** Sandboxes that run at once; paused ones do not count. */
  readonly running: number
  /** Sandboxes that are made in a second. */
  readonly creationsPerSecond: number
  /** Longest time for which a sandbox may be told to run, in milliseconds. */
  readonly longestRunMs: number
}

const HOUR_MS = 60 * 60_000

/** @see https://e2b.dev/docs/sandbox/rate-limits */
export const E2B_PLANS = {
  hobby: { running: 20, creationsPerSecond: 1, longestRunMs: HOUR_MS },
  pro: { running: 100, creationsPerSecond: 5, longestRunMs: 24 * HOUR_MS },
} satisfies Readonly<Record<string, SandboxPlan>>

/** Bounds of a plan given by numbers: larger ones are mistakes of writing. */
export const MAX_PLAN_RUNNING = 100_000
export const MAX_PLAN_CREATIONS = 1_000
/** A run shorter than this leaves no time for a command beside what is kept for its end. */
export const MIN_PLAN_HOURS = 0.25
export const MAX_PLAN_HOURS = 24 * 30
