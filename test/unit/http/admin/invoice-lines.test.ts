import { expect, it } from 'vitest'
import { linesOf, totalOf } from '../../../../src/http/dialects/admin/invoices/lines.ts'
import type { MeterPrice } from '../../../../src/ports/plans.ts'
import { NO_USE } from '../../../../src/tenant/usage-api.ts'

const plan = (month: string, ...meters: MeterPrice[]) => ({ name: 'p', currency: 'EUR', month, meters })
const amountsOf = (...given: Parameters<typeof linesOf>) => linesOf(...given).map(({ amount }) => amount)

it('bills the month, and of each metered amount what is above the included one', () => {
  const lines = linesOf(
    plan(
      '49',
      { meter: 'calls', included: 10_000, price: '0.50', per: 1_000 },
      { meter: 'sandbox_running_seconds', included: 3_600, price: '0.00006', per: 1 },
      { meter: 'bytes_out', included: 1_000, price: '0.09', per: 1_000_000_000 },
      { meter: 'tool_cost', included: 0, price: '1.2', per: 1 },
    ),
    { ...NO_USE, calls: 12_345, sandboxRunningMs: 7_200_250, bytesOut: 999, cost: 1_250_000 },
  )
  expect(lines).toEqual([
    { item: 'month', used: '1', included: '0', billed: '1', price: '49', per: 1, amount: '49.00' },
    {
      ...{ item: 'calls', used: '12345', included: '10000', billed: '2345' },
      ...{ price: '0.50', per: 1_000, amount: '1.17' },
    },
    {
      ...{ item: 'sandbox_running_seconds', used: '7200.25', included: '3600', billed: '3600.25' },
      ...{ price: '0.00006', per: 1, amount: '0.22' },
    },
    {
      ...{ item: 'bytes_out', used: '999', included: '1000', billed: '0' },
      ...{ price: '0.09', per: 1_000_000_000, amount: '0.00' },
    },
    { item: 'tool_cost', used: '1.25', included: '0', billed: '1.25', price: '1.2', per: 1, amount: '1.50' },
  ])
  expect(totalOf(lines)).toBe('51.89')
})

it('rounds each line to whole cents, half a cent up, where binary fractions would round down', () => {
  // 1.005 is less than itself as a binary fraction: 1.005 * 100 is 100.49999999999999.
  const at = (price: string, calls: number) =>
    amountsOf(plan('0', { meter: 'calls', included: 0, price, per: 1 }), { ...NO_USE, calls })[1]
  expect(at('1.005', 1)).toBe('1.01')
  expect(at('0.004999999', 1)).toBe('0.00')
  expect(at('0.005', 1)).toBe('0.01')
  expect(at('0.1', 3)).toBe('0.30')
})

it('is exact for the largest amounts that can be metered', () => {
  const lines = linesOf(
    plan('999999999.99', { meter: 'bytes_in', included: 1, price: '999999999.999999999', per: 1 }),
    {
      ...NO_USE,
      bytesIn: Number.MAX_SAFE_INTEGER,
    },
  )
  // (2^53 - 2) times the price, by hand: 9007199254740990 * 999999999.999999999
  expect(lines[1]?.amount).toBe('9007199254740989990992800.75')
  expect(totalOf(lines)).toBe('9007199254740990990992800.74')
})
