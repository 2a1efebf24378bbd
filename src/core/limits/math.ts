/** Calculations. */

/** An expression to be calculated: a person's formula has a hundred. */
export const MAX_EXPRESSION_CHARS = 10_000
/** Brackets and signs within each other in an expression: reading it is recursive. */
export const MAX_EXPRESSION_DEPTH = 100
/** A whole number in a calculation: 20,000 digits, multiplied in well under a millisecond. */
export const MAX_INTEGER_BITS = 65_536
