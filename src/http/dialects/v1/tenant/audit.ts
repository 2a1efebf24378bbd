import type { Hono } from 'hono'
import * as z from 'zod'
import { AUDIT_PAGE_ENTRIES, MAX_EXPORTED_ENTRIES } from '../../../../core/limits/audit.ts'
import type { TenantApi } from '../../../../tenant/api.ts'
import { integer, withDefault } from '../../../../tools/arguments.ts'
import { type AppEnv, servicesFor } from '../../../dialect.ts'
import { parseInput } from '../../../input.ts'

const Page = z.object({
  after: withDefault(integer.pipe(z.int().min(0)), 0),
  limit: withDefault(integer.pipe(z.int().min(1).max(MAX_EXPORTED_ENTRIES)), MAX_EXPORTED_ENTRIES),
})

/**
 * The tenant's audit log: `GET /v1/audit`, a line of JSON for each entry, oldest first; `GET /v1/audit/head`, the number and the
 * hash of the last. The log is the owner's, so both need the scope `admin`.
 */
export function addAudit(app: Hono<AppEnv>): void {
  app.get('/v1/audit', (c) => {
    const { tenant } = servicesFor(c, 'admin')
    const { after, limit } = parseInput(c.req.query(), Page)
    return new Response(auditLines(tenant, after, limit), {
      headers: { 'Content-Type': 'application/x-ndjson', 'Cache-Control': 'no-store' },
    })
  })

  app.get('/v1/audit/head', async (c) => c.json(await servicesFor(c, 'admin').tenant.audit.head()))
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
