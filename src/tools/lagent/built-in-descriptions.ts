import type { ActionDescription } from '../../lagent/description.ts'
import { LAGENT_ACTIONS } from './action-table.ts'
import { describeAction } from './actions.ts'
import { LAGENT_VARIANTS } from './variants.ts'

/** What the actions that come with Lagent say of themselves, without what a parser adds; in its order, the variants behind. */
export const BUILT_IN_DESCRIPTIONS: readonly ActionDescription[] = [...LAGENT_ACTIONS, ...LAGENT_VARIANTS].map(
  describeAction,
)
