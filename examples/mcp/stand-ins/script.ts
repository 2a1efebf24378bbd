/** Call that every stand-in for a model makes. */
export const CALL = { name: 'execute_shell', args: { command: 'echo "The answer is $((6 * 7))."' } }

/** Answer of a stand-in: the sentence that the command printed, wherever it stands in a result. */
export function answer(result: unknown): string {
  return /The answer is \d+\./.exec(JSON.stringify(result))?.[0] ?? `no answer in ${JSON.stringify(result)}`
}
