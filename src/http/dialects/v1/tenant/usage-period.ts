import * as z from 'zod'
import { fail } from '../../../../core/failure.ts'
import { USAGE_RETENTION_DAYS } from '../../../../core/limits/usage.ts'
import type { UsageNames } from '../../../../tenant/usage-api.ts'

export const HOUR_MS = 60 * 60_000
export const DAY_MS = 24 * HOUR_MS
const DEFAULT_DAYS = 7

/** Days of a query about use. */
export const PERIOD = {
  from: z.iso.date().optional().meta({ description: 'First day in UTC; six days before `to` if not given.' }),
  to: z.iso.date().optional().meta({ description: 'Last day in UTC, included; today if not given.' }),
}

/** Name in a query that leaves the calls of one tool, agent, key or session. */
export const only = (what: string) =>
  z
    .string()
    .optional()
    .meta({ description: `Counts calls of this ${what} alone.` })

/** Names of a query that are given. */
export const namesIn = (names: Readonly<Record<string, string | undefined>>): UsageNames =>
  Object.fromEntries(Object.entries(names).filter(([, name]) => name !== undefined))

interface Period {
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** Hours since 1970 of those days, `to` exclusive. @throws FailureError `invalid_input` for a period that cannot be */
export function hoursOf({ from, to }: Period, now: number): { readonly from: number; readonly to: number } {
  const last = to === undefined ? Math.floor(now / DAY_MS) : Date.parse(to) / DAY_MS
  const first = from === undefined ? last - DEFAULT_DAYS + 1 : Date.parse(from) / DAY_MS
  if (first > last) fail('invalid_input', 'from is after to; give the first day as from and the last one as to')
  if (last - first >= USAGE_RETENTION_DAYS + 1) {
    fail('invalid_input', `use is kept for ${USAGE_RETENTION_DAYS} days (USAGE_RETENTION_DAYS); ask for fewer`)
  }
  return { from: first * 24, to: (last + 1) * 24 }
}
