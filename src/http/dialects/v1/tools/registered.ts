import type { Context, Hono } from 'hono'
import * as z from 'zod'
import { fail } from '../../../../core/failure.ts'
import { ToolDefinition } from '../../../../registry/definition.ts'
import { targetProblem } from '../../../../registry/workable.ts'
import type { ChangedTool, ToolChange } from '../../../../tenant/tools-api.ts'
import type { AppEnv, Services } from '../../../dialect.ts'
import { parseInput } from '../../../input.ts'
import { encodePage, PageOf } from '../../../operations/page.ts'
import { route } from '../../../operations/route.ts'
import {
  ChangedToolAnswer,
  ChangesAnswer,
  ImportAnswer,
  ListedTool,
  RegisteredToolAnswer,
  ToolVersionAnswer,
} from './definition-schemas.ts'
import {
  encodeChanged,
  encodeChanges,
  encodeListed,
  encodeTool,
  encodeVersion,
  ImportQuery,
  PatchTool,
  PutTool,
  policyOf,
  Rollback,
  ToolQuery,
  ToolsQuery,
} from './registered-codec.ts'
import { refusesId } from './registered-ids.ts'
import { importTools } from './registered-import.ts'

const TOOLS = '/v1/tools/registered'
const CHANGED = { 200: { description: 'What was changed.', content: ChangedToolAnswer } }

/** Header that names the chains that a deleted tool leaves broken. */
const USED_BY = 'Toolyard-Used-By'
const USED_BY_WORDS =
  'Ids of chains that call the tool and fail from now on, percent-encoded, with commas between them; only some where there are many.'
const TOOL = { tool: 'Id of the tool; a slash in it is sent as %2F.' }

const EXAMPLE = {
  name: 'Weather now',
  description: 'The weather of a city.',
  input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  executor: { kind: 'http', target: 'https://weather.example/now' },
}
const FILE = { tools: [{ id: 'projects.list', ...EXAMPLE }] }

/** Tools that a tenant registers, one by one or from a file. Changes are the owner's. */
export function addRegistered(app: Hono<AppEnv>): void {
  route(
    app,
    'get',
    TOOLS,
    {
      id: 'listRegisteredTools',
      tag: 'tools',
      summary: 'List registered tools',
      description:
        'Each in its stable version, in the order of registration. Long tools make a page shorter than its limit.',
      scope: 'read',
      query: ToolsQuery,
      answers: {
        200: {
          description: 'A page of tools, and how many there are in all.',
          content: PageOf(ListedTool).extend({ total: z.int() }).meta({ id: 'RegisteredToolPage' }),
        },
      },
      problems: [],
      example: { query: { limit: '20' }, status: 200 },
    },
    async (c, { services, query: { limit, cursor } }) => {
      const page = { limit, ...(cursor !== undefined && { after: cursor }) }
      const { tools, total, next } = await services.tenant.tools.list(page)
      return c.json({ ...encodePage(tools.map(encodeListed), next), total })
    },
  )

  route(
    app,
    'get',
    `${TOOLS}/:tool`,
    {
      id: 'getRegisteredTool',
      tag: 'tools',
      summary: 'Get a registered tool',
      scope: 'read',
      params: TOOL,
      query: ToolQuery,
      answers: { 200: { description: 'The tool, whole.', content: RegisteredToolAnswer } },
      problems: [404],
      example: { params: { tool: 'weather.now' }, status: 200 },
    },
    async (c, { services, query: { version } }) => {
      const reference = c.req.param('tool') + (version === undefined ? '' : `@${version}`)
      return c.json(encodeTool(await services.tenant.tools.find(reference)))
    },
  )

  route(
    app,
    'put',
    `${TOOLS}/:tool`,
    {
      id: 'putRegisteredTool',
      tag: 'tools',
      summary: 'Register a tool, or a new version of one',
      description:
        "The fields of GET's answer may be sent back: versions are ignored. A definition that does not differ makes no version.",
      scope: 'admin',
      params: TOOL,
      body: PutTool,
      answers: {
        200: { description: 'A version was made, or nothing differed.', content: ChangedToolAnswer },
        201: { description: 'The tool is new.', content: ChangedToolAnswer },
      },
      problems: [409],
      example: { params: { tool: 'weather.new' }, body: EXAMPLE, status: 201 },
    },
    async (c, { services, body: given }) => {
      const id = c.req.param('tool')
      const refused = refusesId(services)(id)
      if (refused !== null) fail('conflict', `${id} ${refused}`)
      if (given.id !== undefined && given.id !== id)
        fail('invalid_input', 'id: must be the one in the path, or left out')
      const definition = parseInput({ ...given, id }, ToolDefinition)
      const wrong = targetProblem(definition.executor)
      if (wrong !== null) fail('invalid_input', `executor: ${wrong}`)
      const { expected_version: expected, stable } = given
      const put = { op: 'put', definition, policy: policyOf(given), staged: !stable } as const
      const [changed] = await change(services, [{ ...put, ...(expected !== undefined && { expected }) }])
      return c.json(changed && encodeChanged(changed), changed?.outcome === 'created' ? 201 : 200)
    },
  )

  route(
    app,
    'patch',
    `${TOOLS}/:tool`,
    {
      id: 'updateRegisteredTool',
      tag: 'tools',
      summary: 'Enable or disable a tool, or say who may call it',
      description: 'Fields that are left out stay; send one at least.',
      scope: 'admin',
      params: TOOL,
      body: PatchTool,
      answers: CHANGED,
      problems: [404],
      example: { params: { tool: 'weather.now' }, body: { enabled: true, allowed_agents: ['team-*'] }, status: 200 },
    },
    async (c, { services, body }) =>
      changeOne(c, services, { op: 'policy', id: c.req.param('tool'), policy: policyOf(body) }),
  )

  route(
    app,
    'post',
    `${TOOLS}/:tool/rollback`,
    {
      id: 'rollBackRegisteredTool',
      tag: 'tools',
      summary: 'Make a version the stable one',
      scope: 'admin',
      params: TOOL,
      body: Rollback,
      answers: CHANGED,
      problems: [404],
      example: { params: { tool: 'weather.now' }, body: { version: 1 }, status: 200 },
    },
    async (c, { services, body: { version } }) =>
      changeOne(c, services, { op: 'stable', id: c.req.param('tool'), version }),
  )

  route(
    app,
    'delete',
    `${TOOLS}/:tool`,
    {
      id: 'deleteRegisteredTool',
      tag: 'tools',
      summary: 'Delete a tool with all its versions',
      scope: 'admin',
      params: TOOL,
      answers: { 204: { description: 'It is gone.', headers: { [USED_BY]: USED_BY_WORDS } } },
      problems: [400, 404],
      example: { params: { tool: 'weather.old' }, status: 204 },
    },
    async (c, { services }) => {
      const [deleted] = await change(services, [{ op: 'delete', id: c.req.param('tool') }])
      const usedBy = deleted?.usedBy ?? []
      return c.body(null, 204, usedBy.length === 0 ? {} : { [USED_BY]: usedBy.map(encodeURIComponent).join(', ') })
    },
  )

  route(
    app,
    'get',
    `${TOOLS}/:tool/versions`,
    {
      id: 'listRegisteredToolVersions',
      tag: 'tools',
      summary: 'List the versions of a tool, newest first',
      scope: 'read',
      params: TOOL,
      query: ToolsQuery,
      answers: { 200: { description: 'A page of versions.', content: PageOf(ToolVersionAnswer) } },
      problems: [404],
      example: { params: { tool: 'weather.now' }, status: 200 },
    },
    async (c, { services, query: { limit, cursor } }) => {
      const page = { limit, ...(cursor !== undefined && { before: cursor }) }
      const { versions, next } = await services.tenant.tools.versions(c.req.param('tool'), page)
      return c.json(encodePage(versions.map(encodeVersion), next))
    },
  )

  route(
    app,
    'get',
    `${TOOLS}/:tool/versions/:version/changes`,
    {
      id: 'getRegisteredToolChanges',
      tag: 'tools',
      summary: 'Compare the schemas of a version with those of the one before',
      scope: 'read',
      params: { ...TOOL, version: { description: 'Number of the version.', schema: z.int().min(1) } },
      answers: { 200: { description: 'The changes.', content: ChangesAnswer } },
      problems: [400, 404],
      example: { params: { tool: 'weather.now', version: '1' }, status: 200 },
    },
    async (c, { services }) => {
      const number = Number(c.req.param('version'))
      const { versions } = await services.tenant.tools.versions(c.req.param('tool'), { limit: 2, before: number + 1 })
      const [version, before] = versions
      if (version?.version !== number) {
        return fail('not_found', 'the tool has no such version; …/versions lists those there are')
      }
      return c.json(encodeChanges(version, before?.version ?? null))
    },
  )

  route(
    app,
    'post',
    '/v1/tools/import',
    {
      id: 'importRegisteredTools',
      tag: 'tools',
      summary: 'Register all tools of a file',
      description:
        "All or nothing. The file is Toolcore's config.yaml, or definitions as they are put, as YAML or JSON.",
      scope: 'admin',
      query: ImportQuery,
      body: [{ raw: 'application/json' }, { raw: 'application/yaml' }],
      answers: { 200: { description: 'What was changed.', content: ImportAnswer } },
      problems: [409],
      example: { query: { source: 'projects', dry_run: 'true' }, body: FILE, status: 200 },
    },
    async (c, { services, query }) => c.json(await importTools(c.req.raw, services, query)),
  )
}

async function changeOne(c: Context<AppEnv>, services: Services, one: ToolChange): Promise<Response> {
  const [changed] = await change(services, [one])
  return c.json(changed && encodeChanged(changed))
}

const change = ({ tenant, key }: Services, changes: readonly ToolChange[]): Promise<readonly ChangedTool[]> =>
  tenant.tools.change(changes, { key, agent: null })
