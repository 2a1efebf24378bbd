import type { Hono } from 'hono'
import { sessionName } from '../../../../core/ids.ts'
import { type AppEnv, servicesFor } from '../../../dialect.ts'

/**
 * `GET /v1/sessions/{name}/tools`: a session's own tools with their whole definitions, but for those in other dialects' forms.
 */
export function addSessionTools(app: Hono<AppEnv>): void {
  app.get('/v1/sessions/:name/tools', async (c) => {
    const tools = await servicesFor(c, 'read')
      .session(sessionName(c.req.param('name')))
      .tools.list()
    return c.json({ tools: tools.flatMap((tool) => (tool.kind === 'tool' ? [tool.definition] : [])) })
  })
}
