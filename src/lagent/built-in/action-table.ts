import type { LagentAction } from './action.ts'
import ACTIONS from './actions.json' with { type: 'json' }

/**
 * Lagent's own words, as its actions describe themselves at 0.5.0rc3: clients and recorded prompts know them by these. What
 * is odd in them (`query` of `search` and `select_ids` are lists, `open_url` says nothing) is odd there.
 */
export const LAGENT_ACTIONS = ACTIONS as readonly LagentAction[]
