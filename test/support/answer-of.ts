import { type Failure, FailureError } from '../../src/core/failure.ts'

/**
 * What a piece of work ends with, as data: its value, or its failure just as it was thrown.
 * @throws what it ends with that is no failure
 */
export async function answerOf<T>(work: Promise<T>): Promise<T | { readonly failure: Failure }> {
  try {
    return await work
  } catch (thrown) {
    if (thrown instanceof FailureError) return { failure: thrown.failure }
    throw thrown
  }
}
