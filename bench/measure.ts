/** One thing to time, made new for each call. @param caller which of those who call at once, from 0 */
export type Work = (caller: number) => Promise<unknown>

/** Middle value, in milliseconds. */
const p50 = (times: readonly number[]) => [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0

/**
 * Times several kinds of work in turns, so that whatever else the machine does meets them alike.
 * @param rounds each runs every work `perRound` times, `concurrent` of them at once
 * @returns p50 in milliseconds of one call, by name
 */
export async function compare<Name extends string>(
  works: Readonly<Record<Name, Work>>,
  { rounds, perRound, concurrent }: { readonly rounds: number; readonly perRound: number; readonly concurrent: number },
  progress: (done: number) => void,
): Promise<Record<Name, number>> {
  const names = Object.keys(works) as Name[]
  const times = new Map(names.map((name) => [name, [] as number[]]))
  for (let round = 0; round < rounds; round++) {
    for (const name of names) {
      const left = { count: perRound }
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
    }
    progress((round + 1) / rounds)
  }
  return Object.fromEntries(names.map((name) => [name, p50(times.get(name) ?? [])])) as Record<Name, number>
}
