/** Leases of running sandboxes when there are fewer than sessions that want one. */

/** Sandboxes running at once, unless SANDBOXES_MAX says otherwise: what E2B's smallest plan has. */
export const DEFAULT_SANDBOXES = 20
/**
 * Time without a call after which a sandbox is paused, unless SANDBOX_QUIET_SECONDS says otherwise: an agent thinks for less
 * between two calls, and waking one takes about a second.
 */
export const SANDBOX_QUIET_MS = 90_000
/**
 * Time that a call queues for a sandbox, unless SANDBOX_WAIT_SECONDS says otherwise: clients give up after 120 s, and making a
 * sandbox takes its time too.
 */
export const SANDBOX_WAIT_MS = 30_000
/** `Retry-After` of a call that got no sandbox. */
export const SANDBOX_RETRY_MS = 10_000
/** Time that a free sandbox is kept for a tenant whose call waited in vain: it comes again after SANDBOX_RETRY_MS. */
export const TURN_KEPT_MS = 2 * 60_000
/** Time for which a session takes its lease's word that there is no spare sandbox: its sandbox is made right after that. */
export const NO_SPARES_MS = 5_000
/** Time by which a lease outlasts the moment its host pauses the sandbox: making one may take SANDBOX_BOOT_MS. */
export const LEASE_MARGIN_MS = 120_000

/** Sessions queued for a sandbox, all of them and those of one tenant; each holds a request open. */
export const MAX_WAITING_SESSIONS = 1_000
export const MAX_WAITING_SESSIONS_OF_TENANT = 100
/** Tenants for which {@link TURN_KEPT_MS} is remembered. */
export const MAX_KEPT_TURNS = 1_000

/** Time that a session keeps its new sandbox though others wait, unless it is idle: waking and pausing take seconds. */
export const SANDBOX_TURN_MS = 5_000
/** Time without a call after which a sandbox can go to others at once: an agent thinks. */
export const QUIET_ENOUGH_MS = 1_000
/** Time within which a busy session that was asked for its sandbox pauses it when its work ends; later it must be asked again. */
export const WANTED_MS = 5_000
/** Sessions asked in one round how they use their sandboxes: some milliseconds of work for each hundred. */
export const MAX_QUERIED_SESSIONS = 200
/** Pause between two rounds of looking for a sandbox to pause, while a session waits. */
export const LEASE_ROUND_MS = 500
/** Time until a session is requested again to give its sandbox back. */
export const GIVE_BACK_AGAIN_MS = 2_000
/** Time for a session's answer about its use of a sandbox; a session that does not answer is passed over. */
export const SANDBOX_USE_MS = 5_000
/** Time to pause a sandbox: a last sync of the files, and some four seconds for each GiB of memory; then others are asked. */
export const GIVE_BACK_MS = 20_000
/**
 * Time for which a session may use its turn to make a sandbox: making one follows within milliseconds, and turns that were kept would
 * come together.
 */
export const MAX_TURN_AGE_MS = 5_000
/** Time per further attempt after the host refused a sandbox although there was a lease. */
export const HOST_FULL_MS = 5_000
