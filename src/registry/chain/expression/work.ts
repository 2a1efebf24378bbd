/** Counter of the work of expressions, so that none runs for long however it is written. */
export interface Work {
  /**
   * Counts work.
   * @param units values and characters about to be read
   * @throws FailureError `limit_exceeded` beyond MAX_CHAIN_WORK
   */
  spend(units: number): void
}
