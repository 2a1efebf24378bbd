import { FailureError } from '../core/failure.ts'

/** The answer of a session; null when there is no such session. */
export async function catchNoSession<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer
  } catch (thrown) {
    if (thrown instanceof FailureError && thrown.failure.code === 'session_not_found') return null
    throw thrown
  }
}
