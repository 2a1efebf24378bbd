import type { Result } from '../core/outcome.ts'

/** Results of the session's calls, as far as they are kept. */
export interface Results {
  /**
   * Keeps the whole of this call's result, of which its answer shows a part, for RESULT_KEPT_MS.
   * @returns its handle; null where it is not kept: it is too long, or the disk is full, or the call's answer is kept as it is
   */
  keep(whole: Result): string | null
  /**
   * Finds the result of a call; of one that failed, its failure; of one whose result is not kept whole, the text that the history has.
   * @param handle `result_…`, or the call's id
   * @throws FailureError `not_found`; `conflict` while the call runs
   */
  find(handle: string): Promise<Result>
}
