import type { Internet } from './internet.ts'

/** Lifetimes of a session. */
export interface Lifetimes {
  /** Time from its creation after which the session is removed, in milliseconds; null for never. */
  readonly lifetimeMs: number | null
  /** Time without use after which the session is removed, in milliseconds; null for never. */
  readonly idleLifetimeMs: number | null
}

/** Settings of a session that the published dialects have no words for. */
export interface SessionSettings extends Lifetimes {
  readonly labels: Readonly<Record<string, string>>
  /** Policy for commands in the session's sandboxes, within its tenant's ceiling; null for the tenant's default. */
  readonly internet: Internet | null
}

/** Settings of a session that is to be made; a lifetime that is left out is the tenant's default. */
export type NewSettings = Omit<SessionSettings, keyof Lifetimes> & Partial<Lifetimes>

/** Lifetimes of a session that stays until it is removed. */
export const NO_LIFETIMES: Lifetimes = { lifetimeMs: null, idleLifetimeMs: null }

/** Settings of a session for which none were given: the published dialects' sessions, and those of earlier versions. */
export const USUAL_SETTINGS: SessionSettings = { labels: {}, internet: null, ...NO_LIFETIMES }

/**
 * State of a session for those who look at it: `ready` without a sandbox, `running` with a sandbox that runs, `paused` with one
 * that waits, with its processes in memory, for the next call that needs it.
 */
export type SessionState = 'ready' | 'running' | 'paused'

/** End of a session's lifetimes: the time, in milliseconds since 1970, and the lifetime that ends first. */
export interface Expiry {
  readonly at: number
  readonly by: 'idle' | 'total'
}

/** Expiry of a session that is not used any more after `usedAt`. @returns null for one that never expires */
export function expiryOf(
  { lifetimeMs, idleLifetimeMs }: Lifetimes,
  { createdAt, usedAt }: { readonly createdAt: number; readonly usedAt: number },
): Expiry | null {
  const total = lifetimeMs === null ? Number.POSITIVE_INFINITY : createdAt + lifetimeMs
  const idle = idleLifetimeMs === null ? Number.POSITIVE_INFINITY : usedAt + idleLifetimeMs
  const at = Math.min(total, idle)
  return at === Number.POSITIVE_INFINITY ? null : { at, by: total <= idle ? 'total' : 'idle' }
}
