/**
 * Circuit breakers that keep calls away from failing services. They are in the memory of one session, count what this session
 * saw, and end with its object.
 */
export interface Circuits {
  /**
   * Asks before a request to a service.
   * @param target where it is: a tool that is sent elsewhere now begins anew
   * @returns to be called once with the result: `unknown` when the call ended for another reason
   * @throws FailureError `upstream` when the service failed too often of late, saying when it is tried again
   */
  enter(tool: string, target: string): (how: 'answered' | 'failed' | 'unknown') => void
}
