import { integerWithin } from './arguments.ts'

/** Argument for a moment of the task's files: the number of a commit. */
export const commitNumber = integerWithin(0, Number.MAX_SAFE_INTEGER)
