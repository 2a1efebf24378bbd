import type { Schema } from '../../forms/fields.ts'
import type { Tone } from '../../parts/tone.ts'
import type { CallState } from '../session/types.ts'

/** A tool in the list, as `/v1/tools` has it. Descriptions are written by whoever registered it. */
export interface ListedTool {
  readonly name: string
  readonly kind: 'server' | 'registered'
  readonly title: string | null
  readonly toolkit: string | null
  readonly description: string
  readonly effect: Effect | null
  readonly input_schema: Schema
}

/** Effect of calls of a tool. */
type Effect = 'read' | 'write' | 'run' | 'fetch'

/** Words for what calls of a tool do. */
export const EFFECTS: Readonly<Record<Effect, string>> = {
  read: 'Reads',
  write: 'Changes files',
  run: 'Runs code',
  fetch: 'Asks others',
}

/** A tool by itself. */
export interface Tool extends ListedTool {
  readonly output_schema: Schema | null
}

/** A step of a chain, as far as a picture shows it. */
export interface ChainStep {
  readonly id: string
  readonly tool: string
  readonly input?: unknown
  readonly if?: string
  readonly map?: { readonly over: string }
  readonly after?: readonly string[]
}

/** Executor of a registered tool. */
export type Executor =
  | { readonly kind: 'http'; readonly target: string; readonly request?: { readonly method: string } }
  | { readonly kind: 'python'; readonly target: string; readonly source?: string }
  | { readonly kind: 'chain'; readonly chain: { readonly steps: readonly ChainStep[]; readonly output?: unknown } }
  | { readonly kind: 'mcp'; readonly server: string; readonly target: string; readonly tool: string }

/** A registered tool in the list. */
export interface ListedRegistered {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly executor: string
  readonly toolkit: string | null
  readonly stable_version: number
  readonly latest_version: number
  readonly enabled: boolean
}

/** A version of a registered tool as it is defined. */
export interface Registered extends Omit<ListedRegistered, 'executor'> {
  readonly version: number
  readonly input_schema: Schema
  readonly executor: Executor
}

/** A version in the list of a tool's versions. */
export interface ToolVersion {
  readonly version: number
  readonly stable: boolean
  readonly made_at: string
  readonly made_by: { readonly key: string | null; readonly agent: string | null }
  readonly breaking: boolean
  readonly changes: number
}

/** Changes in the schemas of a tool. */
export interface SchemaChange {
  readonly schema: 'input' | 'output'
  readonly path: string
  readonly what: string
  readonly breaking: boolean
}

/** Result of an import of an API, made or only planned. */
export interface ImportedApi {
  readonly env: string
  readonly tools: number
  readonly created: readonly string[]
  readonly updated: readonly string[]
  readonly deleted: readonly string[]
  readonly unchanged: number
  readonly breaking: readonly string[]
  readonly secrets: readonly { readonly name: string; readonly of: string; readonly kept: boolean }[]
  readonly skipped: readonly { readonly operation: string; readonly reason: string }[]
  readonly skipped_count: number
}

/** A remote MCP server. */
export interface McpServer {
  readonly name: string
  readonly url: string
  readonly server: { readonly name: string; readonly version: string } | null
  readonly active: number
  readonly quarantined: number
  readonly refused: number
  readonly refreshed_at: string | null
}

/** A tool of a remote MCP server, and whether its description is still the one that was accepted. */
export interface McpTool {
  readonly name: string
  readonly id: string | null
  readonly state: 'active' | 'quarantined' | 'refused'
  readonly description: string | null
  readonly pin: string | null
  readonly why: string | null
  readonly changes: readonly { readonly field: string; readonly before: string; readonly after: string }[] | null
}

/** Tones of the states of tools of MCP servers. */
export const MCP_TONES: Readonly<Record<McpTool['state'], Tone>> = {
  active: 'good',
  quarantined: 'warn',
  refused: 'bad',
}

/** A tool of the marketplace in the list. */
export interface ListedPackage {
  readonly publisher: string
  readonly tool: string
  readonly name: string
  readonly description: string
  readonly version: number
  readonly published_at: string
  readonly installs: number
}

/** A tool of the marketplace by itself. */
export interface Package extends ListedPackage {
  readonly readme: string
  readonly needs: {
    readonly secrets: readonly string[]
    readonly hosts: readonly string[]
    readonly tools: readonly string[]
    readonly packages: readonly string[]
    readonly code: boolean
  }
  readonly examples: readonly { readonly args: unknown; readonly result?: unknown }[]
  readonly versions: readonly { readonly version: number; readonly published_at: string; readonly breaking: boolean }[]
}

/** Plan of a chain. */
export interface DryRun {
  readonly ok: boolean
  readonly issues: readonly { readonly step: string | null; readonly message: string }[]
  readonly steps: readonly {
    readonly id: string
    readonly tool: string
    readonly waits_for: readonly string[]
    readonly runs: 'yes' | 'no' | 'perhaps'
    readonly calls: number | null
    readonly input?: unknown
  }[]
  readonly output?: unknown
}

/** The first word about a call: its id, or why there is none. */
export interface StartedCall {
  readonly call_id: string | null
  readonly state: CallState
  readonly text?: string
  readonly error?: { readonly message: string }
}
