/** Work to time, made new for each call. @param caller number of the concurrent caller, from 0 */
export type Work = (caller: number) => Promise<unknown>

/** Middle value, in milliseconds. */
const p50 = (times: readonly number[]) => [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0

/** Each of `rounds` runs every work `perRound` times, `concurrent` of them at once. */
interface Size {
  readonly rounds: number
  readonly perRound: number
  readonly concurrent: number
}

/** Cost of one call, in milliseconds: `p50` is the median, and `processor` the mean processor time of the server's process. */
interface Cost {
  readonly p50: number
  readonly processor: number
}

/**
 * Times several kinds of work in turns, so that whatever else the machine does meets them alike.
 * @param rest what is waited for before the named work of each round, untimed
 * @returns p50 in milliseconds of one call, by name
 */
export async function compare<Name extends string>(
  works: Readonly<Record<Name, Work>>,
  size: Size,
  progress: (done: number) => void,
  rest: (name: Name) => Promise<void> = async () => {},
): Promise<Record<Name, number>> {
  const costs = await compareCosts(works, size, () => 0, progress, rest)
  const names = Object.keys(works) as Name[]
  return Object.fromEntries(names.map((name) => [name, costs[name].p50])) as Record<Name, number>
}

/** Times and processor time of works side by side, as {@link compare}. @param processorMs what the server's process has had of the processor until now, in milliseconds */
export async function compareCosts<Name extends string>(
  works: Readonly<Record<Name, Work>>,
  { rounds, perRound, concurrent }: Size,
  processorMs: () => number,
  progress: (done: number) => void,
  rest: (name: Name) => Promise<void> = async () => {},
): Promise<Record<Name, Cost>> {
  const names = Object.keys(works) as Name[]
  const times = new Map(names.map((name) => [name, [] as number[]]))
  const processor = new Map(names.map((name) => [name, 0]))
  for (let round = 0; round < rounds; round++) {
    for (const name of names) {
      const left = { count: perRound }
      await rest(name)
      const before = processorMs()
      await Promise.all(
        Array.from({ length: concurrent }, async (_, caller) => {
          while (left.count-- > 0) {
            const start = performance.now()
            await works[name](caller)
            // The first round warms up.
            if (round > 0) times.get(name)?.push(performance.now() - start)
          }
        }),
      )
      if (round > 0) processor.set(name, (processor.get(name) ?? 0) + processorMs() - before)
    }
    progress((round + 1) / rounds)
  }
  const costOf = (name: Name): Cost => {
    const all = times.get(name) ?? []
    return { p50: p50(all), processor: (processor.get(name) ?? 0) / all.length }
  }
  return Object.fromEntries(names.map((name) => [name, costOf(name)])) as Record<Name, Cost>
}
