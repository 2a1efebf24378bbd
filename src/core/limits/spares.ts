/** Sandboxes that are kept booted for sessions that have none yet. */

/** Spares, unless SANDBOX_SPARES says otherwise: each is a sandbox that runs. */
export const DEFAULT_SPARES = 1
/** The next spare is made this long after one was taken: on two cores booting it would slow down the command that took it. */
export const SPARE_DELAY_MS = 2_000
/** Where running sandboxes are paid for, spares are kept this long after a session last wanted a new sandbox. An agent that
 * begins a task each ten minutes always finds one, and a deployment that nobody uses pays for none. */
export const SPARE_KEPT_MS = 10 * 60_000
/** A spare is looked at this often, and its host told to let it run on. */
export const SPARE_LOOK_MS = 5 * 60_000
/** The host pauses a spare that nobody looks after: three looks. */
export const SPARE_IDLE_MS = 3 * SPARE_LOOK_MS
/** A spare that could not be made, or for which the host had no room, is tried again after this long. */
export const SPARE_RETRY_MS = 60_000
/** A session that hears of no spare in this time makes a sandbox of its own, which takes less. */
export const TAKE_SPARE_MS = 1_000
/** Spares that were taken and of which the session has not yet said that it has them, or that it does not. */
export const MAX_NOTED_SPARES = 10_000
