import type { Hono } from 'hono'
import { fail, orNull } from '../../../../core/failure.ts'
import { MAX_MARKET_REQUESTS_PER_MINUTE } from '../../../../core/limits/marketplace.ts'
import { rateLimitedError } from '../../../../core/rate-limited.ts'
import type { Market, MarketModeration, PackageName } from '../../../../ports/market.ts'
import { compareSchemas } from '../../../../registry/schema-change.ts'
import type { AppEnv, Services } from '../../../dialect.ts'
import { encodePage, PageOf } from '../../../operations/page.ts'
import { guardedRoute, route } from '../../../operations/route.ts'
import { ownerGuard } from '../../../owner-guard.ts'
import { Blocked, PackageAnswer, PackageHit, PackageReport, PublishedPackage, Reported } from './marketplace-answers.ts'
import {
  Block,
  encodeChange,
  encodeHits,
  encodePublished,
  encodeReport,
  encodeVersion,
  NAME,
  PackageQuery,
  PageQuery,
  Publish,
  Report,
  SearchQuery,
  UnpublishQuery,
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

  route(
    app,
    'get',
    TOOLS,
    {
      id: 'listPackages',
      tag: 'marketplace',
      summary: 'Search published tools',
      scope: 'read',
      query: SearchQuery,
      answers: { 200: { description: 'A page of packages, the best first.', content: PageOf(PackageHit) } },
      problems: [],
      example: { query: { q: 'titles for addresses' }, status: 200 },
    },
    async (c, { services, query: { q, limit, cursor = 0 } }) => {
      const found = await services.market.search({ words: q, limit, offset: cursor })
      return c.json(encodePage(encodeHits(found), found.more ? cursor + limit : null))
    },
  )

  route(
    app,
    'post',
    TOOLS,
    {
      id: 'publishPackage',
      tag: 'marketplace',
      summary: 'Publish a version of your tool',
      scope: 'admin',
      body: Publish,
      answers: {
        200: { description: 'The version was published before.', content: PublishedPackage },
        201: {
          description: 'The version is published.',
          content: PublishedPackage,
          headers: { Location: 'Where the package is looked at.' },
        },
      },
      problems: [404, 409],
      example: {
        body: { id: 'weather.now', publisher: 'riverside', tool: 'weather', readme: 'Weather.' },
        status: 201,
      },
    },
    async (c, { services, body: { id, publisher, tool, ...words } }) => {
      const { tenant, market } = services
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
      if (!created) return c.json(encodePublished(published), 200)
      c.header('Location', `/v1/marketplace/tools/${published.publisher}/${published.tool}`)
      return c.json(encodePublished(published), 201)
    },
  )

  route(
    app,
    'get',
    `${TOOLS}/:publisher/:tool`,
    {
      id: 'getPackage',
      tag: 'marketplace',
      summary: 'Get a published tool with its versions',
      scope: 'read',
      params: NAME,
      query: PackageQuery,
      answers: { 200: { description: 'The tool.', content: PackageAnswer } },
      problems: [404],
      example: { params: { publisher: 'riverside', tool: 'slug' }, status: 200 },
    },
    async (c, { services: { market }, query: { version, since } }) => {
      const name = nameOf(c)
      const [published, versions] = await Promise.all([market.find(name, version), market.versions(name)])
      const before = since === undefined ? null : await market.find(name, since)
      const compared = before && compareSchemas(before.definition, published.definition)
      return c.json({
        ...encodePublished(published),
        versions: versions.map(encodeVersion),
        ...(compared && {
          since,
          breaking_since: compared.breaking,
          changes_since: compared.changes.map(encodeChange),
        }),
      })
    },
  )

  route(
    app,
    'delete',
    `${TOOLS}/:publisher/:tool`,
    {
      id: 'unpublishPackage',
      tag: 'marketplace',
      summary: 'Withdraw a version of your tool, or all',
      scope: 'admin',
      params: NAME,
      query: UnpublishQuery,
      answers: { 204: { description: 'It is withdrawn.' } },
      problems: [404],
      example: { params: { publisher: 'riverside', tool: 'old' }, status: 204 },
    },
    async (c, { services, query: { version } }) => {
      const unpublished = await services.market.unpublish(nameOf(c), version)
      await noteInAudit(services, 'tool.unpublish', nameOf(c), { versions: unpublished })
      return c.body(null, 204)
    },
  )

  route(
    app,
    'post',
    `${TOOLS}/:publisher/:tool/report`,
    {
      id: 'reportPackage',
      tag: 'marketplace',
      summary: "Report a tool to the server's owner",
      description: 'A second report of a tenant replaces its first.',
      scope: 'execute',
      params: NAME,
      body: Report,
      answers: { 200: { description: 'The report is kept.', content: Reported } },
      problems: [404],
      example: { params: { publisher: 'riverside', tool: 'slug' }, body: { reason: 'It does not work.' }, status: 200 },
    },
    async (c, { services: { market }, body: { reason } }) => {
      await market.report(nameOf(c), reason)
      return c.json({ ...nameOf(c), reported: true })
    },
  )

  addInstalls(app, TOOLS)

  const owner = ownerGuard(adminToken, 'only the owner of the server may do that; send its admin token as Bearer')

  guardedRoute(
    app,
    'put',
    `${TOOLS}/:publisher/:tool/block`,
    owner,
    {
      id: 'blockPackage',
      tag: 'marketplace',
      summary: 'Block a published tool',
      params: NAME,
      body: Block,
      answers: { 200: { description: 'The tool is blocked, or no longer.', content: Blocked } },
      problems: [404],
      example: { params: { publisher: 'riverside', tool: 'slug' }, body: { reason: null }, status: 200 },
    },
    async (c, { body: { reason } }) => {
      await marketModeration.block(nameOf(c), reason)
      return c.json({ ...nameOf(c), blocked: reason !== null })
    },
  )

  guardedRoute(
    app,
    'get',
    '/v1/marketplace/reports',
    owner,
    {
      id: 'listPackageReports',
      tag: 'marketplace',
      summary: 'List reports, newest first',
      query: PageQuery,
      answers: { 200: { description: 'A page of reports.', content: PageOf(PackageReport) } },
      problems: [],
      example: { status: 200 },
    },
    async (c, { query: { limit, cursor = 0 } }) => {
      const reports = await marketModeration.reports({ limit: limit + 1, offset: cursor })
      const next = reports.length > limit ? cursor + limit : null
      return c.json(encodePage(reports.slice(0, limit).map(encodeReport), next))
    },
  )
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
