import type { Hono } from 'hono'
import type { Tenant } from '../../../../ports/keys.ts'
import type { Plan } from '../../../../ports/plans.ts'
import type { UsageSums } from '../../../../tenant/usage-api.ts'
import { csvRow } from '../../../csv.ts'
import type { AppEnv } from '../../../dialect.ts'
import type { Guard } from '../../../operations/operation.ts'
import { encodeOneMore } from '../../../operations/page.ts'
import { guardedRoute } from '../../../operations/route.ts'
import { ownerOnly } from '../guard.ts'
import type { AdminParts } from '../parts.ts'
import { DAY_MS, daysOf, monthOf, useOf } from '../usage.ts'
import { type Invoice, InvoicePage, InvoicesQuery } from './codec.ts'
import { linesOf, totalOf } from './lines.ts'

const CSV = 'text/csv'

/** Invoices' data, for the owner of the server. */
export function addInvoices(app: Hono<AppEnv>, { keys, plans, clock, adminToken, usageOf }: AdminParts): void {
  const owner: Guard<void> = { credentials: ['owner'], allow: (c) => ownerOnly(c, adminToken) }

  guardedRoute(
    app,
    'get',
    '/admin/invoices',
    owner,
    {
      id: 'listInvoices',
      tag: 'invoices',
      summary: "List the invoices' data of a month",
      description:
        'By the plans as they are now and the use of the month, tenant by tenant in the order of their ids. Amounts are decimal numbers in texts; each line is in whole cents, and a total is the sum of its lines. Keep what you send: it is made anew each time.',
      query: InvoicesQuery,
      answers: {
        200: {
          description: 'A page of tenants.',
          content: [InvoicePage, { raw: CSV }],
          headers: { Link: 'Address of the next page (`rel="next"`), in CSV; absent on the last one.' },
        },
      },
      problems: [404],
      example: { query: { limit: '20' }, status: 200 },
    },
    async (c, { query: { month = monthOf(clock.now()), format = 'json', limit, cursor } }) => {
      const days = daysOf(month, clock.now())
      const listed = await keys.listTenants({ limit: limit + 1, ...(cursor === undefined ? {} : { after: cursor }) })
      const shown = listed.slice(0, limit)
      const [all, planOf, used] = await Promise.all([
        plans.list(),
        plans.ofTenants(shown.map(({ id }) => id)),
        useOf(shown, usageOf, days),
      ])
      const encode = (tenant: Tenant) =>
        invoiceOf(tenant, all.find(({ name }) => name === planOf.get(tenant.id)) ?? null, used.get(tenant.id) ?? null)
      const complete = clock.now() >= (days.to + 1) * DAY_MS
      const page = { month, complete, ...encodeOneMore(listed, limit, encode, ({ id }) => id) }
      if (format === 'json') return c.json(page)
      const next = page.next_cursor
      const query = new URLSearchParams({ month, format, limit: String(limit), cursor: next ?? '' })
      return c.body(csvOf(page), 200, {
        'Content-Type': `${CSV}; charset=utf-8`,
        'Content-Disposition': `attachment; filename="invoices-${month}.csv"`,
        'Cache-Control': 'no-store',
        ...(next !== null && { Link: `</admin/invoices?${query}>; rel="next"` }),
      })
    },
  )
}

/** Invoice of a tenant. @param use null where it went with a deleted tenant */
function invoiceOf({ id: tenant, name }: Tenant, plan: Plan | null, use: UsageSums | null): Invoice {
  const lines = plan && use ? [...linesOf(plan, use)] : []
  const total = use ? totalOf(lines) : null
  return { tenant, name, plan: plan?.name ?? null, currency: plan?.currency ?? null, lines, total }
}

const COLUMNS = [
  ...['month', 'complete', 'tenant', 'name', 'plan', 'currency'],
  ...['item', 'used', 'included', 'billed', 'price', 'per', 'amount'],
]

interface Page {
  readonly month: string
  readonly complete: boolean
  readonly data: readonly Invoice[]
}

const csvOf = ({ month, complete, data }: Page): string =>
  [
    csvRow(COLUMNS),
    ...data.flatMap(({ tenant, name, plan, currency, lines }) =>
      lines.map(({ item, used, included, billed, price, per, amount }) =>
        csvRow([
          ...[month, String(complete), tenant, name, plan ?? '', currency ?? ''],
          ...[item, used, included, billed, price, per, amount],
        ]),
      ),
    ),
  ].join('')
