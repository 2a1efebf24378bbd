import type { Resolved } from './chain/check.ts'
import type { SourcedDefinition } from './definition.ts'

/** A registered tool as a chain's check sees it. */
export function resolvedOf({ id, executor, input_schema, output_schema, checks }: SourcedDefinition): Resolved {
  const known = { name: id, inputSchema: input_schema }
  if (executor.kind === 'chain') return { ...known, kind: 'chain', definition: executor.chain }
  // A tool's declared output can be relied on only where it is checked.
  const result = checks.output ? output_schema : {}
  const printed = executor.kind === 'python' ? { stdout: { type: 'string' }, stderr: { type: 'string' } } : {}
  return { ...known, kind: 'tool', outputSchema: { type: 'object', properties: { result, ...printed } } }
}
