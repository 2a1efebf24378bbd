import type { Change } from './change.ts'

/** What a client asks for in one request. */
export interface Operation {
  /** Unique in a drill. */
  readonly id: number
  readonly steps: readonly Change[]
  /** Whether a tool makes the change in one commit; what runs in the sandbox may end between two steps. */
  readonly by: 'tool' | 'sandbox'
}
