import type { ServerOptions } from '@modelcontextprotocol/server'
import { MCP_LIST_TTL_MS } from '../../../../core/limits/mcp.ts'
import { RESOURCE_LIST_TTL_MS, STATIC_LIST_TTL_MS } from '../../../../core/limits/mcp-resources.ts'

/** Hint that a client may keep a result for a time. What a key sees is for its client alone. */
const keptFor = (ttlMs: number) => ({ ttlMs, cacheScope: 'private' }) as const

/** Hints by method, for results of 2026-07-28; those of other methods are not to be kept. */
export const CACHE_HINTS: NonNullable<ServerOptions['cacheHints']> = {
  'server/discover': keptFor(MCP_LIST_TTL_MS),
  'tools/list': keptFor(MCP_LIST_TTL_MS),
  'prompts/list': keptFor(STATIC_LIST_TTL_MS),
  'resources/list': keptFor(RESOURCE_LIST_TTL_MS),
  'resources/templates/list': keptFor(STATIC_LIST_TTL_MS),
}
