import type { Context, Hono } from 'hono'
import { sameSecret } from '../../../../auth/constant-time.ts'
import { fail, orNull } from '../../../../core/failure.ts'
import { MAX_MARKET_REQUESTS_PER_MINUTE } from '../../../../core/limits/marketplace.ts'
import { rateLimitedError } from '../../../../core/rate-limited.ts'
import type { Market, MarketModeration, PackageName } from '../../../../ports/market.ts'
import { compareSchemas } from '../../../../registry/schema-change.ts'
import { bearerToken } from '../../../authenticate.ts'
import { type AppEnv, type Services, servicesFor } from '../../../dialect.ts'
import { parseInput, readInput } from '../../../input.ts'
import {
  Block,
  encodeChange,
  encodeHits,
  encodePublished,
  encodeReport,
  encodeVersion,
  Page,
  Publish,
  Report,
  SearchQuery,
  VersionQuery,
} from './marketplace-codec.ts'
import { addInstalls, nameOf, noteInAudit } from './marketplace-install.ts'

export interface MarketRoutes {
  readonly marketModeration: MarketModeration
  /** Token that allows moderation: reading reports and blocking packages. Null: nobody may. */
  readonly adminToken: string | null
}

const TOOLS = '/v1/marketplace/tools'

/**
 * Adds the routes of tools that tenants publish for others. Looking needs the scope `read`, reporting `execute`,
 * publishing, installing and withdrawing `admin`; reports and blocking need the operator's ADMIN_TOKEN. Readmes are text of
 * other tenants, and sent as JSON.
 */
export function addMarketplace(app: Hono<AppEnv>, { marketModeration, adminToken }: MarketRoutes): void {
  app.use('/v1/marketplace/*', async (c, next) => {
    const { caller } = c.env
    if (!('failure' in caller)) await keepPace(caller.services)
    return next()
  })

  app.get(TOOLS, async (c) => {
    const { q, limit, cursor } = parseInput(c.req.query(), SearchQuery)
    const found = await servicesFor(c, 'read').market.search({ words: q, limit, offset: cursor })
    return c.json({ tools: encodeHits(found), ...(found.more && { next_cursor: String(cursor + limit) }) })
  })

  app.post(TOOLS, async (c) => {
    const services = servicesFor(c, 'admin')
    const { tenant, market } = services
    const { id, publisher, tool, ...words } = await readInput(c.req.raw, Publish)
    const { definition, source } = await tenant.tools.find(id)
    if (source?.startsWith('marketplace:')) fail('conflict', `${id} is another's: it was installed from ${source}`)
    const name = { publisher, tool: tool ?? definition.id }
    const isWhole = words.readme !== undefined && words.examples !== undefined
    const before = isWhole ? null : await newestOf(market, name)
    const readme = words.readme ?? before?.readme ?? ''
    const examples = words.examples ?? before?.examples ?? []
    const wanted = { ...name, definition, readme, examples }
    const { created, ...published } = await market.publish(wanted)
    if (created) await noteInAudit(services, 'tool.publish', wanted, { versions: [published.version], id })
    return c.json(encodePublished(published), created ? 201 : 200)
  })

  app.get(`${TOOLS}/:publisher/:tool`, async (c) => {
    const { market } = servicesFor(c, 'read')
    const name = nameOf(c)
    const { version, since } = parseInput(c.req.query(), VersionQuery)
    const [published, versions] = await Promise.all([market.find(name, version), market.versions(name)])
    const before = since === undefined ? null : await market.find(name, since)
    const compared = before && compareSchemas(before.definition, published.definition)
    return c.json({
      ...encodePublished(published),
      versions: versions.map(encodeVersion),
      ...(compared && { since, breaking_since: compared.breaking, changes_since: compared.changes.map(encodeChange) }),
    })
  })

  app.delete(`${TOOLS}/:publisher/:tool`, async (c) => {
    const { version } = parseInput(c.req.query(), VersionQuery)
    const services = servicesFor(c, 'admin')
    const unpublished = await services.market.unpublish(nameOf(c), version)
    await noteInAudit(services, 'tool.unpublish', nameOf(c), { versions: unpublished })
    return c.json({ ...nameOf(c), unpublished })
  })

  app.post(`${TOOLS}/:publisher/:tool/report`, async (c) => {
    const { market } = servicesFor(c, 'execute')
    const { reason } = await readInput(c.req.raw, Report)
    await market.report(nameOf(c), reason)
    return c.json({ ...nameOf(c), reported: true })
  })

  addInstalls(app, TOOLS)

  app.put(`${TOOLS}/:publisher/:tool/block`, async (c) => {
    await ownerOnly(c, adminToken)
    const { reason } = await readInput(c.req.raw, Block)
    await marketModeration.block(nameOf(c), reason)
    return c.json({ ...nameOf(c), blocked: reason !== null })
  })

  app.get('/v1/marketplace/reports', async (c) => {
    await ownerOnly(c, adminToken)
    const { limit, cursor } = parseInput(c.req.query(), Page)
    const reports = await marketModeration.reports({ limit: limit + 1, offset: cursor })
    const more = reports.length > limit
    return c.json({
      reports: reports.slice(0, limit).map(encodeReport),
      ...(more && { next_cursor: String(cursor + limit) }),
    })
  })
}

/** Counts a request against the tenant's rate. @throws FailureError `rate_limited` */
async function keepPace({ tenant }: Services): Promise<void> {
  const retryAfterMs = await tenant.market.pace()
  if (retryAfterMs === 0) return
  const limit = MAX_MARKET_REQUESTS_PER_MINUTE
  throw rateLimitedError(
    `this tenant asks the marketplace more than ${limit} times a minute (MAX_MARKET_REQUESTS_PER_MINUTE); try again in ${Math.ceil(retryAfterMs / 1_000)} s`,
    { scope: 'tenant', kind: 'per-minute', limit, remaining: 0, windowMs: 60_000, retryAfterMs },
  )
}

const newestOf = (market: Market, name: PackageName) => orNull(market.find(name), 'not_found')

async function ownerOnly(c: Context<AppEnv>, adminToken: string | null): Promise<void> {
  const sent = bearerToken(c.req.raw.headers)
  if (adminToken === null || sent === null || !(await sameSecret(sent, adminToken))) {
    fail('forbidden', 'only the owner of the server may do that; send its admin token as Bearer')
  }
}
