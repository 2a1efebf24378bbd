/** What one tenant has, and how long an isolate trusts what it knows of keys. */

/** Sessions of one tenant that exist at once. */
export const MAX_SESSIONS_PER_TENANT = 100_000

/** Keys of one tenant that are neither revoked nor expired. */
export const MAX_KEYS_PER_TENANT = 1_000
/** A key that is revoked, or a tenant that is disabled, is refused everywhere after this long. */
export const KEY_CACHE_MS = 30_000
/** Keys remembered per isolate. */
export const KEY_CACHE_ENTRIES = 2_000
/** How long a request waits for what another request looks up, before it looks itself: the other may have been cut off. */
export const SHARED_LOOKUP_MS = 500

/** Names of human tasks that a tenant keeps: a client that comes with a name alone does so within minutes, or a day. */
export const MAX_HUMAN_TASK_NAMES = 2_000
/** Length of a client's name of a human task, in UTF-16 units. */
export const MAX_HUMAN_TASK_NAME_CHARS = 200
/** Sessions whose tasks of one name are looked at. */
export const MAX_HUMAN_TASKS_OF_NAME = 10

/** Secrets of one tenant: one per service that its tools use. */
export const MAX_SECRETS_PER_TENANT = 100
/** One secret, in UTF-16 units: a private key in PEM is 3,000 or so. */
export const MAX_SECRET_CHARS = 8_192
