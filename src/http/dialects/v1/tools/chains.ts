import type { Hono } from 'hono'
import * as z from 'zod'
import { ToolDefinition } from '../../../../registry/definition.ts'
import { type AppEnv, servicesFor } from '../../../dialect.ts'
import { readInput } from '../../../input.ts'

const DryRunRequest = z.strictObject({
  /** Definition of the chain, parsed by its own rules, so that the answer names all its mistakes. */
  chain: z.unknown(),
  id: ToolDefinition.shape.id.default('this chain'),
  input_schema: ToolDefinition.shape.input_schema.default({}),
  input: z.record(z.string(), z.unknown()).optional(),
})

/** `POST /v1/chains/dry-run`: what a chain would call, and its mistakes. Nothing is called, and nothing kept. */
export function addChains(app: Hono<AppEnv>): void {
  app.post('/v1/chains/dry-run', async (c) => {
    const { tenant } = servicesFor(c, 'read')
    const { chain, id, input_schema, input } = await readInput(c.req.raw, DryRunRequest)
    return c.json(await tenant.tools.dryRunChain({ chain, id, inputSchema: input_schema, ...(input && { input }) }))
  })
}
