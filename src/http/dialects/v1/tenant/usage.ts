import type { Hono } from 'hono'
import * as z from 'zod'
import { MAX_REPORTED_USAGE_ROWS, MAX_USAGE_GROUPS, USAGE_RETENTION_DAYS } from '../../../../core/limits/usage.ts'
import type { UsageGroup, UsageQuery, UsageReport, Used } from '../../../../tenant/usage-api.ts'
import type { AppEnv } from '../../../dialect.ts'
import { encodePage, numberedPageQuery, PageOf } from '../../../operations/page.ts'
import { route } from '../../../operations/route.ts'
import { DAY_MS, HOUR_MS, hoursOf, namesIn, only, PERIOD } from './usage-period.ts'

const GROUPS = ['tool', 'agent', 'key', 'session', 'day', 'hour'] as const satisfies readonly UsageGroup[]
const UsageInput = z.strictObject({
  ...PERIOD,
  group_by: z.enum(GROUPS).optional().meta({ description: 'Groups of the calls, besides their total.' }),
  ...{ tool: only('tool'), agent: only('agent'), key: only('key'), session: only('session') },
  ...numberedPageQuery(MAX_USAGE_GROUPS, 100, { end: MAX_REPORTED_USAGE_ROWS }),
})

const percentile = z.number().nullable()
const UsedAnswer = z
  .object({
    calls: z.int(),
    failed: z.int(),
    refused: z.int().meta({ description: 'Calls refused before they began; not among `calls`.' }),
    reasons: z.record(z.string(), z.int()).meta({
      description:
        'Failed and refused calls by code; besides, as `nonzero_exit`, calls whose command ended with another code than 0, which are not among the failed.',
    }),
    latency_ms: z.object({ p50: percentile, p95: percentile, p99: percentile }),
    bytes_in: z.int(),
    bytes_out: z.int(),
    sandbox_seconds: z.number(),
    cost: z.number().meta({ description: 'Cost in millionths of the currency.' }),
    sandbox_running_seconds: z
      .number()
      .meta({ description: 'Time that sandboxes ran, idle or at work; not only in calls.' }),
    sandbox_paused_seconds: z.number().meta({ description: 'Time that sandboxes were paused.' }),
  })
  .meta({ id: 'Used' })

/** Name of a group, under its kind; null for nobody, `*` for several that were counted together. */
const groupNames = Object.fromEntries(GROUPS.map((group) => [group, z.string().nullable().optional()]))
const Usage = PageOf(UsedAnswer.extend(groupNames).meta({ id: 'UsedGroup' }))
  .extend({
    from: z.iso.date(),
    to: z.iso.date(),
    total: UsedAnswer.meta({ description: 'Sums over all calls, whatever the page.' }),
    group_by: z.enum(GROUPS).nullable().meta({ description: 'Kind of the groups in `data`; null without them.' }),
  })
  .meta({ id: 'Usage' })

/** Use of registered tools. */
export function addUsage(app: Hono<AppEnv>): void {
  route(
    app,
    'get',
    '/v1/usage',
    {
      id: 'getUsage',
      tag: 'usage',
      summary: 'Get the use of tools',
      description: `\`data\` has the groups, a page of them: days and hours in their order, others by number of calls, most first. Without \`group_by\` there are none. Calls belong to the hour in which they began. Use is kept for ${USAGE_RETENTION_DAYS} days; percentiles are within 4.5 %.`,
      scope: 'read',
      query: UsageInput,
      answers: { 200: { description: 'The use.', content: Usage } },
      problems: [],
      example: { query: { group_by: 'tool', limit: '10' }, status: 200 },
    },
    async (c, { services: { tenant, now }, query: input }) => {
      const query = decodeQuery(input, now())
      return c.json(encodeReport(await tenant.usage.read(query), query))
    },
  )
}

function decodeQuery(
  { from, to, group_by, limit, cursor = 0, ...names }: z.output<typeof UsageInput>,
  now: number,
): UsageQuery {
  return { ...hoursOf({ from, to }, now), groupBy: group_by ?? null, where: namesIn(names), limit, offset: cursor }
}

const encodeReport = ({ total, groups, more }: UsageReport, { from, to, groupBy, offset = 0 }: UsageQuery) => ({
  from: dateOf(from / 24),
  to: dateOf(to / 24 - 1),
  total: encodeUsed(total),
  group_by: groupBy,
  ...encodePage(
    groupBy ? groups.map((used) => ({ [groupBy]: nameOf(used, groupBy), ...encodeUsed(used) })) : [],
    more ? offset + groups.length : null,
  ),
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
  sandbox_running_seconds: used.sandboxRunningMs / 1_000,
  sandbox_paused_seconds: used.sandboxPausedMs / 1_000,
})
