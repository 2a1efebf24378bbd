import type { CallCosts } from '../core/receipt.ts'
import { type CallPrice, costOf } from '../registry/call-price.ts'
import type { OpenCall } from './call-outbox.ts'

/** Notes the price of a call at its beginning. Lost, it costs what one without time in the sandbox does. */
export function setPrice(call: OpenCall, price: CallPrice | null | undefined): void {
  call.price = price
  const cost = chargeOf(call, 0)
  if (cost !== undefined) call.cost = cost
}

/** Sandbox time of a call at its end, in milliseconds, with what the tenant is charged for the call. The price is not reported. */
export function charged(call: OpenCall, sandboxMs: number): Pick<OpenCall, 'sandboxMs' | 'price' | 'cost'> {
  const cost = chargeOf(call, sandboxMs)
  return { sandboxMs, price: undefined, ...(cost !== undefined && { cost }) }
}

/** Charge for a call in millionths of the currency: 0 without prices, undefined where they are not known. */
function chargeOf({ price }: OpenCall, sandboxMs: number): number | undefined {
  if (price === undefined) return undefined
  return price === null ? 0 : costOf(price, 1, sandboxMs)
}

/** Cost of a call as a receipt has it, in millionths of the currency: null without prices, and where they are not known. */
export const costIn = ({ price }: OpenCall, sandboxMs: number): number | null =>
  price ? costOf(price, 1, sandboxMs) : null

/** Costs in the receipt of one call: those counted with it, and those of calls that it made and that have receipts of their own. */
export class ReceiptCosts {
  readonly #late: (cost: number) => void
  #cost: number | null = null
  #callsCost: number | null = null
  #hasEnded = false

  /** @param late adds to the cost in a receipt that is written already */
  constructor(late: (cost: number) => void) {
    this.#late = late
  }

  /** Adds the cost of a call without a receipt; null without prices. */
  add(cost: number | null): void {
    if (cost === null) return
    if (this.#hasEnded) this.#late(cost)
    else this.#cost = (this.#cost ?? 0) + cost
  }

  /** Adds the cost of a call with a receipt of its own. */
  addCall(cost: number): void {
    this.#callsCost = (this.#callsCost ?? 0) + cost
  }

  /** Costs with that of the call itself, which is null without prices. */
  with(own: number | null): CallCosts {
    const cost = own === null ? this.#cost : own + (this.#cost ?? 0)
    return { ...(cost !== null && { cost }), ...(this.#callsCost !== null && { calls_cost: this.#callsCost }) }
  }

  /** Ends the call: its receipt is written. */
  end(): void {
    this.#hasEnded = true
  }
}
