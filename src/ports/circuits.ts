/**
 * Keeps calls away from services that do not answer. In the memory of one session: it counts what this session saw, and
 * forgets it with the object.
 */
export interface Circuits {
  /**
   * Before a service is asked.
   * @param target where it is: a tool that is sent elsewhere now begins anew
   * @returns to be told once how it was: `unknown` when the call ended for another reason
   * @throws FailureError `upstream` when it failed too often of late, saying when it is asked again
   */
  enter(tool: string, target: string): (how: 'answered' | 'failed' | 'unknown') => void
}
