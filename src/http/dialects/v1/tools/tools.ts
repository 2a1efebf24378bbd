import type { Hono } from 'hono'
import type { ToolInfo } from '../../../../tools/registry.ts'
import { type AppEnv, servicesFor } from '../../../dialect.ts'

/** `GET /v1/tools`: every tool with the JSON Schema of its arguments, in catalog order. */
export function addTools(app: Hono<AppEnv>): void {
  app.get('/v1/tools', (c) => c.json({ tools: servicesFor(c, 'read').tools.map(encodeTool) }))
}

const encodeTool = ({ name, description, effect, inputSchema }: ToolInfo) => ({
  name,
  description,
  effect,
  input_schema: inputSchema,
})
