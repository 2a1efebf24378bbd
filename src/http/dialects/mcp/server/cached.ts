import type { McpContext } from '../context.ts'

/** Fields of a result of 2026-07-28 that say how long its client may keep it. What a key sees is for its client alone. */
export const cached = ({ era }: Pick<McpContext, 'era'>, ttlMs: number) =>
  era === 'modern' ? { ttlMs, cacheScope: 'private' as const } : {}
