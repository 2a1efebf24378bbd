import { expect, it } from 'vitest'
import { receiptCostText } from '../../../src/console/parts/format.ts'

it('shows what a call cost to the millionth, with that of the calls that it made where there were some', () => {
  expect([0, 1, 1_050, 2_000_000].map((cost) => receiptCostText(cost))).toEqual(['0', '0.000001', '0.00105', '2'])
  expect(receiptCostText(900, 103)).toBe('0.0009 + 0.000103 by calls that it made')
})
