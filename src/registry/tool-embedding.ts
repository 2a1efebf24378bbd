import type { TenantId } from '../core/ids.ts'
import { sha256 } from '../core/sha256.ts'
import type { ToolDefinition } from './definition.ts'

/** Where the vectors of a tenant's tools are, beside those of papers: no corpus of papers has this name. */
export const embeddingCorpus = (tenant: TenantId) => `tools/${tenant}`

/** What a tool's vector is called there: an index of vectors takes 64 bytes, and a tool's id may be longer. */
export const embeddingId = (tenant: TenantId, toolId: string) => `tool-${sha256(`${tenant}/${toolId}`).slice(0, 48)}`

/** What a tool is compared by. */
export const embeddedText = ({
  name,
  toolkit,
  description,
}: Pick<ToolDefinition, 'name' | 'toolkit' | 'description'>) =>
  `${name}${toolkit === null ? '' : ` (${toolkit})`}: ${description}`.slice(0, MAX_MEANING_CHARS)

/** A model takes in some hundred words; what comes first says what a tool is for. */
const MAX_MEANING_CHARS = 1_000
