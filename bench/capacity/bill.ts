import { OBJECT_STATES_DAYS } from '../../src/core/limits/recovery.ts'
import { E2B_PLANS } from '../../src/core/limits/sandbox-plans.ts'
import { E2B_ADD_ONS, INCLUDED, PLANS, PRICES } from '../prices.ts'
import { DAYS_PER_MONTH, TENANT } from './assumptions.ts'
import { IN_USE_SECONDS, MEASURED, type MeasuredCall, type MeasuredCounts } from './measured.ts'

type Item = keyof typeof PRICES

/** GB of one tenant in R2 that nothing refers to any more: production keeps them for as long as objects can be set back. */
const RELEASED_GB = TENANT.releasedGbPerDay * OBJECT_STATES_DAYS

/** Units that one tenant takes in a month. */
export function unitsOfTenant(): Record<Item, number> {
  const counts = callsOfDay()
  const { sandboxBurstsPerDay: bursts, callsPerBurst, keyReadsPerBurst, rowsPerKeyRead } = TENANT
  const calls = Object.values(TENANT.callsPerDay).reduce((sum, count) => sum + count, 0)
  const workSeconds = bursts * TENANT.workSecondsPerBurst
  const allBursts = calls / callsPerBurst
  const perDay = {
    workerRequest: counts.workerRequests,
    workerCpuMs: counts.workerRequests * TENANT.cpuMsPerRequest,
    objectRequest: counts.objectRequests,
    objectSecond: inUseSeconds() + workSeconds,
    rowRead: counts.rowsRead,
    rowWritten: counts.rowsWritten + TENANT.contentsToR2PerDay * TENANT.rowsPerContentToR2,
    d1RowRead: counts.d1Read + allBursts * keyReadsPerBurst * rowsPerKeyRead,
    d1RowWritten: counts.d1Written + allBursts,
    r2ClassA: counts.classA + TENANT.contentsToR2PerDay,
    r2ClassB: counts.classB + TENANT.contentsFromR2PerDay,
    analyticsPoint: calls,
    sandboxSecond: workSeconds + bursts * TENANT.idleSecondsPerBurst,
  }
  const perMonth = Object.fromEntries(
    Object.entries(perDay).map(([item, units]) => [item, units * DAYS_PER_MONTH]),
  ) as Record<keyof typeof perDay, number>
  return {
    ...perMonth,
    objectGbMonth: TENANT.objectGb,
    r2GbMonth: TENANT.r2Gb + RELEASED_GB,
    d1GbMonth: TENANT.keysGb + TENANT.papersGb,
  }
}

/** Seconds of a tenant's day in which objects are in use for its calls, besides those in which commands run. */
const inUseSeconds = (): number =>
  (Object.entries(TENANT.callsPerDay) as [MeasuredCall, number][]).reduce(
    (sum, [kind, calls]) => sum + calls * IN_USE_SECONDS[kind],
    0,
  )

/** Counts of all calls of a tenant's day: of each burst one call pays for waking, and each for what is collected days later. */
function callsOfDay(): MeasuredCounts {
  const sum: Record<keyof MeasuredCounts, number> = { ...NOTHING }
  for (const [kind, calls] of Object.entries(TENANT.callsPerDay) as [MeasuredCall, number][]) {
    const { alone, many, collected } = MEASURED[kind]
    for (const name of Object.keys(sum) as (keyof MeasuredCounts)[]) {
      const inBurst = (alone[name] + many[name] * (TENANT.callsPerBurst - 1)) / TENANT.callsPerBurst
      sum[name] += calls * (inBurst + collected[name])
    }
  }
  return sum
}

const NOTHING: MeasuredCounts = {
  ...{ rowsWritten: 0, rowsRead: 0, d1Written: 0, d1Read: 0 },
  ...{ classA: 0, classB: 0, workerRequests: 0, objectRequests: 0 },
}

/** Dollars a month for so many tenants, by item, beyond what the plans include. */
export function billOf(tenants: number): Record<Item, number> {
  const units = unitsOfTenant()
  const items = Object.keys(PRICES) as Item[]
  return Object.fromEntries(
    items.map((item) => [item, Math.max(0, units[item] * tenants - INCLUDED[item]) * PRICES[item]]),
  ) as Record<Item, number>
}

/** Dollars a month, of what R2 stores, for contents that nothing refers to any more. What is included counts for the others first. */
export const releasedBillOf = (tenants: number): number =>
  Math.min(billOf(tenants).r2GbMonth, RELEASED_GB * tenants * PRICES.r2GbMonth)

/** Dollars a month for the plans that so many running sandboxes need. What more than the largest add-on costs is in no list. */
export function plansOf(running: number): number {
  if (running <= E2B_PLANS.hobby.running) return PLANS.workers + PLANS.e2bHobby
  const [smaller, larger] = E2B_ADD_ONS
  const addOn = running <= smaller.running ? smaller : larger
  return PLANS.workers + PLANS.e2bPro + (running <= E2B_PLANS.pro.running ? 0 : addOn.dollars)
}
