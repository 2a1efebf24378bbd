import type { ClientCapabilities, Server } from '@modelcontextprotocol/server'
import type { SessionName } from '../../../core/ids.ts'
import type { ToolEntry } from '../../callable-tools/tool-entries.ts'
import type { Services } from '../../dialect.ts'
import type { GoOn } from '../../idempotency/go-on.ts'
import type { SerialisedTools } from './server/tools/serialised-tools.ts'

/** Tools that an address offers: a choice of a dozen, all, four by which any is found and called, or those of toolkits. */
export type Toolset =
  | { readonly kind: 'core' | 'all' | 'search' }
  | { readonly kind: 'toolkits'; readonly names: readonly string[] }

/** Bindings of an address: `/mcp`, `/mcp/s/{session}`, both with `?tools=`. */
export interface Endpoint {
  /** Session that every call is made in; null where a call names one by its argument `session`, or none. */
  readonly session: SessionName | null
  readonly tools: Toolset
}

/** Resources of whose changes one connection of the older revisions hears. Kept with the connection, which outlives its server. */
export interface ResourceSubscriptions {
  /** Adds a resource. @throws FailureError `invalid_input`, `not_found`, `session_not_found`, `limit_exceeded` */
  watch(uri: string): Promise<void>
  unwatch(uri: string): Promise<void>
}

/** Context of one request of 2026-07-28, or of one connection of the older revisions. */
export interface McpContext {
  readonly era: 'modern' | 'legacy'
  readonly endpoint: Endpoint
  /** Services of the key that was shown. */
  readonly services: Services
  /** Session of calls that name none where the address binds none: the connection's own, or the key's usual one. */
  readonly usualSession: SessionName
  /** Origin of our own addresses, such as `http://localhost:8001`, for links to files. */
  readonly origin: string
  /** Capabilities that the client of a connection declared. Those of a modern client come with each request. */
  capabilities?(): ClientCapabilities | undefined
  /** Key of what a modern client keeps between two requests of one call; absent on a server without one. */
  stateKey?(): Promise<Uint8Array>
  /** Has work go on when the client is gone. */
  readonly goOn: GoOn
  /** Logs a thrown value; answers never show it. */
  report?(thrown: unknown): void
  /** Subscriptions of the connection; absent where nobody could hear of changes, and no use for a modern request. */
  readonly subscriptions?: ResourceSubscriptions
  /** Finder of tools in place of a look of each call's own: what was looked at before the call is not looked up again. */
  findTool?(name: string): Promise<ToolEntry>
  /** Taker of a whole list as text; absent where the list has to be in the SDK's result. */
  readonly serialised?: SerialisedTools
}

/** Maker of the SDK's server for one request or one connection, with all its handlers. */
export type MakeServer = (context: McpContext) => Server
