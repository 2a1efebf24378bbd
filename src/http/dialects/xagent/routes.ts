import type { Context } from 'hono'
import { orNull } from '../../../core/failure.ts'
import { sessionName } from '../../../core/ids.ts'
import type { Outcome, ToolCall } from '../../../core/outcome.ts'
import { type AppEnv, type Dialect, dialectApp, type Services, servicesFor } from '../../dialect.ts'
import { readBodyText } from '../../json.ts'
import { listedToolkits, toolkitTool } from '../../listed-tools.ts'
import { outcomeHeaders } from '../../rate-limit-headers.ts'
import {
  coreArgs,
  decodeExecute,
  decodeNames,
  decodeRetrieve,
  encodeFailure,
  encodeOutcome,
  misfit,
  wordsOf,
} from './codec.ts'
import { COMMON } from './every-node.ts'
import { addFiles } from './files.ts'
import { arrives, COOKIE, invalidNode, onNode, setCookie, shownNode, visitNode } from './nodes.ts'
import { addRegistration, functionsOf, OWN_TOOL, schemasWithOwn, withOwn } from './own-tools.ts'
import { withRegistered } from './registered.ts'
import type { Surface } from './surface.ts'
import { fromToolkit, withToolkits } from './toolkit-tools.ts'
import type { XAgentTool } from './tools.ts'

/** The common surface with the tenant's registered tools: what a call looks in. */
const surfaceOf = async (services: Services) => withRegistered(COMMON, (await services.registeredTools()).tools)

/** The surface as lists show it: with the toolkits that the tenant lists, which calls need not ask for. */
async function listedSurface(services: Services): Promise<Surface> {
  const [surface, listed] = await Promise.all([surfaceOf(services), listedToolkits(services)])
  return withToolkits(surface, listed)
}

const app = dialectApp((c, failure) => {
  const { status, body } = encodeFailure(failure)
  return c.json(body, status)
})
app.notFound((c) => c.json({ detail: 'Not Found' }, 404))

app.get('/alive', (c) => c.json('alive'))

app.on('POST', ['/get_cookie', '/get_cookies'], async (c) => {
  const session = servicesFor(c, 'execute').session(sessionName(`node-${crypto.randomUUID()}`))
  const made = await session.create({ title: 'XAgent node', requirements: [], directories: [], files: [] })
  if ('failure' in made) return c.json({ detail: wordsOf(made.failure) }, 503)
  c.header('Server', 'ToolServerManager/0.2')
  c.header('Set-Cookie', setCookie(made.info.nodeId))
  return c.json({ message: 'add cookie', version: '0.2' })
})

app.post('/close_session', async (c) => {
  const { id, shown, session } = await ownNode(c)
  return c.json(session && (await arrives(session.nodes.close(id))) ? `Close session: ${id}` : invalidNode(shown))
})

app.post('/reconnect_session', async (c) => {
  const { id, shown, session } = await ownNode(c)
  if (!session) return c.json(invalidNode(shown))
  try {
    return c.json((await arrives(session.nodes.reconnect(id))) ? `Reconnect session: ${id}` : invalidNode(shown))
  } catch (thrown) {
    c.env.report?.(thrown)
    return c.json({ detail: 'Node restart timeout!' }, 503)
  }
})

app.post('/release_session', async (c) => {
  const { id, shown, session } = await ownNode(c)
  const isNode = session !== null && (await session.info())?.nodeId === id
  return c.json(isNode && (await session.remove()) ? `Release session: ${id}` : invalidNode(shown))
})

app.on(
  ['GET', 'POST'],
  '/',
  onNode('read', (_session, c) => c.json({ message: 'Hello World' })),
)

app.post(
  '/get_available_tools',
  onNode('read', async (session, c) => {
    const [surface, own] = await Promise.all([listedSurface(servicesFor(c, 'read')), session.tools.list()])
    return c.json(withOwn(surface.available(), functionsOf(own)))
  }),
)

app.post(
  '/get_json_schema_for_tools',
  onNode('read', async (session, c) => {
    const names = decodeNames(await readBodyText(c.req.raw), ['tool_names', 'tools'])
    if ('invalid' in names) return c.json({ detail: names.invalid }, 422)
    const [surface, own] = await Promise.all([listedSurface(servicesFor(c, 'read')), session.tools.list()])
    return c.json(schemasWithOwn(surface, names.value, functionsOf(own)))
  }),
)

app.post(
  '/get_json_schema_for_envs',
  onNode('read', async (_session, c) => {
    const names = decodeNames(await readBodyText(c.req.raw), ['env_names', 'envs'])
    if ('invalid' in names) return c.json({ detail: names.invalid }, 422)
    return c.json((await surfaceOf(servicesFor(c, 'read'))).envs(names.value))
  }),
)

app.post(
  '/retrieving_tools',
  onNode('read', async (session, c) => {
    const request = decodeRetrieve(await readBodyText(c.req.raw))
    if ('invalid' in request) return c.json({ detail: request.invalid }, 422)
    const { question, top_k } = request.value
    if (question.trim() === '') {
      c.env.serverIsWell?.()
      return c.json({ detail: NO_QUESTION }, 500)
    }
    const services = servicesFor(c, 'read')
    const [registered, listed, made] = await Promise.all([
      services.registeredTools(),
      listedToolkits(services),
      session.tools.list(),
    ])
    const own = functionsOf(made)
    const surface = withToolkits(withRegistered(COMMON, registered.tools), listed)
    const tools =
      own.length === 0 ? surface.findable : [...own.map((tool) => ({ ...tool, id: tool.name })), ...surface.findable]
    const idOf = (tool: string) => surface.nameOf(tool)
    const retrieved_tools = await registered.find({ findable: tools, question, limit: top_k, idOf })
    return c.json({ retrieved_tools, tools_json: schemasWithOwn(surface, retrieved_tools, own).tools_json })
  }),
)

app.post('/execute_tool', async (c) => {
  const services = servicesFor(c, 'execute')
  const request = await prepare(await readBodyText(c.req.raw), services, (name) => isNodesOwn(c, services, name))
  // The node is checked first: mistakes in the body come after that.
  const { refusal, outcome } = await visitNode(c, services, 'call' in request ? request.call : undefined)
  if (refusal) return refusal
  // A client of XAgent recognises a failed tool by the status 500.
  if (!(outcome && 'failure' in outcome && outcome.failure.code === 'internal')) c.env.serverIsWell?.()
  if ('status' in request) return Response.json({ detail: request.detail }, { status: request.status })
  if (!outcome) throw new Error('a call that was made has an outcome')
  if (request.unknown && isUnregistered(outcome)) return c.json({ detail: request.unknown }, 404)
  const { status, body } = encodeOutcome(outcome, request.tool, request.surface)
  const headers = { 'Content-Type': 'application/json', ...outcomeHeaders(outcome) }
  return new Response(JSON.stringify(body), { status, headers })
})

const isUnregistered = (outcome: Outcome) =>
  'failure' in outcome && (outcome.failure.data?.unregistered === true || outcome.kind === 'refused')

type PreparedRequest =
  | { readonly tool: XAgentTool; readonly surface: Surface; readonly call: ToolCall; readonly unknown?: string }
  | { readonly status: 422 | 500; readonly detail: unknown }

/** The call of the core that a body requests, or the reason why there is none. */
async function prepare(
  text: string,
  services: Services,
  isOwn: (name: string) => Promise<boolean>,
): Promise<PreparedRequest> {
  const decoded = decodeExecute(text)
  if ('invalid' in decoded) return { status: 422, detail: decoded.invalid }
  const { name, args } = decoded.value
  // Most calls are of tools that every node has.
  const surface = COMMON.find(name) ? COMMON : await surfaceOf(services)
  const known = surface.find(name)
  // A tool that every node has goes by XAgent's name for it alone.
  const inToolkit = known || surface.nameOfCore(name) !== null ? undefined : toolkitTool(services, name)
  const tool = known ?? (inToolkit && !(await isOwn(name)) ? fromToolkit(inToolkit) : undefined)
  const unknown = `The tool ${name.slice(0, MAX_SHOWN_CHARS)} is not found!`
  if (!tool) {
    // The tool may be the node's own, which the session knows.
    const call = { tool: OWN_TOOL.tool, args: { tool_name: name, arguments: args } }
    return { tool: OWN_TOOL, surface, call, unknown }
  }
  if (tool.registered !== undefined) {
    return { tool, surface, call: { tool: tool.tool, args: { tool_id: tool.registered, args } } }
  }
  const wrong = misfit(name, tool, args)
  if (wrong !== null) return { status: 500, detail: wrong }
  return { tool, surface, call: { tool: tool.tool, args: coreArgs(tool, args) } }
}

/** Whether the node has a tool of its own by that name, which comes before one of a toolkit. */
async function isNodesOwn(c: Context<AppEnv>, services: Services, name: string): Promise<boolean> {
  const { id } = shownNode(c)
  const session = id === null ? null : await services.node(id)
  const own = session && (await orNull(session.tools.list(), 'session_not_found'))
  return own?.some((tool) => tool.name === name) ?? false
}

addFiles(app)
addRegistration(app, surfaceOf)

const PATHS = [
  '/get_cookie',
  '/get_cookies',
  '/reconnect_session',
  '/close_session',
  '/release_session',
  '/get_available_tools',
  '/get_json_schema_for_tools',
  '/get_json_schema_for_envs',
  '/retrieving_tools',
  '/execute_tool',
  '/register_new_tool',
  '/upload_file',
  '/download_file',
  '/download_workspace',
  '/get_workspace_structure',
]
for (const path of PATHS) app.all(path, (c) => notAllowed(c, 'POST'))
app.all('/alive', (c) => notAllowed(c, 'GET'))
app.all('/', (c) => notAllowed(c, 'GET, POST'))

/** Paths that only read, by POST. */
const READS: ReadonlySet<string> = new Set([
  '/',
  '/get_available_tools',
  '/get_json_schema_for_tools',
  '/get_json_schema_for_envs',
  '/retrieving_tools',
  '/download_file',
  '/download_workspace',
  '/get_workspace_structure',
])

const OWNED: ReadonlySet<string> = new Set(['/alive', ...PATHS])

/**
 * The xagent dialect: the ToolServer of XAgent, its manager and its nodes, at one address. `/` belongs to it for clients
 * that show a node.
 */
export const xagent: Dialect = {
  name: 'xagent',
  owns: (path, headers) =>
    path === '/' ? showsNode(headers) : OWNED.has(path.endsWith('/') ? path.slice(0, -1) : path),
  keepsKey: (path) => (path === '/execute_tool' ? 'with calls' : READS.has(path) ? 'not' : undefined),
  app,
}

const showsNode = (headers: Headers) => new RegExp(`(?:^|;)\\s*${COOKIE}=`).test(headers.get('Cookie') ?? '')

const MAX_SHOWN_CHARS = 200
const NO_QUESTION = 'Error happens when retrieving tools: the question is empty; say what a tool is wanted for'

/** Session of the node that the request shows, running or not; null when the caller has none of that id. */
async function ownNode(c: Context<AppEnv>) {
  const services = servicesFor(c, 'execute')
  const { id, shown } = shownNode(c)
  return { id: id ?? '', shown, session: id === null ? null : await services.node(id) }
}

const notAllowed = (c: Context<AppEnv>, allow: string) =>
  c.json({ detail: 'Method Not Allowed' }, 405, { Allow: allow })
