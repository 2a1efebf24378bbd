import { LAGENT_ACTIONS } from '../../lagent/built-in/action-table.ts'
import { describeAction } from '../../lagent/built-in/actions.ts'
import { LAGENT_VARIANTS } from '../../lagent/built-in/variants.ts'
import type { ActionDescription } from '../../lagent/description.ts'

/** Descriptions of the actions that come with Lagent, without a parser's additions; in Lagent's order, the variants last. */
export const BUILT_IN_DESCRIPTIONS: readonly ActionDescription[] = [...LAGENT_ACTIONS, ...LAGENT_VARIANTS].map(
  describeAction,
)
