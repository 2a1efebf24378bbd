import type { Effect } from '../../tools/define.ts'

/** Hints of MCP about a tool's calls. */
export interface Hints {
  readonly readOnlyHint: boolean
  readonly destructiveHint?: boolean
  readonly idempotentHint?: boolean
  readonly openWorldHint: boolean
}

/** Hints of MCP by effect; what is left out has the default there: a tool may destroy, and does more at each call. */
export function hintsOf(effect: Effect | null): Hints {
  switch (effect) {
    case 'read':
      return { readOnlyHint: true, openWorldHint: false }
    case 'write':
      return { readOnlyHint: false, destructiveHint: true, openWorldHint: false }
    default:
      return { readOnlyHint: false, openWorldHint: true }
  }
}
