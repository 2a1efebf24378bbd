/** A path leads to nothing. `??`, `has` and the like take it as an answer; elsewhere it is a mistake, and the message says which. */
export class MissingError extends Error {
  override readonly name: string = 'MissingError'
}

/** A path leads to what a step would have given that was skipped, or that failed and let the chain go on. */
export class NotThereError extends MissingError {
  override readonly name = 'NotThereError'
}

/** Of what stands for a step in expressions: why it has no result. */
export const WHY_NO_RESULT = Symbol('why there is no result')
