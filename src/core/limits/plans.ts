/** Plans that the owner of the server sells. */

/** Plans of one server: all are in one answer. */
export const MAX_PLANS = 100
/** Largest included amount, and largest number of units that a price is for: exact as a number of JSON. */
export const MAX_PLAN_AMOUNT = 1_000_000_000_000
