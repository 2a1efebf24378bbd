import type { Actor } from '../core/actor.ts'

/** One tenant's part in the marketplace. */
export interface MarketApi {
  /** Counts a request, when one is allowed now. @returns milliseconds until one is; 0 for now */
  pace(): Promise<number>
  /** Writes an action to the audit log. */
  note(note: MarketNote, by: Actor): Promise<void>
}

export interface MarketNote {
  readonly action: 'tool.publish' | 'tool.unpublish' | 'tool.install' | 'tool.upgrade'
  /** `publisher/tool`. */
  readonly package: string
  readonly versions: readonly number[]
  /** The id of the tenant's own tool. */
  readonly id?: string
}
