import type { ToolDefinition, ToolPolicy } from './definition.ts'

/** A tool in one of its versions, with what holds for all of them. */
export interface RegisteredTool {
  /** Where it was put from last: an import's name, `marketplace:publisher/tool@version`; null for what was put by itself. */
  readonly source: string | null
  readonly version: number
  readonly stable: number
  readonly latest: number
  readonly definition: ToolDefinition
  readonly policy: ToolPolicy
}
