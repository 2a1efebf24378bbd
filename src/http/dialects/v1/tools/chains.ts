import type { Hono } from 'hono'
import * as z from 'zod'
import { ToolDefinition } from '../../../../registry/definition.ts'
import type { AppEnv } from '../../../dialect.ts'
import { route } from '../../../operations/route.ts'

const DryRunRequest = z
  .strictObject({
    /** Parsed by its own rules, so that the answer names all its mistakes. */
    chain: z.unknown().meta({ description: 'Definition of the chain: `{"steps": [...], "output": ...}`.' }),
    id: ToolDefinition.shape.id.default('this chain'),
    input_schema: ToolDefinition.shape.input_schema.default({}),
    input: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'ChainToTry' })

const DryRunAnswer = z
  .object({
    ok: z.boolean().meta({ description: 'True when no mistake was found.' }),
    issues: z.array(z.object({ step: z.string().nullable(), message: z.string() })),
    steps: z.array(
      z.object({
        id: z.string(),
        tool: z.string(),
        kind: z.enum(['tool', 'chain']).nullable().meta({ description: 'Null when there is no such tool.' }),
        waits_for: z.array(z.string()),
        runs: z.enum(['yes', 'no', 'perhaps']).meta({ description: 'perhaps: its condition needs a result.' }),
        calls: z.int().nullable().meta({ description: 'Number of calls; null when it is known in a run only.' }),
        input: z.unknown().optional(),
      }),
    ),
    output: z.unknown().meta({ description: 'Output, with `<…>` for values known in a run only, as in the inputs.' }),
  })
  .meta({ id: 'ChainDryRun' })

const EXAMPLE = {
  chain: { steps: [{ id: 'note', tool: 'file_write', input: { file_path: 'a.md', content: `\${{ input.text }}` } }] },
  input: { text: 'hello' },
}

/** Calls that a chain would make, and its mistakes. Nothing is called, and nothing kept. */
export function addChains(app: Hono<AppEnv>): void {
  route(
    app,
    'post',
    '/v1/chains/dry-run',
    {
      id: 'dryRunChain',
      tag: 'chains',
      summary: 'Plan a chain without calling anything',
      scope: 'read',
      body: DryRunRequest,
      answers: { 200: { description: 'The plan, or the mistakes of the chain.', content: DryRunAnswer } },
      problems: [],
      example: { body: EXAMPLE, status: 200 },
    },
    async (c, { services: { tenant }, body: { chain, id, input_schema, input } }) =>
      c.json(await tenant.tools.dryRunChain({ chain, id, inputSchema: input_schema, ...(input && { input }) })),
  )
}
