import type { Context, Hono } from 'hono'
import { fail } from '../../../../core/failure.ts'
import { ToolDefinition } from '../../../../registry/definition.ts'
import { targetProblem } from '../../../../registry/workable.ts'
import type { ChangedTool, ToolChange } from '../../../../tenant/tools-api.ts'
import { type AppEnv, type Services, servicesFor } from '../../../dialect.ts'
import { parseInput, readInput } from '../../../input.ts'
import {
  encodeChanged,
  encodeChanges,
  encodeListed,
  encodeTool,
  encodeVersion,
  Page,
  PatchTool,
  PutTool,
  policyOf,
  Rollback,
} from './registered-codec.ts'
import { refusesId } from './registered-ids.ts'
import { importTools } from './registered-import.ts'

const TOOLS = '/v1/tools/registered'

/**
 * Tools that a tenant registers, under `/v1/tools/registered`; `POST /v1/tools/import` takes a file of them. Reading needs the
 * scope `read`, changing `admin`. A slash in an id is sent as `%2F`.
 */
export function addRegistered(app: Hono<AppEnv>): void {
  app.get(TOOLS, async (c) => {
    const { limit, cursor } = parseInput(c.req.query(), Page)
    const page = { limit, ...(cursor !== undefined && { after: cursor }) }
    const { tools, total, next } = await servicesFor(c, 'read').tenant.tools.list(page)
    return c.json({ tools: tools.map(encodeListed), total, ...(next !== undefined && { next_cursor: String(next) }) })
  })

  app.get(`${TOOLS}/:id`, async (c) => {
    const { tenant } = servicesFor(c, 'read')
    const version = c.req.query('version')
    const reference = c.req.param('id') + (version === undefined ? '' : `@${version}`)
    return c.json(encodeTool(await tenant.tools.find(reference)))
  })

  app.put(`${TOOLS}/:id`, async (c) => {
    const services = servicesFor(c, 'admin')
    const id = c.req.param('id')
    const refused = refusesId(services)(id)
    if (refused !== null) fail('conflict', `${id} ${refused}`)
    const given = await readInput(c.req.raw, PutTool)
    if (given.id !== undefined && given.id !== id) fail('invalid_input', 'id: must be the one in the path, or left out')
    const definition = parseInput({ ...given, id }, ToolDefinition)
    const wrong = targetProblem(definition.executor)
    if (wrong !== null) fail('invalid_input', `executor: ${wrong}`)
    const { expected_version: expected, stable } = given
    const put = { op: 'put', definition, policy: policyOf(given), staged: !stable } as const
    const [changed] = await change(services, [{ ...put, ...(expected !== undefined && { expected }) }])
    return c.json(changed && encodeChanged(changed), changed?.outcome === 'created' ? 201 : 200)
  })

  app.patch(`${TOOLS}/:id`, async (c) => {
    const services = servicesFor(c, 'admin')
    const policy = policyOf(await readInput(c.req.raw, PatchTool))
    return changeOne(c, services, { op: 'policy', id: c.req.param('id'), policy })
  })

  app.post(`${TOOLS}/:id/rollback`, async (c) => {
    const services = servicesFor(c, 'admin')
    const { version } = await readInput(c.req.raw, Rollback)
    return changeOne(c, services, { op: 'stable', id: c.req.param('id'), version })
  })

  app.delete(`${TOOLS}/:id`, (c) => changeOne(c, servicesFor(c, 'admin'), { op: 'delete', id: c.req.param('id') }))

  app.get(`${TOOLS}/:id/versions`, async (c) => {
    const { limit, cursor } = parseInput(c.req.query(), Page)
    const { versions, next } = await versionsOf(c, { limit, ...(cursor !== undefined && { before: cursor }) })
    return c.json({ versions: versions.map(encodeVersion), ...(next !== undefined && { next_cursor: String(next) }) })
  })

  app.get(`${TOOLS}/:id/versions/:version/changes`, async (c) => {
    const number = Number(c.req.param('version'))
    const { versions } = await versionsOf(c, { limit: 2, before: number + 1 })
    const [version, before] = versions
    if (version?.version !== number) {
      return fail('not_found', 'the tool has no such version; …/versions lists those there are')
    }
    return c.json(encodeChanges(version, before?.version ?? null))
  })

  app.post('/v1/tools/import', async (c) =>
    c.json(await importTools(c.req.raw, servicesFor(c, 'admin'), c.req.query())),
  )
}

async function changeOne(c: Context<AppEnv>, services: Services, one: ToolChange): Promise<Response> {
  const [changed] = await change(services, [one])
  return c.json(changed && encodeChanged(changed))
}

const change = ({ tenant, key }: Services, changes: readonly ToolChange[]): Promise<readonly ChangedTool[]> =>
  tenant.tools.change(changes, { key, agent: null })

const versionsOf = (c: Context<AppEnv>, page: { readonly limit: number; readonly before?: number }) =>
  servicesFor(c, 'read').tenant.tools.versions(c.req.param('id') ?? '', page)
