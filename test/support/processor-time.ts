/**
 * Processor time of this thread, in milliseconds. For tests of what work costs: unlike a wall clock, it excludes the
 * machine's other work.
 */
export function processorMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** Characters that {@link plainPassMs} passes over at least: for fewer the clock is too coarse. */
const LEAST_CHARS = 1_000_000

/**
 * Processor time, in milliseconds, of one plain pass over a text of so many characters on this machine now: the measure for
 * work that must read such a text quickly. A text shorter than a million characters counts as that long.
 */
export function plainPassMs(chars: number): number {
  const text = 'plain text '.repeat(Math.ceil(Math.max(chars, LEAST_CHARS) / 11))
  const start = processorMs()
  let sum = 0
  for (const character of text) sum += character.length
  const took = processorMs() - start
  if (sum !== text.length) throw new Error('the pass left something out')
  return took
}
