import type { Sql } from '../../ports/sql.ts'
import { LagentActions } from './actions.ts'
import type { Drafts } from './drafts.ts'
import { FunctionSource } from './functions.ts'
import { SessionTools } from './session-tools.ts'
import type { AnyToolSource } from './source.ts'

export interface SourceParts {
  readonly sql: Sql
  readonly drafts: Drafts
}

/**
 * Sources of a session's tools besides those of the server and of its tenant, in the order of look-ups and lists. A new source is
 * a line here: docs/adding-a-tool-source.md.
 */
export const toolSources = (parts: SourceParts): readonly AnyToolSource[] => [
  new FunctionSource(parts.sql),
  new SessionTools(parts),
  new LagentActions(parts.sql),
]
