import { canonicalJson } from './canonical-json.ts'
import { sha256 } from './sha256.ts'

/** Fields of a tool, as its MCP server lists it, that say what it is and how it is called. */
const PINNED_FIELDS = ['name', 'title', 'description', 'inputSchema', 'outputSchema', 'annotations'] as const

/** Pin of a tool: SHA-256 of its {@link PINNED_FIELDS} as the server sent them. Another pin is another tool. */
export const mcpPin = (tool: Readonly<Record<string, unknown>>): string =>
  sha256(canonicalJson(Object.fromEntries(PINNED_FIELDS.map((field) => [field, tool[field]]))))
