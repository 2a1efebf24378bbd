import { type Failure, FailureError, failureIn } from '../../src/core/failure.ts'
import { CANONICAL } from '../../src/core/saying/worded.ts'

const OWNERS = { ...CANONICAL, isOwner: true } as const

/**
 * The failure that a piece of work ends with, in the core's names and with what the owner of a server can do.
 * @param what named when it did not fail
 * @throws what it ends with that is no failure, or that it did not fail
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
