import { FailureError } from '../../core/failure.ts'

/** Begins the error of `work`, if it fails, with words that clients of the published server look for. */
export async function saying<T>(words: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (thrown) {
    if (!(thrown instanceof FailureError)) throw thrown
    const { failure } = thrown
    throw new FailureError({ ...failure, message: `${words}${failure.message}` }, { cause: thrown })
  }
}
