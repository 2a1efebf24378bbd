import type { Hono } from 'hono'
import * as z from 'zod'
import { AUDIT_PAGE_ENTRIES, MAX_EXPORTED_ENTRIES } from '../../../../core/limits/audit.ts'
import type { TenantApi } from '../../../../tenant/api.ts'
import type { AppEnv } from '../../../dialect.ts'
import { encodePage, numberedPageQuery, numberOr, PageOf } from '../../../operations/page.ts'
import { route } from '../../../operations/route.ts'

const EntriesQuery = z.strictObject(numberedPageQuery(AUDIT_PAGE_ENTRIES, 100))

const LinesQuery = z.strictObject({
  after: numberOr(0, 0, Number.MAX_SAFE_INTEGER, 'Number of an entry: those that follow it are answered.'),
  limit: numberOr(MAX_EXPORTED_ENTRIES, 1, MAX_EXPORTED_ENTRIES, 'Most entries.'),
})

const AuditHead = z
  .object({
    seq: z.int().min(0).meta({ description: 'Number of the last entry; 0 for an empty log.' }),
    hash: z.string().meta({ description: 'SHA-256 of the last entry, which holds that of the one before.' }),
  })
  .meta({ id: 'AuditHead' })

const AuditEntry = z.looseObject({ hash: z.string() }).meta({
  id: 'AuditEntry',
  description:
    'An entry: `seq`, `at`, `action`, `key`, `agent`, `session`, `subject`, `decision`, `reason`, `count`, `detail`, `prev` and `hash`. Where older entries were dropped, `checkpoint` is the number of the last of them, and `hash` is its hash. `unreadable` stands for sealed entries that the store no longer has as they were sealed: `first`, `last`, and `why`, `missing` or `changed`.',
})

/** The tenant's audit log: pages of its entries, all of them as lines, and the number and hash of the last. The log is the owner's. */
export function addAudit(app: Hono<AppEnv>): void {
  route(
    app,
    'get',
    '/v1/audit',
    {
      id: 'listAuditEntries',
      tag: 'audit',
      summary: 'List entries of the audit log, oldest first',
      scope: 'admin',
      query: EntriesQuery,
      answers: { 200: { description: 'A page of entries.', content: PageOf(AuditEntry) } },
      problems: [],
      example: { query: { limit: '100' }, status: 200 },
    },
    async (c, { services: { tenant }, query: { limit, cursor = 0 } }) => {
      const { lines, next } = await tenant.audit.page({ after: cursor, limit })
      return c.json(
        encodePage(
          lines.map((line) => JSON.parse(line)),
          next,
        ),
      )
    },
  )

  route(
    app,
    'get',
    '/v1/audit/export',
    {
      id: 'exportAudit',
      tag: 'audit',
      summary: 'Export the audit log, for checking its hashes',
      description: 'A line of JSON for each entry, oldest first, as it was hashed.',
      scope: 'admin',
      query: LinesQuery,
      answers: { 200: { description: 'The entries.', content: { raw: 'application/x-ndjson' } } },
      problems: [],
      example: { query: { after: '0', limit: '100' }, status: 200 },
    },
    (_c, { services: { tenant }, query: { after, limit } }) =>
      new Response(auditLines(tenant, after, limit), {
        headers: { 'Content-Type': 'application/x-ndjson', 'Cache-Control': 'no-store' },
      }),
  )

  route(
    app,
    'get',
    '/v1/audit/head',
    {
      id: 'getAuditHead',
      tag: 'audit',
      summary: 'Get the number and the hash of the last entry',
      scope: 'admin',
      answers: { 200: { description: 'The last entry.', content: AuditHead } },
      problems: [],
      example: { status: 200 },
    },
    async (c, { services }) => c.json(await services.tenant.audit.head()),
  )
}

/** Lines of the log; each step is read from the tenant when the one before has been consumed. */
function auditLines(tenant: TenantApi, after: number, limit: number): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let from = after
  let left = limit
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const count = Math.min(left, AUDIT_PAGE_ENTRIES)
        const { lines, next } = await tenant.audit.page({ after: from, limit: count })
        if (lines.length > 0) controller.enqueue(encoder.encode(`${lines.join('\n')}\n`))
        left -= count
        if (next === null || left === 0) return controller.close()
        from = next
      },
    },
    { highWaterMark: 0 },
  )
}
