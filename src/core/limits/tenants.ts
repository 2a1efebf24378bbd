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

/** Secrets of one tenant: one per service that its tools use. */
export const MAX_SECRETS_PER_TENANT = 100
/** One secret, in UTF-16 units: a private key in PEM is 3,000 or so. */
export const MAX_SECRET_CHARS = 8_192
