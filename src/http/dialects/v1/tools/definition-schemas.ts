import * as z from 'zod'
import { ToolDefinition, ToolPolicy } from '../../../../registry/definition.ts'

/** Schemas of answers about definitions: what a definition is when its defaults are filled in. */

const Executor = ToolDefinition.shape.executor.meta({ id: 'Executor', description: 'What runs the tool.' })

/** Fields of a definition. */
export const definitionFields = { ...ToolDefinition.shape, executor: Executor }

/** A definition whose tool its source may run, where none of the executors does. */
export const SessionTool = z
  .object({
    ...definitionFields,
    executor: z.union([Executor, z.object({ kind: z.literal('source'), source: z.string() })]),
  })
  .meta({ id: 'SessionTool' })

/** Versions of a registered tool: the one that is shown, the one that calls without a version mean, and the newest. */
const versionFields = {
  version: z.int().min(1),
  stable_version: z.int().min(1),
  latest_version: z.int().min(1),
}

export const RegisteredToolAnswer = z
  .object({ ...definitionFields, ...versionFields, ...ToolPolicy.shape })
  .meta({ id: 'RegisteredTool' })

export const ListedTool = RegisteredToolAnswer.omit({ output_schema: true })
  .extend({ executor: z.string().meta({ description: 'Kind of its executor.' }) })
  .meta({ id: 'ListedTool' })

export const SchemaChangeAnswer = z
  .object({
    schema: z.enum(['input', 'output']),
    path: z.string().meta({ description: 'JSON Pointer into the schema; empty for the whole.' }),
    what: z.string(),
    breaking: z.boolean().meta({ description: 'Whether a value that fitted may no longer fit.' }),
  })
  .meta({ id: 'SchemaChange' })

export const ChangedToolAnswer = z
  .object({
    id: z.string(),
    outcome: z.enum(['created', 'updated', 'unchanged', 'deleted']),
    version: z.int().nullable().meta({ description: 'The version that was made or changed; null for a deleted tool.' }),
    breaking: z.boolean().optional().meta({ description: 'Whether the version may break callers of the one before.' }),
    enabled: z.boolean().optional(),
    allowed_agents: z.array(z.string()).nullable().optional(),
    used_by: z
      .array(z.string())
      .optional()
      .meta({ description: 'Chains that call the tool and may fail from now on; only some where there are many.' }),
  })
  .meta({ id: 'ChangedTool' })

export const ToolVersionAnswer = z
  .object({
    version: z.int(),
    stable: z.boolean(),
    made_at: z.iso.datetime(),
    made_by: z.object({ key: z.string().nullable(), agent: z.string().nullable() }),
    breaking: z.boolean(),
    changes: z.int().meta({ description: 'Number of changes of its schemas.' }),
  })
  .meta({ id: 'ToolVersion' })

export const ChangesAnswer = z
  .object({
    version: z.int(),
    since: z.int().nullable().meta({ description: 'The version that it is compared with; null for the first.' }),
    breaking: z.boolean(),
    changes: z.array(SchemaChangeAnswer),
  })
  .meta({ id: 'SchemaChanges' })

export const ImportAnswer = z
  .object({
    dry_run: z.boolean(),
    created: z.int(),
    updated: z.int(),
    unchanged: z.int(),
    deleted: z.int(),
    tools: z.array(
      ChangedToolAnswer.extend({
        problem: z.string().optional().meta({ description: 'Why the tool can never work.' }),
      }).meta({ id: 'ImportedTool' }),
    ),
  })
  .meta({ id: 'ImportedTools' })
