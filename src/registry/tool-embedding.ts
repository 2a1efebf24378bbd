import type { TenantId } from '../core/ids.ts'
import { sha256 } from '../core/sha256.ts'
import type { ToolDefinition } from './definition.ts'

/** Corpus of a tenant's tools in the index of vectors, beside those of papers: no corpus of papers has this name. */
export const embeddingCorpus = (tenant: TenantId) => `tools/${tenant}`

/** Id of a tool's vector: an index of vectors takes 64 bytes, and a tool's id may be longer. */
export const embeddingId = (tenant: TenantId, toolId: string) => `tool-${sha256(`${tenant}/${toolId}`).slice(0, 48)}`

/** Text of a tool that is embedded. */
export const embeddedText = ({
  name,
  toolkit,
  description,
}: Pick<ToolDefinition, 'name' | 'toolkit' | 'description'>) =>
  `${name}${toolkit === null ? '' : ` (${toolkit})`}: ${description}`.slice(0, MAX_EMBEDDED_CHARS)

/** Length of that text: a model takes in some hundred words, and the first ones say what a tool is for. */
const MAX_EMBEDDED_CHARS = 1_000
