import type { Hono } from 'hono'
import * as z from 'zod'
import { MAX_OWN_TOOLS } from '../../../../core/limits/sessions.ts'
import type { AppEnv } from '../../../dialect.ts'
import { encodeHeld, PageOf, pageQuery } from '../../../operations/page.ts'
import { route } from '../../../operations/route.ts'
import { SESSION, sessionOf } from '../sessions/session-path.ts'
import { SessionTool } from './definition-schemas.ts'

const SessionToolsQuery = z.strictObject(pageQuery(MAX_OWN_TOOLS))

/** Tools of a session besides those of the server and of its tenant. */
export function addSessionTools(app: Hono<AppEnv>): void {
  route(
    app,
    'get',
    '/v1/sessions/:session/tools',
    {
      id: 'listSessionTools',
      tag: 'tools',
      summary: "List a session's own tools in the order of their ids",
      description: "Tools with their whole definitions, but for those in other dialects' forms.",
      scope: 'read',
      params: SESSION,
      query: SessionToolsQuery,
      answers: { 200: { description: 'A page of tools.', content: PageOf(SessionTool) } },
      problems: [400, 404],
      example: { params: { session: 'example' }, status: 200 },
    },
    async (c, { services, query }) => {
      const tools = await sessionOf(c, services).tools.list()
      const definitions = tools.flatMap((tool) => (tool.kind === 'tool' ? [tool.definition] : []))
      return c.json(encodeHeld(definitions, query, ({ id }) => id))
    },
  )
}
