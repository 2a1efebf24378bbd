/** Permission to work on one request. Its methods are called by that request alone. */
export interface Permit {
  /**
   * Releases the request's slots, as it begins to wait for something else than the thread, e.g. a command, a service, a
   * person. Further calls do nothing.
   * @throws FailureError `rate_limited` when its tenant has MAX_LONG_REQUESTS of those
   */
  beginLongWait(): void
  /** Counts an event stream of the tenant. @returns a function that ends the counting @throws FailureError `rate_limited` */
  openStream(): () => void
  /** Ends the permit after the request was answered. Further calls do nothing. */
  release(): void
}

/** Permit of a request that nobody counts. */
export const UNCOUNTED: Permit = { beginLongWait() {}, openStream: () => () => {}, release() {} }
