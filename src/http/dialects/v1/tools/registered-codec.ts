import * as z from 'zod'
import { MAX_LISTED_TOOLS } from '../../../../core/limits/registry.ts'
import { ToolDefinition, ToolPolicy } from '../../../../registry/definition.ts'
import type { RegisteredTool } from '../../../../registry/registered-tool.ts'
import type { SchemaChange } from '../../../../registry/schema-change.ts'
import type { ChangedTool, ToolVersion } from '../../../../tenant/tools-api.ts'
import { flag, withDefault } from '../../../../tools/arguments.ts'
import { numberedPageQuery } from '../../../operations/page.ts'

export const ToolsQuery = z.object(numberedPageQuery(MAX_LISTED_TOOLS, 100))

export const ToolQuery = z.object({
  version: z
    .string()
    .optional()
    .meta({ description: 'A version, or a range of them: `2`, `^2`; the stable one if not given.' }),
})

/** Fields of a policy, without defaults: absent ones keep their value. */
const policyFields = {
  enabled: z.boolean().optional(),
  allowed_agents: ToolPolicy.shape.allowed_agents.unwrap().optional(),
}

/** Body of a PUT: a definition, its policy, and how it is stored. Further fields of GET's answer are accepted and ignored. */
export const PutTool = z
  .strictObject({
    ...ToolDefinition.shape,
    id: z.string().optional(),
    ...policyFields,
    expected_version: z
      .int()
      .min(0)
      .optional()
      .meta({ description: 'The newest version that must be there, 0 for none; else the answer is 409.' }),
    stable: z.boolean().default(true),
    version: z.unknown().optional(),
    stable_version: z.unknown().optional(),
    latest_version: z.unknown().optional(),
  })
  .meta({ id: 'ToolToPut' })

export const PatchTool = z
  .strictObject(policyFields)
  .refine((fields) => Object.keys(fields).length > 0, 'send enabled, allowed_agents, or both')
  .meta({ id: 'ToolPolicyChange' })

export const Rollback = z.strictObject({ version: z.int().min(1) }).meta({ id: 'Rollback' })

const flagOf = (description: string) => withDefault(flag, false).meta({ description, 'x-default': false })
export const ImportQuery = z.object({
  replace: flagOf('Deletes tools of an earlier import of the same source that the file lacks.'),
  dry_run: flagOf('Changes nothing: the answer says what would happen.'),
  source: z
    .string()
    .min(1)
    .max(200)
    .default('import')
    .meta({ description: 'Name of the file, for the next import of it.' }),
})

/** A policy as given, without absent fields. */
export const policyOf = ({ enabled, allowed_agents }: z.output<typeof PatchTool>): Partial<ToolPolicy> => ({
  ...(enabled !== undefined && { enabled }),
  ...(allowed_agents !== undefined && { allowed_agents }),
})

export const encodeTool = ({ version, stable, latest, definition, policy }: RegisteredTool) => {
  const { id, ...rest } = definition
  return { id, version, stable_version: stable, latest_version: latest, ...policy, ...rest }
}

/** Entry of a list: what the tool does and who may call it, without its executor. */
export const encodeListed = (tool: RegisteredTool) => {
  const { executor, output_schema: _, ...rest } = encodeTool(tool)
  return { ...rest, executor: executor.kind }
}

export const encodeVersion = ({ version, stable, madeAt, madeBy, breaking, changes }: ToolVersion) => ({
  version,
  stable,
  made_at: new Date(madeAt).toISOString(),
  made_by: madeBy,
  breaking,
  changes: changes.length,
})

/** Changes of a version. `since`: the version that it is compared with; null for the first. */
export const encodeChanges = ({ version, breaking, changes }: ToolVersion, since: number | null) => ({
  version,
  since,
  breaking,
  changes: changes.map(({ schema, path, what, breaking: breaks }: SchemaChange) => ({
    schema,
    path,
    what,
    breaking: breaks,
  })),
})

export const encodeChanged = ({ id, op, version, outcome, breaking, policy, usedBy }: ChangedTool) => ({
  id,
  outcome,
  version,
  ...((op === 'put' || op === 'stable') && { breaking }),
  ...policy,
  ...(usedBy && { used_by: usedBy }),
})
