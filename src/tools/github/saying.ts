import { FailureError, failureWith, messageParts } from '../../core/failure.ts'
import { say } from '../../core/saying/saying.ts'

/** Awaits `work`, and begins the error of its failure with words that clients of the published server look for. */
export async function saying<T>(words: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (thrown) {
    if (!(thrown instanceof FailureError)) throw thrown
    const { failure } = thrown
    throw new FailureError(failureWith(failure.code, say`${words}${messageParts(failure)}`, failure.data), {
      cause: thrown,
    })
  }
}
