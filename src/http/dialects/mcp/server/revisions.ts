import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server'
import type { McpContext } from '../context.ts'

/** Revision without sessions, whose requests each say all that is needed to answer them. */
export const MODERN_REVISION = '2026-07-28'

/** Revisions of a server: one that does not list the newest is bound to it by the SDK's handler alone. */
export const revisionsOf = ({ era }: Pick<McpContext, 'era'>): string[] =>
  era === 'modern' ? [...SUPPORTED_PROTOCOL_VERSIONS, MODERN_REVISION] : SUPPORTED_PROTOCOL_VERSIONS
