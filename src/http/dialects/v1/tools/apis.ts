import type { Hono } from 'hono'
import * as z from 'zod'
import { fail } from '../../../../core/failure.ts'
import { MAX_API_DOCUMENT_CHARS } from '../../../../core/limits/imports.ts'
import { MAX_LISTED_TOOLS, MAX_REQUEST_PARTS, MAX_TOOL_CREDENTIALS } from '../../../../core/limits/registry.ts'
import { FETCH_MS, MAX_URL_CHARS } from '../../../../core/limits/web.ts'
import { fewEntries } from '../../../../core/safe-read.ts'
import type { Imported } from '../../../../registry/apis/imported.ts'
import { envName } from '../../../../registry/apis/names.ts'
import { Credential, SecretName } from '../../../../registry/http-request.ts'
import type { ChangedTool, ToolChange } from '../../../../tenant/tools-api.ts'
import type { AppEnv, Services } from '../../../dialect.ts'
import { encodeHeld, PageOf, pageQuery } from '../../../operations/page.ts'
import { route } from '../../../operations/route.ts'

/** A document as an object, as text in JSON or YAML, or its address. */
const Description = z.union([z.string().min(1), z.looseObject({}), z.array(z.unknown())])

const ApisQuery = z.strictObject(pageQuery(MAX_LISTED_TOOLS, 100))

const ApiToImport = z
  .strictObject({
    env: z.string().meta({ description: 'Name of the set of tools.' }),
    openapi: Description.optional(),
    rapidapi: Description.optional(),
    base_url: z
      .url({ protocol: /^https?$/ })
      .max(MAX_URL_CHARS)
      .optional(),
    auth: z
      .union([
        z.array(Credential).max(MAX_TOOL_CREDENTIALS),
        fewEntries(z.record(z.string(), SecretName), MAX_REQUEST_PARTS, 'MAX_REQUEST_PARTS'),
      ])
      .optional(),
    dry_run: z.boolean().optional().meta({ description: 'True to get the answer without making anything.' }),
  })
  .refine(
    ({ openapi, rapidapi }) => (openapi === undefined) !== (rapidapi === undefined),
    'give one of openapi and rapidapi: a document, or the address of one',
  )
  .meta({ id: 'ApiToImport' })
type ApiToImport = z.output<typeof ApiToImport>

const ids = z.array(z.string())
const ImportedApi = z
  .object({
    env: z.string(),
    dry_run: z.boolean().meta({ description: 'True where nothing was made.' }),
    tools: z.int().meta({ description: 'Number of its tools.' }),
    created: ids,
    updated: ids,
    deleted: ids,
    unchanged: z.int(),
    breaking: ids.meta({ description: 'Updated tools whose callers may not fit any more.' }),
    secrets: z
      .array(z.object({ name: z.string(), of: z.string(), kept: z.boolean() }))
      .meta({ description: 'Secrets that the tools use, and whether you have stored them.' }),
    skipped: z.array(z.object({ operation: z.string(), reason: z.string() })),
    skipped_count: z.int(),
  })
  .meta({ id: 'ImportedApi' })
const Api = z.object({ env: z.string(), tools: z.int() }).meta({ id: 'Api' })

const EXAMPLE = {
  openapi: '3.0.3',
  info: { title: 'Zoo', version: '1' },
  servers: [{ url: 'https://zoo.example' }],
  paths: { '/animals': { get: { operationId: 'listAnimals', summary: 'All animals' } } },
}

const sourceOf = (env: string) => `api:${env}`

/** APIs whose operations are tools. Changes are the owner's. */
export function addApis(app: Hono<AppEnv>): void {
  route(
    app,
    'post',
    '/v1/apis',
    {
      id: 'importApi',
      tag: 'apis',
      summary: 'Make the operations of an API tools, or renew them',
      description:
        'All or nothing. Give one of openapi and rapidapi: a description as an object, as text in JSON or YAML, or its address.',
      scope: 'admin',
      body: ApiToImport,
      answers: { 200: { description: 'The tools are there, or would be.', content: ImportedApi } },
      problems: [404, 409],
      example: { body: { env: 'Zoo', openapi: EXAMPLE }, status: 200 },
    },
    async (c, { services, body: request }) => {
      const imported = await importApi(services, request, c.req.raw.signal)
      const dryRun = request.dry_run ?? false
      const changes = [
        ...imported.tools.map((definition): ToolChange => ({ op: 'put', definition, source: sourceOf(request.env) })),
        { op: 'delete_others', source: sourceOf(request.env), keep: imported.tools.map(({ id }) => id) } as const,
      ]
      const changed = await change(services, changes, { dryRun })
      const kept = new Set((await services.tenant.secrets.list()).map(({ name }) => name))
      return c.json({
        env: request.env,
        dry_run: dryRun,
        tools: imported.tools.length,
        ...summary(changed),
        secrets: imported.secrets.map((secret) => ({ ...secret, kept: kept.has(secret.name) })),
        skipped: imported.skipped,
        skipped_count: imported.skippedCount,
      })
    },
  )

  route(
    app,
    'get',
    '/v1/apis',
    {
      id: 'listApis',
      tag: 'apis',
      summary: 'List imported APIs in the order of their names',
      scope: 'read',
      query: ApisQuery,
      answers: { 200: { description: 'A page of APIs.', content: PageOf(Api) } },
      problems: [],
      example: { status: 200 },
    },
    async (c, { services, query }) => {
      const { tools } = await services.registeredTools()
      const counts = new Map<string, number>()
      for (const { source, toolkit } of tools) {
        if (toolkit !== null && source === sourceOf(toolkit)) counts.set(toolkit, (counts.get(toolkit) ?? 0) + 1)
      }
      const apis = [...counts].map(([env, count]) => ({ env, tools: count }))
      return c.json(encodeHeld(apis, query, ({ env }) => env))
    },
  )

  route(
    app,
    'delete',
    '/v1/apis/:api',
    {
      id: 'deleteApi',
      tag: 'apis',
      summary: 'Delete an API with its tools',
      scope: 'admin',
      params: { api: 'Name of the set of tools.' },
      answers: { 204: { description: 'It is gone with its tools.' } },
      problems: [404],
      example: { params: { api: 'Old' }, status: 204 },
    },
    async (c, { services }) => {
      const env = c.req.param('api')
      const removed = await change(services, [{ op: 'delete_others', source: sourceOf(env), keep: [] }])
      if (removed.length === 0) fail('not_found', `no API was imported as ${env.slice(0, 60)}; GET /v1/apis lists them`)
      return c.body(null, 204)
    },
  )
}

async function importApi(services: Services, request: ApiToImport, signal: AbortSignal): Promise<Imported> {
  const { base_url, auth } = request
  const { bytes, url } = await documentOf(services, request.openapi ?? request.rapidapi, signal)
  const options = {
    format: request.openapi === undefined ? 'rapidapi' : 'openapi',
    env: envName(request.env),
    ...(base_url !== undefined && { baseUrl: base_url }),
    ...(url !== undefined && { documentUrl: url }),
    ...(auth !== undefined && { auth }),
  } as const
  return services.reader.read({ kind: 'api', options, bytes }, signal)
}

/** The description as text in UTF-8, and its origin. */
async function documentOf({ http }: Services, given: unknown, signal: AbortSignal) {
  const encoder = new TextEncoder()
  if (typeof given !== 'string') return { bytes: encoder.encode(JSON.stringify(given)) }
  if (!/^https?:\/\/\S+$/i.test(given.trim())) return { bytes: encoder.encode(given) }
  const answer = await http.fetch(
    {
      url: given.trim(),
      headers: { Accept: 'application/json, application/yaml, */*;q=0.5' },
      timeoutMs: FETCH_MS,
      maxBytes: MAX_API_DOCUMENT_CHARS,
    },
    signal,
  )
  if (answer.status !== 200) {
    fail('upstream', `${new URL(answer.url).host} answers ${answer.status} for the description; check its address`)
  }
  return { bytes: answer.body, url: answer.url }
}

const change = (
  { tenant, key }: Services,
  changes: readonly ToolChange[],
  how?: { readonly dryRun: boolean },
): Promise<readonly ChangedTool[]> => tenant.tools.change(changes, { key, agent: null }, how)

function summary(changed: readonly ChangedTool[]) {
  const idsOf = (outcome: ChangedTool['outcome']) =>
    changed.filter((one) => one.outcome === outcome).map(({ id }) => id)
  return {
    created: idsOf('created'),
    updated: idsOf('updated'),
    deleted: idsOf('deleted'),
    unchanged: idsOf('unchanged').length,
    breaking: changed.filter(({ breaking }) => breaking).map(({ id }) => id),
  }
}
