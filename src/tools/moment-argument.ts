import * as z from 'zod'
import { MOMENT_WORDS } from '../core/moment.ts'

/** Argument for a moment of the task's files: the number of a commit, also as text, the name of a snapshot, or HEAD~1. */
export const momentArgument = z.preprocess(
  (given) => (typeof given === 'string' && NUMBER.test(given) ? Number(given) : given),
  z.union([z.int().min(0, { error: ({ input }) => refusal(input) }), z.string().min(1)], {
    error: ({ input }) => refusal(input),
  }),
)

const NUMBER = /^\s*-?\d{1,15}(?:\.0*)?\s*$/

/** Refusal of what is no moment; of a number below 0, what may be meant by it. */
function refusal(given: unknown): string | undefined {
  if (given === undefined || given === null) return undefined
  const isBefore = typeof given === 'number' && Number.isInteger(given) && given < 0
  return isBefore ? `${MOMENT_WORDS}; ${given} is none, HEAD~${-given} may be meant` : MOMENT_WORDS
}
