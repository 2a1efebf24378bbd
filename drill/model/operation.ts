import type { Change } from './change.ts'

/** The changes that a client asks for in one request. */
export interface Operation {
  /** Unique in a drill. */
  readonly id: number
  readonly steps: readonly Change[]
  /** Author of the change: a tool in one commit, or a command in the sandbox, which may end between two steps. */
  readonly by: 'tool' | 'sandbox'
}
