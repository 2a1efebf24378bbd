/** What one tenant has, and how long an isolate trusts what it knows of keys. */

/** Sessions of one tenant that exist at once. */
export const MAX_SESSIONS_PER_TENANT = 100_000

/** Keys of one tenant that are neither revoked nor expired. */
export const MAX_KEYS_PER_TENANT = 1_000
/** Expiry of a key, ten years: a date beyond is a typing error, or wants a key that does not expire. */
export const MAX_KEY_EXPIRY_DAYS = 3_653
/** Length of a tenant's or a key's name, in UTF-16 units: people read it in lists. */
export const MAX_LABEL_CHARS = 200
/** Tenants or keys in one answer of the admin API. */
export const MAX_ADMIN_PAGE = 200
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
