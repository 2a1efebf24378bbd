/** Limits of one tenant's sessions, keys, names and secrets, and of an isolate's trust in cached keys. */

/** Existing sessions of one tenant. */
export const MAX_SESSIONS_PER_TENANT = 100_000
/** Sessions whose lifetime is over and whose end a tenant remembers: whoever comes late does so within minutes, or a day. */
export const MAX_EXPIRED_SESSIONS = 1_000
/** Sessions in one page of `/v1/sessions`: each has up to 16 labels and a title, some kilobytes at most. */
export const MAX_LISTED_SESSIONS = 200
/** Labels of one session, and the length of a key and a value, in UTF-16 units: Kubernetes has 63 for either. */
export const MAX_LABELS = 16
export const MAX_LABEL_KEY_CHARS = 63
export const MAX_LABEL_VALUE_CHARS = 128
/** Labels that one request for a list filters by: each is a look-up for each session of the first one. */
export const MAX_LABEL_FILTERS = 4

/** Keys of one tenant that are neither revoked nor expired. */
export const MAX_KEYS_PER_TENANT = 1_000
/** Expiry of a key, ten years: a date beyond is a typing error, or wants a key that does not expire. */
export const MAX_KEY_EXPIRY_DAYS = 3_653
/** Length of a tenant's or a key's name, in UTF-16 units: people read it in lists. */
export const MAX_LABEL_CHARS = 200
/** Tenants or keys in one answer of the admin API. */
export const MAX_ADMIN_PAGE = 200
/** Time after which a revoked key or a disabled tenant is refused everywhere. */
export const KEY_CACHE_MS = 30_000
/**
 * Time between two look-ups of a key because of secrets that the remembered row does not have: a new secret works at once where its key
 * is remembered, and whoever tries wrong ones costs one look-up a second.
 */
export const KEY_SECOND_LOOK_MS = 1_000
/** Time for which the secret before a rotation stays good unless the request says, in seconds: a day, in which clients are deployed. */
export const DEFAULT_KEY_OVERLAP_SECONDS = 24 * 60 * 60
/** Longest such time, in seconds: 30 days, for clients that are deployed once a month. */
export const MAX_KEY_OVERLAP_SECONDS = 30 * 24 * 60 * 60
/** Time between two writes of a key's last use: a key in steady use costs one row in ten minutes. */
export const KEY_USE_NOTE_MS = 10 * 60_000
/** Step to which a last use is rounded down. */
export const KEY_USE_STEP_MS = 60_000
/** Addresses and networks of one key: a request is compared with one after the other. */
export const MAX_KEY_ADDRESSES = 50
/** Length of one address with a prefix length, in characters: the longest spelling of IPv6 has 45, and `/128`. */
export const MAX_KEY_ADDRESS_CHARS = 49
/** Keys remembered per isolate. */
export const KEY_CACHE_ENTRIES = 2_000
/** Time that a request waits for another request's look-up before it makes its own: the other may have been cut off. */
export const SHARED_LOOKUP_MS = 500

/** Latest questions to people that a tenant lists across its sessions while they are open: more than people answer. */
export const MAX_OPEN_QUESTIONS = 10_000
/** Names of human tasks that a tenant keeps: a client that comes with a name alone does so within minutes, or a day. */
export const MAX_HUMAN_TASK_NAMES = 2_000
/** Length of a client's name for a human task, in UTF-16 units. */
export const MAX_HUMAN_TASK_NAME_CHARS = 200
/** Sessions searched for the tasks of one name. */
export const MAX_HUMAN_TASKS_OF_NAME = 10

/** Secrets of one tenant: one per service that its tools use. */
export const MAX_SECRETS_PER_TENANT = 100
/** Length of one secret, in UTF-16 units: a private key in PEM is 3,000 or so. */
export const MAX_SECRET_CHARS = 8_192

/**
 * Time that a session keeps a secret in memory after it was opened, while its lease of the tenant's tools lasts: a rotated or deleted
 * secret ends with that lease, TOOLS_LEASE_MS and TOOLS_LEASE_SLACK_MS at most. This one bounds what nobody was informed of, such as
 * another SECRETS_KEY.
 */
export const SECRET_KEPT_MS = 30_000

/** Records that one request encrypts by the present key: some tens of milliseconds. */
export const RESEALED_AT_ONCE = 200

/** Toolkits that a tenant lists: more than the server has. */
export const MAX_LISTED_TOOLKITS = 100
