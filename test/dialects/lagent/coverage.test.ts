import { countsRequirements } from '../../support/requirements.ts'
import { REQUIREMENTS } from './requirements.ts'

countsRequirements(import.meta.dirname, REQUIREMENTS)
