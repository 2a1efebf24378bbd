import type { Context } from 'hono'
import { type FailureCode, FailureError, orNull } from '../../../core/failure.ts'
import { MAX_LISTED_TOOLS } from '../../../core/limits/registry.ts'
import type { Outcome } from '../../../core/outcome.ts'
import { permits } from '../../../registry/permitted.ts'
import type { RegisteredTool } from '../../../registry/registered-tool.ts'
import type { ToolInfo } from '../../../tools/registry.ts'
import { type AppEnv, callerOf, type Dialect, dialectApp, refuseWhenBusy, type Services } from '../../dialect.ts'
import { callInSession } from '../../first-call.ts'
import { readBodyText } from '../../json.ts'
import { listedToolkits, toolkitTool, toolsOf } from '../../listed-tools.ts'
import { outcomeHeaders, outcomeStatus } from '../../rate-limit-headers.ts'
import { SECRET_HEADER } from '../../secret-header.ts'
import { refuseTooLarge, shownChars } from '../../shown-size.ts'
import { agentSession } from './agent-session.ts'
import {
  type CallRequest,
  decodeCall,
  encodeDefinition,
  encodeFailure,
  encodeListed,
  encodeRefusal,
  encodeResult,
} from './codec.ts'
import { asRegistered, encodeListedTool, encodeToolDefinition, isOfArguments, isRegistered } from './toolkit-tools.ts'
import { addUsage, USAGE_PATHS } from './usage.ts'
import { withSecret } from './with-secret.ts'

const app = dialectApp((c, failure) => {
  const { status, body } = encodeFailure(failure)
  return c.json(body, status)
})
app.notFound((c) => c.json({ detail: 'Not Found' }, 404))

app.use(async (c, next) => {
  const { pathname, search } = new URL(c.req.url)
  // Relative, so that a key before the path stays there.
  const last = pathname.endsWith('/') ? pathname.slice(pathname.lastIndexOf('/', pathname.length - 2) + 1, -1) : ''
  if (last) return c.body(null, 307, { Location: `../${last}${search}` })
  return next()
})

app.get('/health', async (c) => {
  const { total } = await withSecret(c, 'read').tenant.tools.list({ limit: 1 })
  return c.json({ status: 'ok', service: 'toolcore', tools: total })
})

app.get('/internal/tools', async (c) => {
  // The original takes the last of several.
  const agent = c.req.queries('agent_id')?.at(-1) || null
  const tools = await shownTools(withSecret(c, 'read'), agent)
  return c.json({ tools, total: tools.length })
})

app.post('/internal/tools/call', async (c) => {
  refuseWhenBusy(c)
  // The original checks the body first, and the secret then.
  const request = decodeCall(await readBodyText(c.req.raw), c.req.header('Content-Type') ?? null)
  if ('invalid' in request) return c.json({ detail: request.invalid }, 422)
  const services = withSecret(c, 'execute')
  const began = services.now()
  const known = toolkitTool(services, request.value.tool_id)
  const inToolkit = known && !(await isRegistered(services, known.name)) ? known : undefined
  const outcome = await call(services, request.value, inToolkit)
  if (outcome.kind === 'refused' && !(inToolkit && isOfArguments(outcome))) {
    const { status, body } = encodeRefusal(outcome.failure, request.value)
    return c.json(body, status, outcomeHeaders(outcome))
  }
  return c.json(
    encodeResult(outcome, request.value.tool_id, services.now() - began),
    outcomeStatus(outcome),
    outcomeHeaders(outcome),
  )
})

app.get('/internal/tools/:id', async (c) => {
  const id = c.req.param('id')
  const services = withSecret(c, 'read')
  const tool = await orNull(services.tenant.tools.find(id), 'not_found', 'invalid_input')
  const inToolkit = tool ? undefined : toolkitTool(services, id)
  if (inToolkit) return c.json(encodeToolDefinition(inToolkit))
  return tool ? c.json(encodeDefinition(tool)) : c.json({ detail: `Tool not found: ${id}` }, 404)
})

addUsage(app)

app.all('/internal/tools/call', (c) => notAllowed(c, 'POST'))
for (const path of ['/health', '/internal/tools', '/internal/tools/:id', ...USAGE_PATHS])
  app.all(path, (c) => notAllowed(c, 'GET'))

/**
 * The toolcore dialect: Toolcore's three routes, and its usage engine's two; `/health` belongs to it for clients that send
 * its header.
 */
export const toolcore: Dialect = {
  name: 'toolcore',
  owns: (path, headers) =>
    path === '/internal/tools' ||
    path.startsWith('/internal/tools/') ||
    path.startsWith('/internal/usage/') ||
    ((path === '/health' || path === '/health/') && headers.has(SECRET_HEADER)),
  keepsKey: (path) => (path === '/internal/tools/call' ? 'with calls' : undefined),
  app,
}

/**
 * Calls a tool in the agent's session in its microDAO. The first permitted call makes the session: inventing names makes
 * none.
 */
async function call(services: Services, given: CallRequest, inToolkit: ToolInfo | undefined): Promise<Outcome> {
  const { tool_id, agent_id, microdao_id, args, context } = given
  const { tenant, key } = services
  const name = await agentSession(microdao_id, agent_id)
  const request = { tool: 'registered_call', args: { tool_id, args, context } }
  const title = `${agent_id} in ${microdao_id}`.slice(0, MAX_TITLE_CHARS)
  if (inToolkit) {
    const call = { tool: inToolkit.name, args }
    return asRegistered(await callInSession(services.session(name), call, callerOf(services, agent_id), { title }))
  }
  return callInSession(services.session(name), request, callerOf(services, agent_id), {
    title,
    async whyNot() {
      try {
        await tenant.calls.permit({ key, agent: agent_id, reference: tool_id, session: name })
        return null
      } catch (thrown) {
        if (thrown instanceof FailureError && REFUSALS.has(thrown.failure.code)) return thrown.failure
        throw thrown
      }
    },
  })
}

/** Reasons why a call may not begin, and so needs no session. */
const REFUSALS: ReadonlySet<FailureCode> = new Set(['not_found', 'forbidden', 'invalid_input'])

const MAX_TITLE_CHARS = 200

async function shownTools(services: Services, agent: string | null) {
  const { tenant } = services
  const isShown = ({ policy, definition }: RegisteredTool) =>
    policy.enabled && !definition.hidden && (agent === null || permits(policy.allowed_agents, agent))
  const tools: (ReturnType<typeof encodeListed> | ReturnType<typeof encodeListedTool>)[] = []
  let chars = 0
  let after: number | undefined
  do {
    const page = await tenant.tools.list({ limit: MAX_LISTED_TOOLS, ...(after !== undefined && { after }) })
    for (const tool of page.tools.filter(isShown).map(encodeListed)) {
      chars += shownChars(tool)
      refuseTooLarge(chars)
      tools.push(tool)
    }
    after = page.next
  } while (after !== undefined)
  const ids = new Set(tools.map(({ id }) => id))
  const listed = toolsOf(await listedToolkits(services)).filter(({ name }) => !ids.has(name))
  return [...tools, ...listed.map(encodeListedTool)]
}

const notAllowed = (c: Context<AppEnv>, allow: string) =>
  c.json({ detail: 'Method Not Allowed' }, 405, { Allow: allow })
