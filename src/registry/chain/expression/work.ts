/** Counter of the work of expressions, so that none runs for long however it is written. */
export interface Work {
  /**
   * @param units values and characters that are about to be looked at
   * @throws FailureError `limit_exceeded` beyond MAX_CHAIN_WORK
   */
  spend(units: number): void
}
