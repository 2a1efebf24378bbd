/**
 * Error for a path that leads to nothing. `??`, `has` and the like accept it; elsewhere it is a mistake, and the message names
 * it.
 */
export class MissingError extends Error {
  override readonly name: string = 'MissingError'
}

/** Error for a path to the result of a step that was skipped, or that failed and let the chain go on. */
export class NotThereError extends MissingError {
  override readonly name = 'NotThereError'
}

/** Property of a step in expressions: the reason why it has no result. */
export const WHY_NO_RESULT = Symbol('why there is no result')
