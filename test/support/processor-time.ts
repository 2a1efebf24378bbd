import { expect } from 'vitest'

/** Rounds of a comparison, at most: the last one's failure is the comparison's. */
const ROUNDS = 5

/** A measure of what work costs: processor time ({@link costOf}), the clock's (`elapsedMs`), memory (`grownMib`). */
export type Measure<Result = unknown> = (work: () => Promise<Result>) => number | Promise<number>

export interface Bound<Result, State = void> {
  /**
   * The most that the work may cost, taken again in each round right after the work. A yardstick is measured in here, so that
   * both are measured on the same machine, as warm as each other and beside the same other work.
   */
  below(state: State): number | Promise<number>
  /** State that each round's work begins with, where the work changes it: made for the round, and not measured. */
  fresh?(): State | Promise<State>
  /** Measure of the work, or of its result: processor time, unless another one is given. */
  readonly measure?: Measure<Result>
}

/**
 * Expects work to cost less than a bound, in one of five rounds. What disturbs a measurement, such as a garbage collection, code that is
 * compiled meanwhile or another process, disturbs some rounds; work that costs too much is over the bound in each. The first
 * round within it is the last one made. What the work itself expects must hold in each round.
 * @returns what the work gave in the last round
 *
 * ```ts
 * await expectCost(() => parse(hostile), { below: async () => 3 * (await costOf(() => parse(plain))) })
 * ```
 */
export async function expectCost<Result, State = void>(
  work: (state: State) => Result,
  { below, fresh, measure = costOf }: Bound<Awaited<Result>, State>,
): Promise<Awaited<Result>> {
  const rounds: string[] = []
  for (;;) {
    const state = (await fresh?.()) as State
    const done: Awaited<Result>[] = []
    const cost = await measure(async (): Promise<Awaited<Result>> => {
      done.push(await work(state))
      return done[0] as Awaited<Result>
    })
    const bound = await below(state)
    rounds.push(`${cost.toFixed(1)} (below ${bound.toFixed(1)})`)
    if (cost >= bound && rounds.length < ROUNDS) continue
    expect(cost, `cost in each round: ${rounds.join(', ')}`).toBeLessThan(bound)
    return done[0] as Awaited<Result>
  }
}

/** Processor time of this thread that work takes, in milliseconds: unlike a wall clock, it excludes other processes. */
export async function costOf(work: () => unknown): Promise<number> {
  const start = processorMs()
  await work()
  return processorMs() - start
}

function processorMs(): number {
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
