import * as z from 'zod'
import { fail } from '../../../../core/failure.ts'
import { MOMENT_WORDS, NAMED_MOMENT } from '../../../../core/moment.ts'

const Commit = z.int(MOMENT_WORDS).min(0, MOMENT_WORDS)
const Name = z.string(MOMENT_WORDS).regex(NAMED_MOMENT, MOMENT_WORDS)

/** A moment in a body. */
export const Moment = z.union([Commit, Name])

const numbered = (given: unknown) => (typeof given === 'string' && /^\d{1,15}$/.test(given) ? Number(given) : given)

/** A moment in a query: digits are the number of a commit. */
export const queriedMoment = z.preprocess(numbered, Moment.optional())

/** A moment in a path. @throws FailureError `invalid_input` */
export function momentIn(given: string): z.output<typeof Moment> {
  const { data } = Moment.safeParse(numbered(given))
  return data ?? fail('invalid_input', `${MOMENT_WORDS}; list the history, or the snapshots, to see which there are`)
}
