/**
 * Keeps calls away from services that do not answer. In the memory of one session: it counts what this session saw, and
 * forgets it with the object.
 */
export interface Circuits {
  /**
   * Before a service is asked.
   * @param key of what fails together: a tool
   * @returns to be told once how it was: `unknown` when the call ended for another reason
   * @throws FailureError `upstream` when it failed too often of late, saying when it is asked again
   */
  enter(key: string): (how: 'answered' | 'failed' | 'unknown') => void
}
