import { type Failure, FailureError } from '../../src/core/failure.ts'

/**
 * Result of a piece of work as data: its value, or its failure as thrown.
 * @throws any other error
 */
export async function answerOf<T>(work: Promise<T>): Promise<T | { readonly failure: Failure }> {
  try {
    return await work
  } catch (thrown) {
    if (thrown instanceof FailureError) return { failure: thrown.failure }
    throw thrown
  }
}
