import { E2B_PLANS } from '../../src/core/limits/sandbox-plans.ts'
import { E2B_ADD_ONS } from '../prices.ts'
import { PEAK, SEARCH_SECONDS, SECONDS_PER_DAY, TENANT } from './assumptions.ts'

/** Limit of a platform that grows nearer with each tenant. */
export interface PlatformLimit {
  readonly what: string
  /** Use by one tenant, at the peak where it is a rate. */
  readonly perTenant: number
  readonly limit: number
  /** Remedy before it is reached. */
  readonly remedy: string
}

const [SMALLER_ADD_ON, LARGER_ADD_ON] = E2B_ADD_ONS
const addOn = ({ running, dollars }: (typeof E2B_ADD_ONS)[number]) =>
  `${running.toLocaleString('en')} for $${dollars.toLocaleString('en')} a month`

const atPeak = (perDay: number) => (perDay * PEAK) / SECONDS_PER_DAY

const { sandboxBurstsPerDay: bursts, callsPerDay, callsPerBurst } = TENANT
const calls = Object.values(callsPerDay).reduce((sum, count) => sum + count, 0)
const secondsOfBurst = TENANT.workSecondsPerBurst + TENANT.idleSecondsPerBurst

/**
 * Limits of E2B (e2b.dev/docs/sandbox/rate-limits), D1 (developers.cloudflare.com/d1/platform/limits: one query after the other, so about a
 * thousand of a millisecond in a second) and Durable Objects (developers.cloudflare.com/durable-objects/reference/faq: a thousand requests a
 * second to one object), read on the day of the prices.
 */
export const LIMITS: readonly PlatformLimit[] = [
  {
    what: 'running sandboxes, E2B Hobby',
    perTenant: atPeak(bursts * secondsOfBurst),
    limit: E2B_PLANS.hobby.running,
    remedy: 'E2B Pro',
  },
  {
    what: 'running sandboxes, E2B Pro',
    perTenant: atPeak(bursts * secondsOfBurst),
    limit: E2B_PLANS.pro.running,
    remedy: `add-ons: ${addOn(SMALLER_ADD_ON)}, ${addOn(LARGER_ADD_ON)}; a shorter \`SANDBOX_QUIET_SECONDS\``,
  },
  {
    what: 'running sandboxes, Pro with all add-ons',
    perTenant: atPeak(bursts * secondsOfBurst),
    limit: LARGER_ADD_ON.running,
    remedy: 'E2B Enterprise, or a deployment for each thousands of tenants with an account of its own',
  },
  {
    what: 'sandboxes made in a second, E2B Pro',
    perTenant: atPeak(bursts),
    limit: E2B_PLANS.pro.creationsPerSecond,
    remedy: 'calls wait for their turn (`SANDBOX_WAIT_SECONDS`); a longer pause keeps sandboxes to wake',
  },
  {
    what: 'requests to the management of E2B in a second',
    perTenant: atPeak(bursts * TENANT.lifecyclesPerBurst),
    limit: 20_000 / 30,
    remedy: 'as above',
  },
  {
    what: 'requests in a second to the object of leases',
    perTenant: atPeak(bursts * TENANT.leaseRequestsPerBurst),
    limit: 1_000,
    remedy: 'a deployment more: there is one such object in each',
  },
  {
    what: 'queries in a second of `DB`, for keys',
    perTenant: atPeak((calls / callsPerBurst) * (TENANT.keyReadsPerBurst + 1)),
    limit: 1_000,
    remedy: 'a deployment more',
  },
  {
    what: 'searches in a second of `PAPERS`',
    perTenant: atPeak(callsPerDay['a paper search, 1,000 papers']),
    limit: 1 / SEARCH_SECONDS,
    remedy: 'remembered answers help; then a deployment more',
  },
  { what: 'GB in `DB`', perTenant: TENANT.keysGb, limit: 10, remedy: 'a deployment more' },
  {
    what: 'GB in `PAPERS`',
    perTenant: TENANT.papersGb,
    limit: 10,
    remedy: 'fewer papers with their text; a deployment more',
  },
]

/** Tenants at which a limit is reached. */
export const tenantsAt = ({ limit, perTenant }: PlatformLimit): number => Math.floor(limit / perTenant)
