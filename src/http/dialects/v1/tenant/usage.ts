import type { Hono } from 'hono'
import * as z from 'zod'
import { fail } from '../../../../core/failure.ts'
import { MAX_USAGE_GROUPS, USAGE_RETENTION_DAYS } from '../../../../core/limits/usage.ts'
import type { UsageGroup, UsageQuery, UsageReport, Used } from '../../../../tenant/usage-api.ts'
import { integer, withDefault } from '../../../../tools/arguments.ts'
import { type AppEnv, servicesFor } from '../../../dialect.ts'
import { parseInput } from '../../../input.ts'

const HOUR_MS = 60 * 60_000
const DAY_MS = 24 * HOUR_MS
const DEFAULT_DAYS = 7

const GROUPS = ['tool', 'agent', 'key', 'session', 'day', 'hour'] as const satisfies readonly UsageGroup[]
const name = z.string().optional()

const UsageInput = z.object({
  /** Days in UTC, both of them included. */
  from: z.iso.date().optional(),
  to: z.iso.date().optional(),
  group_by: z.enum(GROUPS).optional(),
  ...{ tool: name, agent: name, key: name, session: name },
  limit: withDefault(integer.pipe(z.int().min(1).max(MAX_USAGE_GROUPS)), 100),
})

/** Use of registered tools: `GET /v1/usage`. */
export function addUsage(app: Hono<AppEnv>): void {
  app.get('/v1/usage', async (c) => {
    const { tenant, now } = servicesFor(c, 'read')
    const input = parseInput(c.req.query(), UsageInput)
    const query = decodeQuery(input, now())
    return c.json(encodeReport(await tenant.usage.read(query), query))
  })
}

function decodeQuery({ from, to, group_by, limit, ...names }: z.output<typeof UsageInput>, now: number): UsageQuery {
  const last = to === undefined ? Math.floor(now / DAY_MS) : Date.parse(to) / DAY_MS
  const first = from === undefined ? last - DEFAULT_DAYS + 1 : Date.parse(from) / DAY_MS
  if (first > last) fail('invalid_input', 'from is after to; give the first day as from and the last one as to')
  if (last - first >= USAGE_RETENTION_DAYS + 1) {
    fail('invalid_input', `use is kept for ${USAGE_RETENTION_DAYS} days (USAGE_RETENTION_DAYS); ask for fewer`)
  }
  const where = Object.fromEntries(Object.entries(names).filter(([, value]) => value !== undefined))
  return { from: first * 24, to: (last + 1) * 24, groupBy: group_by ?? null, where, limit }
}

const encodeReport = ({ total, groups, more }: UsageReport, { from, to, groupBy }: UsageQuery) => ({
  from: dateOf(from / 24),
  to: dateOf(to / 24 - 1),
  total: encodeUsed(total),
  ...(groupBy && {
    group_by: groupBy,
    groups: groups.map((used) => ({ [groupBy]: nameOf(used, groupBy), ...encodeUsed(used) })),
    more,
  }),
})

function nameOf({ name }: Used, group: UsageGroup): string | null {
  if (group === 'day') return dateOf(Number(name))
  return group === 'hour' ? new Date(Number(name) * HOUR_MS).toISOString() : name
}

const dateOf = (day: number) => new Date(day * DAY_MS).toISOString().slice(0, 10)

const encodeUsed = (used: Used) => ({
  calls: used.calls,
  failed: used.failed,
  refused: used.refused,
  reasons: used.reasons,
  latency_ms: { p50: used.p50Ms, p95: used.p95Ms, p99: used.p99Ms },
  bytes_in: used.bytesIn,
  bytes_out: used.bytesOut,
  sandbox_seconds: used.sandboxMs / 1_000,
  /** Cost in millionths of the currency. */
  cost: used.cost,
})
