import { expect, it } from 'vitest'
import type { Scope } from '../../../src/auth/principal.ts'
import { FailureError } from '../../../src/core/failure.ts'
import { tenantId } from '../../../src/core/ids.ts'
import type { Services } from '../../../src/http/dialect.ts'
import { lagent } from '../../../src/http/dialects/lagent/routes.ts'
import { toolcore } from '../../../src/http/dialects/toolcore/routes.ts'
import { toolserver } from '../../../src/http/dialects/toolserver/routes.ts'
import { v1 } from '../../../src/http/dialects/v1/routes.ts'
import { xagent } from '../../../src/http/dialects/xagent/routes.ts'
import { marketModeration } from '../../../src/market/moderation.ts'
import { NodeDatabase } from '../../support/database-node.ts'
import { NO_KEYS } from '../../support/no-keys.ts'
import { NO_LINKS } from '../../support/no-links.ts'
import { readAsset } from '../../support/openapi/read-asset.ts'
import { READER_HERE } from '../../support/reader-here.ts'

/** What each route wants of a key. A new one has to be written here: whoever adds it says who may. */
const WANTS: Readonly<Record<string, Scope | 'nothing' | 'owner of the server'>> = {
  'GET /v1/openapi.json': 'nothing',
  'POST /v1/sign-up': 'nothing',
  'GET /v1/tools': 'read',
  'GET /v1/tools/:tool': 'read',
  'GET /v1/toolkits': 'read',
  'GET /v1/toolkits/:toolkit': 'read',
  'PUT /v1/toolkits/:toolkit/listed': 'admin',
  'DELETE /v1/toolkits/:toolkit/listed': 'admin',
  'GET /v1/tools/registered': 'read',
  'GET /v1/tools/registered/:tool': 'read',
  'PUT /v1/tools/registered/:tool': 'admin',
  'PATCH /v1/tools/registered/:tool': 'admin',
  'POST /v1/tools/registered/:tool/rollback': 'admin',
  'DELETE /v1/tools/registered/:tool': 'admin',
  'GET /v1/tools/registered/:tool/versions': 'read',
  'GET /v1/tools/registered/:tool/versions/:version/changes': 'read',
  'POST /v1/tools/import': 'admin',
  'GET /v1/keys': 'admin',
  'POST /v1/keys': 'admin',
  // Of a child key, whose id has a dot, they want `read`.
  'GET /v1/keys/:key': 'admin',
  'PATCH /v1/keys/:key': 'admin',
  'DELETE /v1/keys/:key': 'admin',
  'POST /v1/keys/:key/rotate': 'admin',
  'GET /v1/keys/current': 'read',
  'POST /v1/keys/current/children': 'read',
  'GET /v1/keys/current/children': 'read',
  'GET /v1/keys/:key/children': 'read',
  'GET /v1/console-sessions': 'read',
  'DELETE /v1/console-sessions/:console_session': 'read',
  'POST /v1/sessions': 'execute',
  'GET /v1/sessions': 'read',
  'GET /v1/sessions/:session': 'read',
  'PATCH /v1/sessions/:session': 'execute',
  'DELETE /v1/sessions/:session': 'execute',
  'POST /v1/sessions/:session/pause': 'execute',
  'POST /v1/sessions/:session/resume': 'execute',
  'GET /v1/sessions/:session/files': 'read',
  'GET /v1/sessions/:session/files/:path{[\\s\\S]+}': 'read',
  'PUT /v1/sessions/:session/files/:path{[\\s\\S]+}': 'execute',
  'DELETE /v1/sessions/:session/files/:path{[\\s\\S]+}': 'execute',
  'GET /v1/sessions/:session/history': 'read',
  'GET /v1/sessions/:session/history/:commit': 'read',
  'GET /v1/sessions/:session/diff': 'read',
  'POST /v1/sessions/:session/restore': 'execute',
  'GET /v1/sessions/:session/watch': 'read',
  'GET /v1/questions': 'read',
  'GET /v1/sessions/:session/questions': 'read',
  'GET /v1/sessions/:session/questions/:question': 'read',
  'POST /v1/sessions/:session/questions/:question/answer': 'execute',
  'GET /v1/sessions/:session/snapshots': 'read',
  'GET /v1/sessions/:session/snapshots/:snapshot': 'read',
  'PUT /v1/sessions/:session/snapshots/:snapshot': 'execute',
  'DELETE /v1/sessions/:session/snapshots/:snapshot': 'execute',
  'POST /v1/sessions/:session/fork': 'execute',
  'POST /v1/sessions/:session/links': 'read',
  'GET /v1/sessions/:session/links': 'read',
  'DELETE /v1/sessions/:session/links': 'execute',
  'GET /v1/sessions/:session/links/:link': 'read',
  'DELETE /v1/sessions/:session/links/:link': 'execute',
  'GET /v1/links/:token': 'nothing',
  'PUT /v1/links/:token': 'nothing',
  'GET /v1/sessions/:session/tools': 'read',
  'GET /v1/sessions/:session/archive': 'read',
  'PUT /v1/sessions/:session/archive': 'execute',
  'POST /v1/sessions/:session/files:move': 'execute',
  'POST /v1/sessions/:session/files:copy': 'execute',
  'POST /v1/sessions/:session/files:edit': 'execute',
  'POST /v1/sessions/:session/files:patch': 'execute',
  'POST /v1/sessions/:session/files:search': 'execute',
  'POST /v1/sessions/:session/files:glob': 'execute',
  'GET /v1/sessions/:session/calls': 'read',
  'GET /v1/sessions/:session/calls/:call': 'read',
  'GET /v1/sessions/:session/calls/:call/events': 'read',
  'POST /v1/sessions/:session/calls/:call/cancel': 'execute',
  'POST /v1/sessions/:session/calls': 'execute',
  'POST /v1/sessions/:session/calls:batch': 'execute',
  'POST /v1/chains/dry-run': 'read',
  'POST /v1/papers': 'execute',
  'GET /v1/papers': 'read',
  'GET /v1/papers/:paper{.+}': 'read',
  'DELETE /v1/papers/:paper{.+}': 'execute',
  'GET /v1/secrets': 'admin',
  'PUT /v1/secrets/:secret': 'admin',
  'DELETE /v1/secrets/:secret': 'admin',
  'POST /v1/apis': 'admin',
  'GET /v1/apis': 'read',
  'DELETE /v1/apis/:api': 'admin',
  'GET /v1/limits': 'admin',
  'PUT /v1/limits': 'admin',
  'GET /v1/audit': 'admin',
  'GET /v1/audit/export': 'admin',
  'GET /v1/audit/head': 'admin',
  'GET /v1/usage': 'read',
  'GET /v1/usage/export': 'read',
  'GET /v1/mcp-servers': 'read',
  'POST /v1/mcp-servers': 'admin',
  'GET /v1/mcp-servers/:server': 'read',
  'PATCH /v1/mcp-servers/:server': 'admin',
  'DELETE /v1/mcp-servers/:server': 'admin',
  'POST /v1/mcp-servers/:server/refresh': 'admin',
  'POST /v1/mcp-servers/:server/tools/:tool/accept': 'admin',
  'GET /v1/webhooks': 'admin',
  'POST /v1/webhooks': 'admin',
  'GET /v1/webhooks/:webhook': 'admin',
  'PATCH /v1/webhooks/:webhook': 'admin',
  'DELETE /v1/webhooks/:webhook': 'admin',
  'POST /v1/webhooks/:webhook/rotate': 'admin',
  'POST /v1/webhooks/:webhook/test': 'admin',
  'GET /v1/webhooks/:webhook/deliveries': 'admin',
  'POST /v1/webhooks/:webhook/deliveries/:delivery/retry': 'admin',
  'GET /v1/marketplace/tools': 'read',
  'POST /v1/marketplace/tools': 'admin',
  'GET /v1/marketplace/tools/:publisher/:tool': 'read',
  'DELETE /v1/marketplace/tools/:publisher/:tool': 'admin',
  'POST /v1/marketplace/tools/:publisher/:tool/report': 'execute',
  'POST /v1/marketplace/tools/:publisher/:tool/install': 'admin',
  'POST /v1/marketplace/tools/:publisher/:tool/upgrade': 'admin',
  'PUT /v1/marketplace/tools/:publisher/:tool/block': 'owner of the server',
  'GET /v1/marketplace/reports': 'owner of the server',
  'DELETE /api/task/*': 'execute',
  'GET /': 'read',
  'GET /alive': 'nothing',
  'GET /api/download/*': 'read',
  'GET /api/human-tasks/*': 'read',
  'GET /api/task/*': 'read',
  'GET /api/task/create': 'nothing',
  'GET /api/task/list': 'read',
  'GET /api/tools': 'read',
  'GET /api/tools/info': 'read',
  'GET /health': 'nothing',
  'GET /internal/tools': 'read',
  'GET /internal/tools/:id': 'read',
  'GET /internal/usage/summary': 'read',
  'GET /internal/usage/tools': 'read',
  'GET /lagent/tools': 'read',
  'GET /lagent/tools/:name': 'read',
  'POST /': 'read',
  'POST /api/task/create': 'execute',
  'POST /api/tool/execute': 'execute',
  'POST /close_session': 'execute',
  'POST /download_file': 'read',
  'POST /download_workspace': 'read',
  'POST /execute_tool': 'execute',
  'POST /get_available_tools': 'read',
  'POST /get_cookie': 'execute',
  'POST /get_cookies': 'execute',
  'POST /get_json_schema_for_envs': 'read',
  'POST /get_json_schema_for_tools': 'read',
  'POST /get_workspace_structure': 'read',
  'POST /internal/tools/call': 'execute',
  'POST /lagent/actions': 'execute',
  'POST /lagent/execute': 'execute',
  'POST /reconnect_session': 'execute',
  'POST /register_new_tool': 'execute',
  'POST /release_session': 'execute',
  'POST /retrieving_tools': 'read',
  'POST /upload_file': 'execute',
  'PUT /api/human-tasks/*': 'execute',
  'GET /api/hil/:id': 'read',
  'GET /api/hil/workspace/*': 'read',
  'POST /api/hil/respond/:id': 'execute',
  'GET /api/tool-confirmation/:id': 'read',
  'GET /api/tool-confirmation/workspace/*': 'read',
  'POST /api/tool-confirmation/create': 'execute',
  'POST /api/tool-confirmation/respond/:id': 'execute',
}

const dialects = [
  v1({
    ...NO_KEYS,
    reader: READER_HERE,
    ...NO_LINKS,
    publicPapers: null,
    adminToken: 'token-of-the-owner',
    marketModeration: marketModeration(new NodeDatabase()),
    readAsset,
  }),
  lagent,
  toolcore,
  toolserver,
  xagent,
]
const routes = dialects.flatMap(({ app }) =>
  app.routes.filter(({ method }) => method !== 'ALL').map(({ method, path }) => ({ app, method, path })),
)

/** Whatever is asked of it fails: what matters here is whether it comes to that. */
const nothing = (): unknown => {
  const failing = async () => {
    throw new Error('nothing is behind it')
  }
  return new Proxy(
    {},
    { get: (_, name) => (name === 'then' ? undefined : name === 'market' ? { pace: inPace } : failing) },
  )
}
/** It is asked before scopes are looked at. */
const inPace = async () => 0
const services = {
  ...{ tools: [], toolkits: [], key: 'k', mayAdmin: true, papers: null, now: () => 0 },
  ...{ session: nothing, node: async () => null, tenant: nothing(), market: nothing(), http: nothing() },
  registeredTools: nothing,
} as unknown as Services

/** Read before the key is looked at, as the original does it. */
const CALL = { tool_id: 'a', agent_id: 'a', microdao_id: 'a', tool_name: 'a', arguments: {} }

type Route = (typeof routes)[number]

/** Whether a key with these scopes comes further than to its refusal. */
async function comesIn({ app, method, path }: Route, scopes: readonly Scope[]): Promise<boolean> {
  let thrown: unknown
  const url = `http://localhost${path.replaceAll(/\{[^}]*\}/g, '').replaceAll(/(?<=\/)[:*]\w*/g, 'x')}`
  const body = method === 'GET' || method === 'DELETE' ? {} : { body: JSON.stringify(CALL) }
  const headers = { 'Content-Type': 'application/json', Cookie: 'node_id=x' }
  const answer = await app.fetch(new Request(url, { method, headers, ...body }), {
    requestId: 'r',
    caller: { principal: { tenant: tenantId('acme'), scopes, keyId: 'k' }, services },
    report: (what) => {
      thrown ??= what
    },
  })
  await answer.body?.cancel()
  return !(thrown instanceof FailureError && thrown.failure.code === 'forbidden')
}

async function wantedBy(route: Route): Promise<string> {
  for (const scope of ['nothing', 'read', 'execute', 'admin'] as const) {
    if (await comesIn(route, scope === 'nothing' ? [] : [scope])) return scope
  }
  return 'owner of the server'
}

it('each route wants the scope that is said of it, and there is no other route', async () => {
  const wanted = await Promise.all(
    routes.map(async (route) => [`${route.method} ${route.path}`, await wantedBy(route)]),
  )
  expect(Object.fromEntries(wanted)).toEqual(WANTS)
})
