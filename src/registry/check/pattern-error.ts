/** Error of a pattern that cannot be used, with advice. */
export class PatternError extends Error {
  override readonly name = 'PatternError'
}
