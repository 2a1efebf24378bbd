import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { billOf, plansOf, releasedBillOf, unitsOfTenant } from '../../../bench/capacity/bill.ts'
import { withTables } from '../../../bench/capacity/with-tables.ts'
import { INCLUDED, PRICES } from '../../../bench/prices.ts'

const PAGE = readFileSync('docs/operating.md', 'utf8')

it('has the tables that prices, counts and assumptions give', () => {
  expect(PAGE, 'run npm run bench:capacity').toBe(withTables(PAGE))
})

it('bills what is beyond the plans, and nothing else', () => {
  const units = unitsOfTenant()
  // So few tenants that only sandboxes, of which nothing is included, cost anything.
  const small = billOf(1)
  expect(Object.entries(small).filter(([, dollars]) => dollars > 0)).toEqual([
    ['sandboxSecond', units.sandboxSecond * PRICES.sandboxSecond],
  ])
  const large = billOf(1e6)
  for (const item of Object.keys(PRICES) as (keyof typeof PRICES)[]) {
    expect(large[item], item).toBeCloseTo((units[item] * 1e6 - INCLUDED[item]) * PRICES[item], 6)
    expect(large[item], item).toBeGreaterThan(0)
  }
})

it('takes the add-on of E2B that so many sandboxes at once need', () => {
  expect([20, 21, 100, 101, 600, 601, 1_100, 5_000].map(plansOf)).toEqual([5, 155, 155, 655, 655, 1_155, 1_155, 1_155])
})

it('shows of what R2 stores the part that is deleted and still kept', () => {
  expect(releasedBillOf(1)).toBe(0)
  const more = billOf(2e6).r2GbMonth - billOf(1e6).r2GbMonth
  const released = releasedBillOf(2e6) - releasedBillOf(1e6)
  expect(released / more).toBeCloseTo(0.24 / 0.74, 6)
})
