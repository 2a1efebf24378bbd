/** Counts of `/v1/usage` that tell what did not go well. */
interface Counted {
  readonly failed: number
  readonly refused: number
  readonly reasons?: Readonly<Record<string, number>>
}

/** Commands that ended with another exit code than 0. The server counts them among no failures: their tool did its work. */
export const exitsOf = ({ reasons }: Counted): number => reasons?.nonzero_exit ?? 0

/** Calls that failed, as the console has the word: those that ended with an error, were refused, or ran a command that failed. */
export const failuresOf = (counted: Counted): number => counted.failed + counted.refused + exitsOf(counted)
