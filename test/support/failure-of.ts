import { type Failure, FailureError } from '../../src/core/failure.ts'

/**
 * The failure that a piece of work ends with.
 * @param what named when it did not fail
 * @throws what it ends with that is no failure, or that it did not fail
 */
export async function failureOf(work: Promise<unknown>, what = 'it'): Promise<Failure> {
  try {
    await work
  } catch (thrown) {
    if (thrown instanceof FailureError) return thrown.failure
    throw thrown
  }
  throw new Error(`${what} did not fail`)
}
