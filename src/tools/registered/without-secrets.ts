import { FailureError, failureWith, messageParts } from '../../core/failure.ts'
import type { Mask } from './masked.ts'

/** Does work whose failures may repeat a secret that was sent, and masks it in them. */
export async function withoutSecrets<T>(mask: Mask, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    if (!(thrown instanceof FailureError) || mask.isEmpty) throw thrown
    const { code, data } = thrown.failure
    const parts = messageParts(thrown.failure).map((part) => (typeof part === 'string' ? mask.text(part) : part))
    throw new FailureError(failureWith(code, parts, data), { cause: thrown })
  }
}
