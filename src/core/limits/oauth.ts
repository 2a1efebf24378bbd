/** Limits of access tokens that an issuer of the operator's signs, and of fetching its keys. */

/** Length of a token, in characters: those of large directories have a few kilobytes of groups, and each request carries it. */
export const MAX_TOKEN_CHARS = 8_192
/** Length of a token's subject, in characters: OpenID Connect Core, section 2. */
export const MAX_SUBJECT_CHARS = 255
/** Difference between the clocks of issuer and server, in seconds: both are set by network time. */
export const TOKEN_LEEWAY_SECONDS = 30
/** Size of an issuer's metadata or key document, in bytes: public ones have 10,000 at most. */
export const MAX_ISSUER_DOCUMENT_BYTES = 256 * 1024
/** Keys of an issuer: a few, and twice as many while they are changed. */
export const MAX_ISSUER_KEYS = 100
/** Time for one document of an issuer, in milliseconds: a request waits for it. */
export const ISSUER_TIMEOUT_MS = 5_000
/** Time after which an issuer's keys are fetched anew, in milliseconds: how long a key goes on that the issuer took away. */
export const ISSUER_KEYS_FRESH_MS = 10 * 60_000
/** Time for which they go on while the issuer cannot be reached, in milliseconds: an outage, and no more. */
export const ISSUER_KEYS_KEPT_MS = 60 * 60_000
/** Time after a failed attempt until the next one, in milliseconds: clients that come again must not be a flood for the issuer. */
export const ISSUER_RETRY_MS = 5_000
/** Time after an attempt until a key that nobody knows leads to another one, in milliseconds: anybody can make up names of keys. */
export const UNKNOWN_KEY_RETRY_MS = 60_000
