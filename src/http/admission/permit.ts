/** Leave to work on one request. Its methods are called by that request alone. */
export interface Permit {
  /**
   * Gives the request's slots back: it begins to wait for something else than the thread, e.g. a command, a service, a
   * person. Once is enough.
   * @throws FailureError `rate_limited` when its tenant has MAX_LONG_REQUESTS of those
   */
  beginLongWait(): void
  /** Counts an event stream of the tenant. @returns ends that @throws FailureError `rate_limited` */
  openStream(): () => void
  /** The request was answered. Once is enough. */
  release(): void
}
