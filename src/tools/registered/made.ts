import type { Toolbox } from '../../ports/toolbox.ts'
import type { SourcedDefinition } from '../../registry/definition.ts'

/** Definitions of the tools that the session's calls made for it, in the order of making. */
export async function madeBy(toolbox: Pick<Toolbox, 'list'>): Promise<SourcedDefinition[]> {
  const tools = await toolbox.list()
  return tools.flatMap((one) => (one.kind === 'tool' && one.source === 'session' ? [one.definition] : []))
}
