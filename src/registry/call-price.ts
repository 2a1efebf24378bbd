import type { Price } from './limit-settings.ts'
import { fits } from './permitted.ts'

/** Price of a tool's calls, in millionths of whatever currency the tenant counts in. */
export type CallPrice = Omit<Price, 'tool'>

/** Price of a tool's calls: the first that fits, 0 where none does. Null for a tenant without prices, whose calls have no cost. */
export function priceIn(prices: readonly Price[], tool: string): CallPrice | null {
  if (prices.length === 0) return null
  const price = prices.find((one) => fits(one.tool, tool))
  return price ? { per_call: price.per_call, per_sandbox_second: price.per_sandbox_second } : FREE
}

/** Cost of calls in millionths of the currency, their time in the sandbox rounded up together. */
export const costOf = ({ per_call, per_sandbox_second }: CallPrice, calls: number, sandboxMs: number): number =>
  per_call * calls + Math.ceil((per_sandbox_second * sandboxMs) / 1_000)

const FREE: CallPrice = { per_call: 0, per_sandbox_second: 0 }
