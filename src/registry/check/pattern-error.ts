/** Why a pattern cannot be used, and what to do instead. */
export class PatternError extends Error {
  override readonly name = 'PatternError'
}
