import type { Hono } from 'hono'
import * as z from 'zod'
import { fail } from '../../../../core/failure.ts'
import type { ToolkitInfo } from '../../../../tools/registry.ts'
import { alikeNames, didYouMean } from '../../../alike-names.ts'
import type { AppEnv, Services } from '../../../dialect.ts'
import type { Operation } from '../../../operations/operation.ts'
import { encodeHeld, PageOf, pageQuery } from '../../../operations/page.ts'
import { route } from '../../../operations/route.ts'

const Toolkit = z
  .object({
    name: z.string(),
    description: z.string().meta({ description: 'What its tools are for.' }),
    tools: z.array(z.string()).meta({ description: 'Names of its tools, by which any caller may call them.' }),
    listed: z.boolean().meta({ description: "Whether the tenant's lists of tools show them besides the usual ones." }),
  })
  .meta({ id: 'Toolkit', description: 'A named set of tools of the server.' })

/** `/v1/toolkits`: the server's toolkits, and which of them the tenant's lists of tools show. */
export function addToolkits(app: Hono<AppEnv>): void {
  route(app, 'get', '/v1/toolkits', LIST, async (c, { services, query }) => {
    const listed = await services.tenant.toolkits.listed()
    const all = services.toolkits.map((toolkit) => encode(toolkit, listed.includes(toolkit.name)))
    return c.json(encodeHeld(all, query, ({ name }) => name))
  })

  route(app, 'get', '/v1/toolkits/:toolkit', GET, async (c, { services }) => {
    const toolkit = toolkitNamed(services, c.req.param('toolkit'))
    return c.json(encode(toolkit, (await services.tenant.toolkits.listed()).includes(toolkit.name)))
  })

  route(app, 'put', '/v1/toolkits/:toolkit/listed', PUT, async (c, { services }) => {
    const toolkit = toolkitNamed(services, c.req.param('toolkit'))
    await services.tenant.toolkits.change(toolkit.name, true, { key: services.key, agent: null })
    return c.json(encode(toolkit, true))
  })

  route(app, 'delete', '/v1/toolkits/:toolkit/listed', DELETE, async (c, { services }) => {
    // One that an earlier version of the server had can be taken out, too.
    const name = c.req.param('toolkit')
    const isListed = (await services.tenant.toolkits.listed()).includes(name)
    if (!isListed) toolkitNamed(services, name)
    await services.tenant.toolkits.change(name, false, { key: services.key, agent: null })
    return c.body(null, 204)
  })
}

const encode = ({ name, description, tools }: ToolkitInfo, listed: boolean) => ({
  name,
  description,
  tools: tools.map((tool) => tool.name),
  listed,
})

function toolkitNamed({ toolkits }: Services, name: string): ToolkitInfo {
  const found = toolkits.find((toolkit) => toolkit.name === name)
  if (found) return found
  const nearest = alikeNames(
    name,
    toolkits.map((toolkit) => toolkit.name),
  )
  const words = nearest.length > 0 ? didYouMean(nearest) : 'GET /v1/toolkits has all of them'
  return fail('not_found', `there is no toolkit ${name.slice(0, 100)}; ${words}`)
}

const NAME = 'Name of the toolkit.'

const Query = z.strictObject(pageQuery(100, 100))

const LIST = {
  id: 'listToolkits',
  tag: 'toolkits',
  summary: 'List the toolkits of the server in the order of their names',
  scope: 'read',
  query: Query,
  answers: { 200: { description: 'A page of toolkits.', content: PageOf(Toolkit) } },
  problems: [],
  example: { status: 200 },
} satisfies Operation<typeof Query>

const GET = {
  id: 'getToolkit',
  tag: 'toolkits',
  summary: 'Get a toolkit',
  scope: 'read',
  params: { toolkit: NAME },
  answers: { 200: { description: 'The toolkit.', content: Toolkit } },
  problems: [404],
  example: { params: { toolkit: 'answers' }, status: 200 },
} as const

const PUT = {
  id: 'putToolkitListed',
  tag: 'toolkits',
  summary: "Show a toolkit in the tenant's lists of tools",
  description:
    'From the next list on, every API of the tenant shows its tools besides the usual ones. Calls by name work with or without it.',
  scope: 'admin',
  params: { toolkit: NAME },
  answers: { 200: { description: 'The toolkit is listed.', content: Toolkit } },
  problems: [404],
  example: { params: { toolkit: 'answers' }, status: 200 },
} as const

const DELETE = {
  id: 'deleteToolkitListed',
  tag: 'toolkits',
  summary: "Show a toolkit in the tenant's lists no longer",
  scope: 'admin',
  params: { toolkit: NAME },
  answers: { 204: { description: 'The lists show what they show to all.' } },
  problems: [404],
  example: { params: { toolkit: 'answers' }, status: 204 },
} as const
