import type { Hono } from 'hono'
import * as z from 'zod'
import { isTenantClosed } from '../../../core/closed-tenant.ts'
import { FailureError, fail } from '../../../core/failure.ts'
import { type TenantId, tenantId } from '../../../core/ids.ts'
import { MAX_TENANTS_USED, TENANTS_READ_AT_ONCE, USAGE_RETENTION_DAYS } from '../../../core/limits/usage.ts'
import { NO_USE, type UsageApi, type UsageReport, type UsageSums } from '../../../tenant/usage-api.ts'
import type { AppEnv } from '../../dialect.ts'
import type { Guard } from '../../operations/operation.ts'
import { encodeOneMore, PageOf, pageQuery } from '../../operations/page.ts'
import { guardedRoute } from '../../operations/route.ts'
import { noSuchTenant } from '../../tenant-keys/tenant-keys.ts'
import { MAX_TENANT_ID_CHARS } from './codec.ts'
import { ownerOnly } from './guard.ts'
import { type SeenTenant, withOpenTenant } from './open-tenant.ts'
import type { AdminParts } from './parts.ts'

const HOUR_MS = 60 * 60_000
const HOURS_PER_DAY = 24
export const DAY_MS = HOURS_PER_DAY * HOUR_MS

export const Month = z
  .string()
  .regex(/^\d{4}-(?:0[1-9]|1[0-2])$/, 'must be a month such as 2026-11')
  .optional()
  .meta({ description: 'Month in UTC, such as `2026-11`; the current one if not given.' })

const MonthQuery = z.strictObject({
  month: Month,
  by: z.enum(['day']).optional().meta({ description: '`day`: with `days`, the use of each day, beside the sums.' }),
  tenant: z
    .string()
    .min(1)
    .max(MAX_TENANT_ID_CHARS)
    .optional()
    .meta({ description: 'Id of the one tenant that is wanted; all if not given.' }),
  ...pageQuery(MAX_TENANTS_USED),
})

const Sums = z
  .object({
    calls: z.int(),
    failed: z.int(),
    refused: z.int().meta({ description: 'Calls refused before they began; not among `calls`.' }),
    bytes_in: z.int(),
    bytes_out: z.int(),
    sandbox_seconds: z.number(),
    cost: z.number().meta({ description: "Cost in millionths of the currency, by the tenant's prices." }),
    sandbox_running_seconds: z
      .number()
      .meta({ description: 'Time that sandboxes ran, idle or at work; not only in calls.' }),
    sandbox_paused_seconds: z.number().meta({ description: 'Time that sandboxes were paused.' }),
  })
  .meta({ id: 'MonthlyUse' })

const TenantUse = z
  .object({
    tenant: z.string(),
    name: z.string(),
    use: Sums.nullable().meta({ description: 'Null for a tenant that was deleted, and its use with it.' }),
    days: z
      .array(z.object({ day: z.iso.date().meta({ description: 'Day in UTC.' }), use: Sums }).meta({ id: 'DailyUse' }))
      .optional()
      .meta({ description: 'Days with use, in their order, where `by=day` asks for them; none for a deleted tenant.' }),
  })
  .meta({ id: 'TenantUse' })

/** Use of all tenants, for the owner of the server. */
export function addTenantUsage(app: Hono<AppEnv>, { keys, openTenant, clock, adminToken, usageOf }: AdminParts): void {
  const tenants = withOpenTenant(keys, openTenant)
  const owner: Guard<void> = { credentials: ['owner'], allow: (c) => ownerOnly(c, adminToken) }

  guardedRoute(
    app,
    'get',
    '/admin/usage',
    owner,
    {
      id: 'listTenantUsage',
      tag: 'usage',
      summary: 'List the use of tenants in a month',
      description: `What an invoice is made of, tenant by tenant in the order of their ids. Use is kept for ${USAGE_RETENTION_DAYS} days, and until its tenant is deleted.`,
      query: MonthQuery,
      answers: {
        200: {
          description: 'A page of tenants.',
          content: PageOf(TenantUse).extend({ month: z.string() }).meta({ id: 'TenantUsePage' }),
        },
      },
      problems: [404],
      example: { query: { limit: '20' }, status: 200 },
    },
    async (c, { query: { month = monthOf(clock.now()), by, tenant, limit, cursor } }) => {
      const days = daysOf(month, clock.now())
      const listed =
        tenant === undefined
          ? await tenants.listTenants({ limit: limit + 1, ...(cursor === undefined ? {} : { after: cursor }) })
          : [(await tenants.tenant(tenantId(tenant))) ?? noSuchTenant()]
      const shown = listed.slice(0, limit)
      const page = <Use>(used: ReadonlyMap<string, Use | null>, encode: (use: Use | null) => object) => ({
        month,
        ...encodeOneMore(
          listed,
          limit,
          ({ id, name }) => ({ tenant: id, name, ...encode(used.get(id) ?? null) }),
          ({ id }) => id,
        ),
      })
      if (by === undefined) return c.json(page(await useOf(shown, usageOf, days), (use) => ({ use: encodeSums(use) })))
      return c.json(page(await readEach(shown, (id) => usedByDay(usageOf(id), days)), encodeDays))
    },
  )
}

/** Use of tenants by their ids; null for a deleted one. */
export const useOf = (
  tenants: readonly Pick<SeenTenant, 'id'>[],
  usageOf: AdminParts['usageOf'],
  days: Days,
): Promise<ReadonlyMap<string, UsageSums | null>> => readEach(tenants, (id) => usedIn(usageOf(id), days))

/** Answers of tenants by their ids, asked for some at once. */
async function readEach<Use>(
  tenants: readonly Pick<SeenTenant, 'id'>[],
  read: (id: TenantId) => Promise<Use | null>,
): Promise<ReadonlyMap<string, Use | null>> {
  const used = new Map<string, Use | null>()
  for (let at = 0; at < tenants.length; at += TENANTS_READ_AT_ONCE) {
    const some = tenants.slice(at, at + TENANTS_READ_AT_ONCE)
    const results = await Promise.all(some.map(({ id }) => read(id)))
    for (const [index, { id }] of some.entries()) used.set(id, results[index] ?? null)
  }
  return used
}

export const monthOf = (now: number) => new Date(now).toISOString().slice(0, 7)

interface Days {
  /** Days since 1970; `to` is exclusive. */
  readonly from: number
  readonly to: number
}

/** Days of a month. @throws FailureError `invalid_input` for a month that has not begun, or that is no longer kept whole */
export function daysOf(month: string, now: number): Days {
  const [year = 0, number = 0] = month.split('-').map(Number)
  const from = Date.UTC(year, number - 1) / DAY_MS
  const to = Date.UTC(year, number) / DAY_MS
  const today = Math.floor(now / DAY_MS)
  if (from > today) fail('invalid_input', `month: ${month} has not begun; give this month or an earlier one`)
  // A part of a month would look like the whole of it.
  if (from < today - USAGE_RETENTION_DAYS) {
    fail(
      'invalid_input',
      `month: use is kept for ${USAGE_RETENTION_DAYS} days (USAGE_RETENTION_DAYS); give a later month`,
    )
  }
  return { from, to }
}

/** Sums of a tenant's use; null for a deleted tenant. */
async function usedIn(usage: Pick<UsageApi, 'read'>, days: Days): Promise<UsageSums | null> {
  const parts = await inParts(days, async (part) => (await reportOf(usage, part, null)).total)
  return parts?.reduce<UsageSums>(added, NO_USE) ?? null
}

/** Use of a day, by its number since 1970. */
interface DayUse {
  readonly day: number
  readonly use: UsageSums
}

/** Days on which a tenant used something, in their order; null for a deleted tenant. */
async function usedByDay(usage: Pick<UsageApi, 'read'>, days: Days): Promise<readonly DayUse[] | null> {
  const parts = await inParts(days, async (part) => (await reportOf(usage, part, 'day')).groups)
  return parts?.flat().map((use) => ({ day: Number(use.name), use })) ?? null
}

/**
 * Reports of a month, as one or day by day where one answer is too small for it: of one day there are never more rows than an
 * answer is made of.
 * @returns null for a deleted tenant
 */
async function inParts<Part>(days: Days, read: (part: Days) => Promise<Part>): Promise<readonly Part[] | null> {
  try {
    return [await read(days)]
  } catch (thrown) {
    if (isTenantClosed(thrown)) return null
    const isTooMuch = thrown instanceof FailureError && thrown.failure.code === 'limit_exceeded'
    if (!isTooMuch) throw thrown
  }
  const parts: Part[] = []
  for (let day = days.from; day < days.to; day++) parts.push(await read({ from: day, to: day + 1 }))
  return parts
}

function reportOf(usage: Pick<UsageApi, 'read'>, { from, to }: Days, groupBy: 'day' | null): Promise<UsageReport> {
  const hours = { from: from * HOURS_PER_DAY, to: to * HOURS_PER_DAY }
  return usage.read({ ...hours, groupBy, where: {}, limit: Math.max(1, to - from) })
}

const added = (one: UsageSums, other: UsageSums): UsageSums => ({
  calls: one.calls + other.calls,
  failed: one.failed + other.failed,
  refused: one.refused + other.refused,
  ms: one.ms + other.ms,
  bytesIn: one.bytesIn + other.bytesIn,
  bytesOut: one.bytesOut + other.bytesOut,
  sandboxMs: one.sandboxMs + other.sandboxMs,
  cost: one.cost + other.cost,
  sandboxRunningMs: one.sandboxRunningMs + other.sandboxRunningMs,
  sandboxPausedMs: one.sandboxPausedMs + other.sandboxPausedMs,
})

const encodeDays = (days: readonly DayUse[] | null) => ({
  use: encodeSums(days?.map(({ use }) => use).reduce<UsageSums>(added, NO_USE) ?? null),
  days: (days ?? []).map(({ day, use }) => ({
    day: new Date(day * DAY_MS).toISOString().slice(0, 10),
    use: encodeSums(use),
  })),
})

const encodeSums = (sums: UsageSums | null) =>
  sums && {
    calls: sums.calls,
    failed: sums.failed,
    refused: sums.refused,
    bytes_in: sums.bytesIn,
    bytes_out: sums.bytesOut,
    sandbox_seconds: sums.sandboxMs / 1_000,
    cost: sums.cost,
    sandbox_running_seconds: sums.sandboxRunningMs / 1_000,
    sandbox_paused_seconds: sums.sandboxPausedMs / 1_000,
  }
