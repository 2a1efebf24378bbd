/** Calculations. */

/** Length of an expression to calculate: a person's formula has a hundred. */
export const MAX_EXPRESSION_CHARS = 10_000
/** Depth of brackets and operators in an expression: reading it is recursive. */
export const MAX_EXPRESSION_DEPTH = 100
/** Size of a whole number in a calculation: 20,000 digits, multiplied in well under a millisecond. */
export const MAX_INTEGER_BITS = 65_536
