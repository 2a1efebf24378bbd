import type { Meter, MeterPrice, Plan } from '../../../../ports/plans.ts'
import type { UsageSums } from '../../../../tenant/usage-api.ts'

/** Line of an invoice. Numbers are decimal texts, so that no reader rounds them. */
export interface InvoiceLine {
  /** `month` for the plan itself, else what was metered. */
  readonly item: 'month' | Meter
  readonly used: string
  readonly included: string
  /** Part of `used` above `included`. */
  readonly billed: string
  readonly price: string
  /** Units that the price is for. */
  readonly per: number
  /** Amount of money, with two digits behind the point. */
  readonly amount: string
}

const MICRO = 1_000_000n
/** Digits behind the point to which prices are exact. */
const PRICE_DIGITS = 9
/** Prices of that size in a cent. */
const PRICES_PER_CENT = 10n ** BigInt(PRICE_DIGITS - 2)

/**
 * Lines of a month's invoice. Each is rounded to whole cents, half a cent up, and the sum is that of the rounded ones, so that whoever adds
 * up the lines gets it. Nothing is computed in binary fractions.
 */
export function linesOf({ month, meters }: Plan, use: UsageSums): readonly InvoiceLine[] {
  const ofMonth = cents(decimal(month, PRICE_DIGITS), 1n)
  return [
    { item: 'month', used: '1', included: '0', billed: '1', price: month, per: 1, amount: money(ofMonth) },
    ...meters.map((price) => meteredLine(price, use)),
  ]
}

/** Sum of lines, as the amount of money of an invoice. */
export const totalOf = (lines: readonly InvoiceLine[]): string =>
  money(lines.reduce((sum, { amount }) => sum + decimal(amount, 2), 0n))

function meteredLine({ meter, included, price, per }: MeterPrice, use: UsageSums): InvoiceLine {
  const used = MICROS_OF[meter](use)
  const above = used - BigInt(included) * MICRO
  const billed = above > 0n ? above : 0n
  const amount = cents(billed * decimal(price, PRICE_DIGITS), BigInt(per) * MICRO)
  return {
    item: meter,
    used: fromMicros(used),
    included: String(included),
    billed: fromMicros(billed),
    price,
    per,
    amount: money(amount),
  }
}

/** Metered amounts, in millionths. */
const MICROS_OF: Readonly<Record<Meter, (use: UsageSums) => bigint>> = {
  calls: ({ calls }) => whole(calls) * MICRO,
  sandbox_running_seconds: ({ sandboxRunningMs }) => whole(sandboxRunningMs) * 1_000n,
  sandbox_paused_seconds: ({ sandboxPausedMs }) => whole(sandboxPausedMs) * 1_000n,
  sandbox_seconds: ({ sandboxMs }) => whole(sandboxMs) * 1_000n,
  bytes_in: ({ bytesIn }) => whole(bytesIn) * MICRO,
  bytes_out: ({ bytesOut }) => whole(bytesOut) * MICRO,
  tool_cost: ({ cost }) => whole(cost),
}

const whole = (number: number) => BigInt(Math.round(number))

/** Cents of a price times a number over a divisor, half a cent up. */
function cents(price: bigint, divisor: bigint): bigint {
  const cent = PRICES_PER_CENT * divisor
  return (price * 2n + cent) / (cent * 2n)
}

/** Decimal number of a text as a whole number of its last digit: `1.5` with 2 digits is 150. */
function decimal(text: string, digits: number): bigint {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.padEnd(digits, '0'))
}

const money = (amount: bigint): string => `${amount / 100n}.${String(amount % 100n).padStart(2, '0')}`

/** Text of a number of millionths, without zeros at its end. */
function fromMicros(micros: bigint): string {
  const fraction = String(micros % MICRO)
    .padStart(6, '0')
    .replace(/0{1,6}$/, '')
  return fraction === '' ? `${micros / MICRO}` : `${micros / MICRO}.${fraction}`
}
