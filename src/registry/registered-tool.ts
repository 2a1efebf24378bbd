import type { ToolDefinition, ToolPolicy } from './definition.ts'

/** A tool in one of its versions, with the properties common to all of them. */
export interface RegisteredTool {
  /** Origin of its last version: an import's name, `marketplace:publisher/tool@version`; null for a tool registered by itself. */
  readonly source: string | null
  readonly version: number
  readonly stable: number
  readonly latest: number
  readonly definition: ToolDefinition
  readonly policy: ToolPolicy
}
