import type { Actor } from '../core/actor.ts'
import type { DryRun } from '../registry/chain/dry-run.ts'
import type { ToolDefinition, ToolPolicy } from '../registry/definition.ts'
import type { RegisteredTool } from '../registry/registered-tool.ts'
import type { SchemaChange } from '../registry/schema-change.ts'

/** Registered tools of one tenant. */
export interface ToolsApi {
  /**
   * Makes these changes in order: all of them or none. With `dryRun` makes none, and returns what they would do.
   * @throws FailureError `invalid_input`, `not_found`, `conflict`, `limit_exceeded`
   */
  change(
    changes: readonly ToolChange[],
    by: Actor,
    how?: { readonly dryRun?: boolean },
  ): Promise<readonly ChangedTool[]>
  /** Dry run of a chain, saved or not, over these tools and those that every session has. */
  dryRunChain(request: ChainDryRun): Promise<DryRun>
  /** Tools in the order in which their ids were first registered. `after` is the `next` of the page before. */
  list(page: { readonly limit: number; readonly after?: number }): Promise<ToolPage>
  /** Tools changed since an earlier revision; all tools since revision 0. */
  since(revision: number): Promise<ToolsSince>
  /**
   * @param reference `id`, or `id@version`
   * @throws FailureError `not_found`, `invalid_input`
   */
  find(reference: string): Promise<RegisteredTool>
  /**
   * Versions of a tool, newest first, starting below the version `before`.
   * @throws FailureError `not_found`
   */
  versions(id: string, page: { readonly limit: number; readonly before?: number }): Promise<ToolVersionPage>
}

export type ToolChange =
  /**
   * Puts a new tool, or a new version where the definition differs. The version becomes the stable one, unless it is `staged`.
   * `policy`: left out, it stays as it is. `expected`: the newest version that must be there, 0 for none; else the change is a
   * `conflict`.
   * `source`: where the tool comes from, for `delete_others`.
   */
  | {
      readonly op: 'put'
      readonly definition: ToolDefinition
      readonly policy?: Partial<ToolPolicy>
      readonly source?: string | null
      readonly expected?: number
      readonly staged?: boolean
    }
  /** Changes the policy. Fields left out stay. */
  | { readonly op: 'policy'; readonly id: string; readonly policy: Partial<ToolPolicy> }
  /** Sets the version that a reference without a version means. */
  | { readonly op: 'stable'; readonly id: string; readonly version: number }
  /** Deletes a tool with all its versions. A tool registered again under the id continues their numbers. */
  | { readonly op: 'delete'; readonly id: string }
  /** Deletes all tools last put with this source, except these ids. */
  | { readonly op: 'delete_others'; readonly source: string; readonly keep: readonly string[] }

export interface ChangedTool {
  readonly id: string
  readonly op: 'put' | 'policy' | 'stable' | 'delete'
  /** The version that was made or changed; null for a deleted tool. */
  readonly version: number | null
  /** `unchanged`: the tool was the same before. */
  readonly outcome: 'created' | 'updated' | 'unchanged' | 'deleted'
  /** Whether the version may break callers of the version before it, or of the one that was stable. */
  readonly breaking: boolean
  /** True when a version was made and another one stays stable. */
  readonly staged?: boolean
  /** The current policy, when it changed. */
  readonly policy?: ToolPolicy
  /** Chains that call the tool and may fail from now on; only some where there are many. */
  readonly usedBy?: readonly string[]
}

export interface ChainDryRun {
  readonly chain: unknown
  /** The id under which the chain would be saved. */
  readonly id: string
  readonly inputSchema: Readonly<Record<string, unknown>>
  /** Input of the chain; left out when it is not known. */
  readonly input?: Readonly<Record<string, unknown>>
}

export interface ToolPage {
  /**
   * Tools in their stable versions, disabled ones too. Long tools make the page shorter than its limit: `next` says whether more
   * follow.
   */
  readonly tools: readonly RegisteredTool[]
  readonly total: number
  readonly next?: number
}

/** A tool in its stable version, with the fields that lists and searches show. */
export interface ShownTool {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly inputSchema: Readonly<Record<string, unknown>>
  readonly toolkit: string | null
  readonly hidden: boolean
  readonly source: string | null
  readonly policy: ToolPolicy
}

export interface ToolsSince {
  /** The revision for the next request. */
  readonly revision: number
  /** True when the copy of the list must be dropped and built anew. */
  readonly anew: boolean
  readonly tools: readonly ShownTool[]
  /** Ids of deleted tools. */
  readonly gone: readonly string[]
  /** True when more changes follow: ask again at once. */
  readonly more: boolean
}

export interface ToolVersionPage {
  readonly versions: readonly ToolVersion[]
  /** The `before` of the next page; absent on the last one. */
  readonly next?: number
}

export interface ToolVersion {
  readonly version: number
  readonly stable: boolean
  /** Milliseconds since 1970. */
  readonly madeAt: number
  readonly madeBy: Actor
  /** Whether the version may break callers of the newest version before it. */
  readonly breaking: boolean
  readonly changes: readonly SchemaChange[]
}
