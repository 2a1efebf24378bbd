/** Day on which the prices below were read, in the list of each provider. */
export const PRICES_OF = '2026-11-23'

const MILLION = 1_000_000
const THOUSAND = 1_000
const GB_OF_OBJECT = 0.128

/**
 * List prices in dollars, beyond what a plan includes, each for one of its unit. Whoever pays other prices changes them here: no
 * other file has any.
 */
export const PRICES = {
  /** A request to the Worker: developers.cloudflare.com/workers/platform/pricing, Standard, $0.30 a million. */
  workerRequest: 0.3 / MILLION,
  /** A millisecond of the Worker's processor: the same page, $0.02 a million. */
  workerCpuMs: 0.02 / MILLION,
  /** A request to a Durable Object, an RPC call or an alarm: developers.cloudflare.com/durable-objects/platform/pricing, $0.15 a million. */
  objectRequest: 0.15 / MILLION,
  /** A second for which an object is in use, with its 128 MB: the same page, $12.50 a million GB-s. */
  objectSecond: (12.5 / MILLION) * GB_OF_OBJECT,
  /** A row that an object's SQLite reads; also of an index: the same page, $0.001 a million. */
  rowRead: 0.001 / MILLION,
  /** A row that an object's SQLite writes or deletes, also of an index, and each `setAlarm`: the same page, $1.00 a million. */
  rowWritten: 1 / MILLION,
  /** A GB of an object's storage for a month: the same page. */
  objectGbMonth: 0.2,
  /** Rows of D1: developers.cloudflare.com/d1/platform/pricing, $0.001 and $1.00 a million. */
  d1RowRead: 0.001 / MILLION,
  d1RowWritten: 1 / MILLION,
  /** R2, Standard: developers.cloudflare.com/r2/pricing. Class A writes and lists, $4.50 a million; class B reads, $0.36 a million; deleting is free. */
  r2ClassA: 4.5 / MILLION,
  r2ClassB: 0.36 / MILLION,
  /** A GB in R2 for a month: the same page. */
  r2GbMonth: 0.015,
  /** A GB of D1 for a month: developers.cloudflare.com/d1/platform/pricing. */
  d1GbMonth: 0.75,
  /** A point of Analytics Engine: developers.cloudflare.com/analytics/analytics-engine/pricing, $0.25 a million. */
  analyticsPoint: 0.25 / MILLION,
  /** A second of a running sandbox: e2b.dev/pricing, two vCPU at $0.000014 and 2 GiB at $0.0000045 each. */
  sandboxSecond: 0.000037,
} as const

/** Dollars a month for the plans themselves: Workers Paid, and those of E2B. */
export const PLANS = { workers: 5, e2bHobby: 0, e2bPro: 150 } as const

/**
 * Add-ons of E2B Pro, the smaller one first: sandboxes that run at once, and dollars a month on top. e2b.dev/docs/billing names the 1,100
 * and shows prices to who has an account; these were read at usagepricing.com/blueprint/e2b on 28 November 2026.
 */
export const E2B_ADD_ONS = [
  { running: 600, dollars: 500 },
  { running: 1_100, dollars: 1_000 },
] as const

/** Units that Workers Paid and R2 include each month: the pages above. */
export const INCLUDED = {
  workerRequest: 10 * MILLION,
  workerCpuMs: 30 * MILLION,
  objectRequest: MILLION,
  objectSecond: 400_000 / GB_OF_OBJECT,
  rowRead: 25_000 * MILLION,
  rowWritten: 50 * MILLION,
  objectGbMonth: 5,
  d1RowRead: 25_000 * MILLION,
  d1RowWritten: 50 * MILLION,
  d1GbMonth: 5,
  r2ClassA: MILLION,
  r2ClassB: 10 * MILLION,
  r2GbMonth: 10,
  analyticsPoint: 10 * MILLION,
  sandboxSecond: 0,
} as const satisfies Record<keyof typeof PRICES, number>

/** Dollars for a thousand of something. */
export const perThousand = (dollars: number): number => dollars * THOUSAND
