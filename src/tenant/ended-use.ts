import { type CallPrice, costOf } from '../registry/call-price.ts'
import type { EndedCall, SandboxTime } from './calls-api.ts'
import { NO_USE } from './usage-api.ts'
import { HOUR_MS, NONZERO_EXIT, type UsageEntry } from './usage-row.ts'

/**
 * Usage entry of a completed call.
 * @param price for a call whose session does not say what it cost
 */
export function entryOf(call: EndedCall, price: CallPrice | null): UsageEntry {
  const { tool, key, agent, session, startedAt, failure, isNonzeroExit, ms, bytesIn, bytesOut, sandboxMs, each } = call
  const calls = each?.ms.length ?? 1
  const cost = call.cost ?? (price ? costOf(price, calls, sandboxMs) : 0)
  return {
    at: { hour: Math.floor(startedAt / HOUR_MS), tool, key: key ?? '', agent: agent ?? '', session },
    reason: failure ?? (isNonzeroExit ? NONZERO_EXIT : null),
    sums: { ...NO_USE, calls, failed: failure === null ? 0 : calls, ms, bytesIn, bytesOut, sandboxMs, cost },
    ...(each && { eachMs: each.ms }),
  }
}

/** Usage entry of the time of a session's sandbox, or of a tenant's waiting ones, which is no call's. */
export function entryOfSandbox({ tool, session, key, startedAt }: EndedCall, time: SandboxTime): UsageEntry {
  return {
    at: { hour: Math.floor(startedAt / HOUR_MS), tool, key: key ?? '', agent: '', session },
    reason: null,
    sums: { ...NO_USE, sandboxRunningMs: wholeAmount(time.runningMs), sandboxPausedMs: wholeAmount(time.pausedMs) },
  }
}

/** The call with whole amounts. A value that cannot be written would block all later completions of its session. */
export const withWholeAmounts = ({ cost = Number.NaN, ...call }: EndedCall): EndedCall => ({
  ...call,
  ...(Number.isSafeInteger(cost) && cost >= 0 && { cost }),
  startedAt: wholeAmount(call.startedAt),
  ms: wholeAmount(call.ms),
  bytesIn: wholeAmount(call.bytesIn),
  bytesOut: wholeAmount(call.bytesOut),
  sandboxMs: wholeAmount(call.sandboxMs),
  ...(call.each && { each: { ...call.each, ms: call.each.ms.map(wholeAmount) } }),
})

const wholeAmount = (amount: number) =>
  Number.isFinite(amount) ? Math.min(Math.max(0, Math.round(amount)), MAX_AMOUNT) : 0

/** Largest number of milliseconds or bytes in one call: valid as a date, and safe in sums. */
const MAX_AMOUNT = 8e12
