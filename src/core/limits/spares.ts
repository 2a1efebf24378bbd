/** Spares: sandboxes kept booted for sessions that have none yet, of the account and of single tenants. */

/** Number of spares, unless SANDBOX_SPARES says otherwise: each is a running sandbox. */
export const DEFAULT_SPARES = 1
/** Pause from taking a spare until the next one is made: on two cores its boot would slow down the command that took it. */
export const SPARE_DELAY_MS = 2_000
/**
 * Time that spares are kept after a session last wanted a new sandbox, where running sandboxes are paid for. An agent that begins
 * a task each ten minutes always finds one, and a deployment that nobody uses pays for none.
 */
export const SPARE_KEPT_MS = 10 * 60_000
/** Interval at which a spare is checked, and its host told to let it run on. */
export const SPARE_LOOK_MS = 5 * 60_000
/** Time after which the host pauses a spare that nobody checks: three checks. */
export const SPARE_IDLE_MS = 3 * SPARE_LOOK_MS
/** Pause after a spare could not be made, or the host had no room for it. */
export const SPARE_RETRY_MS = 60_000
/** Time that a session waits for a spare before it makes a sandbox of its own: longer than making one takes. */
export const TAKE_SPARE_MS = 1_000
/** Taken spares that their session has neither confirmed nor declined yet. */
export const MAX_NOTED_SPARES = 10_000

/**
 * Sandboxes in a tenant's warm pool, the ceiling of `warm_sandboxes`: a fifth of what E2B's plan `pro` lets run. More sessions that begin
 * within the second that making one takes find a queue in any case.
 */
export const MAX_WARM_SANDBOXES = 20
/**
 * Time for which warm pools keep their order where places are too few for all: then the first one goes to the end of the line. Shorter turns
 * would end and boot more sandboxes.
 */
export const WARM_TURN_MS = 10 * 60_000
/** Warm pools that are read at once: an account of E2B lets some hundreds of sandboxes run, and a pool without a place has none. */
export const MAX_WARM_POOLS = 1_000
/** Pieces of metered time that wait for their tenants; the oldest are dropped. A pool of 20 makes some 240 an hour. */
export const MAX_WARM_TIMES = 10_000
/** Pieces of metered time in one report to a tenant. */
export const WARM_TIMES_PER_REPORT = 200
