import { OBJECT_STATES_DAYS } from '../../src/core/limits/recovery.ts'
import { type PRICES, PRICES_OF } from '../prices.ts'
import { TENANTS } from './assumptions.ts'
import { billOf, plansOf, releasedBillOf } from './bill.ts'
import { LIMITS, type PlatformLimit, tenantsAt } from './limits.ts'
import { MEASURED_OF } from './measured.ts'

/** Items of a bill that stand in one row. */
const ROWS: readonly (readonly [string, readonly (keyof typeof PRICES)[]])[] = [
  ['seconds of running sandboxes', ['sandboxSecond']],
  ['the Worker: requests, processor time', ['workerRequest', 'workerCpuMs']],
  ['objects: requests, seconds in use', ['objectRequest', 'objectSecond']],
  ['objects: rows read and written', ['rowRead', 'rowWritten']],
  ['objects: stored', ['objectGbMonth']],
  ['D1: rows, stored', ['d1RowRead', 'd1RowWritten', 'd1GbMonth']],
  ['R2: operations, stored', ['r2ClassA', 'r2ClassB', 'r2GbMonth']],
  ['Analytics Engine, where bound', ['analyticsPoint']],
]

/** Row below that of R2, as a part of it. */
const RELEASED = `of it, contents deleted in the last ${OBJECT_STATES_DAYS} days`
const HOBBY = LIMITS[0] as PlatformLimit
const count = (number: number) => number.toLocaleString('en')
const dollars = (amount: number) => (amount === 0 ? '–' : amount < 10 ? amount.toFixed(2) : count(Math.round(amount)))
const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`

/** Tables of docs/operating.md, as Markdown. */
export const capacityTables = (): string =>
  [
    `Dollars a month, by the list prices of ${PRICES_OF}, of what is beyond the plans, and by rows and requests counted on ${MEASURED_OF}:`,
    '',
    row(['', ...TENANTS.map((tenants) => `${count(tenants)} tenants`)]),
    '|---|--:|--:|--:|',
    ...billRows(),
    '',
    'Limits that come nearer with each tenant, those that are reached first at the top. Rates are those of the peak:',
    '',
    row(['limit', 'is', 'reached at tenants', ...TENANTS.map((tenants) => `used by ${count(tenants)}`), 'then']),
    '|---|--:|--:|--:|--:|--:|---|',
    ...limitRows(),
  ].join('\n')

function billRows(): readonly string[] {
  const bills = TENANTS.map(billOf)
  const plans = TENANTS.map((tenants) => plansOf(tenants * HOBBY.perTenant))
  const all = bills.map((bill, at) => Object.values(bill).reduce((sum, one) => sum + one, plans[at] ?? 0))
  const sums = ROWS.flatMap(([what, items]) => [
    row([what, ...bills.map((bill) => dollars(items.reduce((sum, item) => sum + bill[item], 0)))]),
    ...(items.includes('r2GbMonth')
      ? [row([RELEASED, ...TENANTS.map((tenants) => dollars(releasedBillOf(tenants)))])]
      : []),
  ])
  const perTenant = TENANTS.map((tenants, at) => ((all[at] ?? 0) / tenants).toFixed(2))
  return [
    row(['the plans: Workers Paid, E2B with its add-ons', ...plans.map(dollars)]),
    ...sums,
    row(['**together**', ...all.map((sum) => `**${dollars(sum)}**`)]),
    row(['for each tenant', ...perTenant]),
  ]
}

function limitRows(): readonly string[] {
  const sorted = [...LIMITS].sort((one, other) => tenantsAt(one) - tenantsAt(other))
  return sorted.map((limit) => {
    const used = TENANTS.map((tenants) => share((tenants * limit.perTenant) / limit.limit))
    return row([limit.what, count(Math.round(limit.limit)), count(rounded(tenantsAt(limit))), ...used, limit.remedy])
  })
}

/** Part of a limit, as a percentage; above it as times. */
const share = (part: number) => {
  if (part > 1) return `**${part < 10 ? part.toFixed(1) : count(Math.round(part))} times**`
  return part < 0.01 ? '< 1 %' : `${Math.round(part * 100)} %`
}

/** A number with two digits that count: assumptions are no better. */
function rounded(number: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(number)) - 1)
  return Math.floor(number / step) * step
}
