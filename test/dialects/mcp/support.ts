import { verifierOf } from '../../support/requirements.ts'
import { REQUIREMENTS } from './requirements.ts'

/** A test of behaviours that are listed in requirements.ts. */
export const verifies = verifierOf(REQUIREMENTS)
