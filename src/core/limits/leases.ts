/** Running sandboxes when there are fewer of them than sessions that want one. */

/** Sandboxes that run at once, unless SANDBOXES_MAX says otherwise: what E2B's smallest plan has. */
export const DEFAULT_SANDBOXES = 20
/** A sandbox is paused after this long without a call, unless SANDBOX_QUIET_SECONDS says otherwise: an agent thinks for
 * less between two calls, and waking one takes about a second. */
export const SANDBOX_QUIET_MS = 90_000
/** A call waits this long in turn for a sandbox, unless SANDBOX_WAIT_SECONDS says otherwise: clients give up after 120 s,
 * and making a sandbox takes its time too. */
export const SANDBOX_WAIT_MS = 30_000
/** When a call that got no sandbox may come again. */
export const SANDBOX_RETRY_MS = 10_000
/** A free sandbox is kept this long for a tenant whose call waited in vain: it comes again after SANDBOX_RETRY_MS. */
export const TURN_KEPT_MS = 2 * 60_000
/** A lease outlasts the time after which the host pauses its sandbox by this: making one may take SANDBOX_BOOT_MS. */
export const LEASE_MARGIN_MS = 120_000

/** Sessions that wait for a sandbox, all of them and those of one tenant; each holds a request open. */
export const MAX_WAITING_SESSIONS = 1_000
export const MAX_WAITING_SESSIONS_OF_TENANT = 100
/** Tenants for which {@link TURN_KEPT_MS} is remembered. */
export const MAX_KEPT_TURNS = 1_000

/** Who got a sandbox keeps it this long though others wait, unless nothing is done in it: waking and pausing take seconds. */
export const SANDBOX_TURN_MS = 5_000
/** Without a call for this long a sandbox can go to others at once: an agent thinks. */
export const QUIET_ENOUGH_MS = 1_000
/** A session that was asked for its sandbox while it was at work pauses it at the end of that, if that comes so soon; it is
 * asked again while somebody waits. */
export const WANTED_MS = 5_000
/** Sessions that are asked in one round how they use theirs: some milliseconds of work for each hundred. */
export const MAX_ASKED_SESSIONS = 200
/** Between two rounds of looking for a sandbox that can be paused, while somebody waits. */
export const LEASE_ROUND_MS = 500
/** A session is not asked for its sandbox again for this long. */
export const GIVE_BACK_AGAIN_MS = 2_000
/** A session says at once how it uses its sandbox; one that does not is passed over. */
export const SANDBOX_USE_MS = 5_000
/** Pausing takes a last look at the files, and some four seconds for each GiB of memory; then others are asked. */
export const GIVE_BACK_MS = 20_000
/** After the host refused a sandbox though there was a lease, one more is tried for each such time. */
export const HOST_FULL_MS = 5_000
