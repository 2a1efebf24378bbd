import type { Executor, ToolDefinition } from './definition.ts'

/** Names of the tenant's secrets that a tool sends or gets, each once. Tools that a chain calls have their own. */
export function neededSecrets({ executor }: Pick<ToolDefinition, 'executor'>): string[] {
  return [...new Set(namedBy(executor))].sort()
}

function namedBy(executor: Executor): readonly string[] {
  switch (executor.kind) {
    case 'http':
      return (executor.request?.auth ?? []).map(({ secret }) => secret)
    case 'mcp':
      return executor.auth.map(({ secret }) => secret)
    case 'python':
      return executor.secrets ?? []
    case 'chain':
      return []
  }
}
