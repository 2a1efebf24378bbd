import type { Context, Hono } from 'hono'
import type { AppEnv, Services } from '../../dialect.ts'
import { microdaoSessions } from './agent-session.ts'
import { encodeToolUsage, encodeUsageSummary, type ToolNames, usageOfPeriod } from './usage-codec.ts'
import type { Detail } from './validation.ts'
import { withSecret } from './with-secret.ts'

export const USAGE_PATHS = ['/internal/usage/tools', '/internal/usage/summary']

const MAX_PERIOD_HOURS = 720
const DEFAULT_PERIOD_HOURS = 24

/** Adds the routes of Toolcore's usage engine. Source: GET /internal/usage/tools and /internal/usage/summary. */
export function addUsage(app: Hono<AppEnv>): void {
  app.get('/internal/usage/tools', async (c) => {
    const services = withSecret(c, 'read')
    const { tenant, now } = services
    const request = decodeRequest(c)
    if ('invalid' in request) return c.json({ detail: [request.invalid] }, 422)
    const report = await tenant.usage.read(usageOfPeriod(request.hours, now(), 'tool', request.below))
    return c.json(encodeToolUsage(report, await namesOf(services)))
  })

  app.get('/internal/usage/summary', async (c) => {
    const services = withSecret(c, 'read')
    const { tenant, now } = services
    const request = decodeRequest(c)
    if ('invalid' in request) return c.json({ detail: [request.invalid] }, 422)
    const at = now()
    const query = usageOfPeriod(request.hours, at, 'tool', request.below)
    const [tools, agents] = await Promise.all([
      tenant.usage.read(query),
      tenant.usage.read({ ...query, groupBy: 'agent' }),
    ])
    const { microdao } = request
    const names = await namesOf(services)
    return c.json(encodeUsageSummary({ tools, agents }, query, { now: at, microdao, names }))
  })
}

interface UsageRequest {
  readonly hours: number
  readonly microdao: string | null
  /** Prefix of the sessions' names. */
  readonly below?: string
}

function decodeRequest(c: Context<AppEnv>): UsageRequest | { readonly invalid: Detail } {
  const given = c.req.query('period_hours')
  const microdao = c.req.query('microdao_id') || null
  const hours = given === undefined ? DEFAULT_PERIOD_HOURS : /^\s*\d{1,9}\s*$/.test(given) ? Number(given) : Number.NaN
  if (hours >= 1 && hours <= MAX_PERIOD_HOURS) {
    return { hours, microdao, ...(microdao !== null && { below: microdaoSessions(microdao) }) }
  }
  const about = { loc: ['query', 'period_hours'], input: given }
  if (Number.isNaN(hours)) {
    const msg = 'Input should be a valid integer, unable to parse string as an integer'
    return { invalid: { type: 'int_parsing', msg, ...about } }
  }
  return hours < 1
    ? { invalid: { type: 'greater_than_equal', msg: 'Input should be greater than or equal to 1', ...about } }
    : { invalid: { type: 'less_than_equal', msg: 'Input should be less than or equal to 720', ...about } }
}

const namesOf = async (services: Services): Promise<ToolNames> =>
  new Map((await services.registeredTools()).tools.map(({ id, name }) => [id, name]))
