import type { DryRun } from '../registry/chain/dry-run.ts'
import type { ToolDefinition } from '../registry/definition.ts'
import type { BegunCall } from './registered.ts'

/** Where a tool that a call makes is to be: in its session, which it goes with, or among those of the tenant. */
export type MadeFor = 'session' | 'tenant'

/** Tools that calls of the session make. What its caller may do is known here, and no argument of a tool changes it. */
export interface MadeTools {
  /** Those of the session, in the order in which they came. */
  list(): readonly ToolDefinition[]
  /**
   * Looks whether this caller may make the tool, before it is tried.
   * @throws FailureError `forbidden`; `conflict` when the id is taken; `invalid_input` for a chain with mistakes; `limit_exceeded`
   */
  check(definition: ToolDefinition, target: MadeFor): Promise<void>
  /** What a tool that was checked would call with that input; null for what is no chain. */
  plan(definition: ToolDefinition, target: MadeFor, input: Readonly<Record<string, unknown>>): Promise<DryRun | null>
  /**
   * Begins a call of what is not there yet. It counts as any call.
   * @throws RefusalError `conflict` when the tenant has a tool of that id; `rate_limited`
   */
  beginTest(definition: ToolDefinition): Promise<BegunCall>
  /**
   * Keeps a tool that was checked. @throws as {@link check}
   * @returns the version that it is, of a tenant's
   */
  keep(definition: ToolDefinition, target: MadeFor): Promise<{ readonly version?: number }>
  /** @returns false when the session made none of that id */
  remove(id: string): boolean
}
