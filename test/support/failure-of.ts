import { type Failure, FailureError, failureIn } from '../../src/core/failure.ts'
import { CANONICAL } from '../../src/core/saying/worded.ts'

const OWNERS = { ...CANONICAL, isOwner: true } as const

/**
 * Failure that a piece of work ends with, in the core's names and with advice for the owner of a server.
 * @param what name of the work in the error when it does not fail
 * @throws any other error of the work, or that it did not fail
 */
export async function failureOf(work: Promise<unknown>, what = 'it'): Promise<Failure> {
  try {
    await work
  } catch (thrown) {
    if (thrown instanceof FailureError) return failureIn(thrown.failure, OWNERS)
    throw thrown
  }
  throw new Error(`${what} did not fail`)
}
