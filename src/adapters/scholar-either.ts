import { FailureError } from '../core/failure.ts'
import type { Scholar } from '../ports/scholar.ts'

/** Tries the second service when the first fails; the page names the service that answered. */
export const scholarEither = (first: Scholar, second: Scholar): Scholar => ({
  async page(query, signal) {
    try {
      return await first.page(query, signal)
    } catch (thrown) {
      if (!(thrown instanceof FailureError) || signal.aborted) throw thrown
      return second.page(query, signal)
    }
  },
})
