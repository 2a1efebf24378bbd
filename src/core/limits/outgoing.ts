/** Requests that one object, or one request's code, has open at once, and names that it looked up. */

/**
 * Requests that wait for the first line of their answer: the platform lets six of one object wait and queues the seventh, whose
 * time runs meanwhile; where none of the six goes on, it cuts one off.
 * @see https://developers.cloudflare.com/workers/platform/limits/#simultaneous-open-connections
 */
export const MAX_OPEN_REQUESTS = 6

/** Names whose addresses are remembered: a session asks a few hosts, and a page of images some tens. */
export const MAX_DNS_NAMES = 256
/** Addresses of one name that are remembered: the largest services answer with some tens; a longer answer is used and forgotten. */
export const MAX_DNS_ADDRESSES = 64
/** Longest time for which addresses are remembered, whatever their records allow: a host that moved is found within minutes. */
export const MAX_DNS_TTL_MS = 5 * 60_000
/** Time for which it is remembered that a name does not exist: a model tries it again at once, and its owner may be adding it. */
export const NO_NAME_TTL_MS = 5_000
