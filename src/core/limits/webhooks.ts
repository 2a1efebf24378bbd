/** Limits of a tenant's webhooks: how many there are, what waits for their receivers, and how long receivers are asked again. */

/** Webhooks of one tenant: each event is compared with each of them. */
export const MAX_WEBHOOKS_PER_TENANT = 16
/** Names in one filter of a webhook: each event is compared with each. */
export const MAX_WEBHOOK_FILTER_NAMES = 50
/**
 * Deliveries of one tenant that wait for their receivers, 700 bytes each; the oldest are dropped first. A receiver that is down for an
 * hour misses nothing of three calls a second.
 */
export const MAX_WAITING_DELIVERIES = 10_000
/** Deliveries of one tenant that are over and still shown: people look at the last ones. */
export const MAX_KEPT_DELIVERIES = 2_000
/** Time that a delivery is shown after its end. */
export const DELIVERY_KEPT_MS = 7 * 24 * 60 * 60_000
/** New deliveries after which the limits above are checked: a check reads the numbers of all. */
export const DELIVERIES_CHECK_EVERY = 100
/** Deliveries in one page. */
export const MAX_DELIVERY_PAGE = 200

/** Time for a receiver's answer: the Standard Webhooks specification advises 15 to 30 seconds. */
export const WEBHOOK_TIMEOUT_MS = 15_000
/** Deliveries of one tenant at once: of the six connections of one object two are for other work (MAX_OPEN_REQUESTS). */
export const DELIVERIES_AT_ONCE = 4
/** Deliveries at once to one receiver. */
export const DELIVERIES_AT_ONCE_TO_ONE = 3
/** Deliveries at once to all receivers that failed or were slow the last time: the others keep the remaining places. */
export const DELIVERIES_AT_ONCE_TO_TROUBLED = 2
/** Time of an answer from which on a receiver counts as slow. */
export const SLOW_RECEIVER_MS = 3_000
/** Delay of the alarm that mends a crash amid deliveries: longer than any of them takes. */
export const DELIVERIES_MENDED_MS = 60_000

const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000]
/** Delays of further attempts, by the Standard Webhooks specification: the last comes more than three days after the first. */
export const DELIVERY_RETRIES_MS: readonly number[] = [
  ...[5 * SECOND, 5 * MINUTE, 30 * MINUTE],
  ...[2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR],
]
/** Part by which such a delay is longer, at random: receivers that come back are not asked for everything in one moment. */
export const DELIVERY_JITTER = 0.1
/** Time without one success after which a failing webhook is switched off. */
export const WEBHOOK_FAILING_MS = 3 * 24 * HOUR
/** Time that the old secret of a webhook signs too, after it was rotated: a receiver is deployed within a day. */
export const OLD_WEBHOOK_SECRET_MS = 24 * HOUR
/** Budgets whose end is remembered as reported, in memory; forgotten ones cost a statement each time. */
export const MAX_REPORTED_BUDGETS = 1_000
