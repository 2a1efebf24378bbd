import type { Hono } from 'hono'
import { sessionName } from '../../../../core/ids.ts'
import type { AppEnv } from '../../../dialect.ts'
import { encodeWhole, PageOf } from '../../../operations/page.ts'
import { route } from '../../../operations/route.ts'
import { SessionTool } from './definition-schemas.ts'

/** Tools of a session besides those of the server and of its tenant. */
export function addSessionTools(app: Hono<AppEnv>): void {
  route(
    app,
    'get',
    '/v1/sessions/:session/tools',
    {
      id: 'listSessionTools',
      tag: 'tools',
      summary: "List a session's own tools",
      description: "Tools with their whole definitions, but for those in other dialects' forms.",
      scope: 'read',
      params: { session: 'Name of the session.' },
      answers: { 200: { description: 'All of them, on one page.', content: PageOf(SessionTool) } },
      problems: [400, 404],
      example: { params: { session: 'example' }, status: 200 },
    },
    async (c, { services }) => {
      const tools = await services.session(sessionName(c.req.param('session'))).tools.list()
      return c.json(encodeWhole(tools.flatMap((tool) => (tool.kind === 'tool' ? [tool.definition] : []))))
    },
  )
}
