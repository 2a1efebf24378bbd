import type { Hono } from 'hono'
import { fail } from '../../../core/failure.ts'
import { sessionName } from '../../../core/ids.ts'
import { type AppEnv, servicesFor } from '../../dialect.ts'

/** `GET /v1/sessions/{name}/tools`: the tools that calls of a session made for it, whole. */
export function addMadeTools(app: Hono<AppEnv>): void {
  app.get('/v1/sessions/:name/tools', async (c) => {
    const tools = await servicesFor(c, 'read')
      .session(sessionName(c.req.param('name')))
      .madeTools()
    return tools ? c.json({ tools }) : fail('not_found', 'there is no such session')
  })
}
