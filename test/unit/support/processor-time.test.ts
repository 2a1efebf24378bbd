import { describe, expect, it } from 'vitest'
import { elapsedMs } from '../../support/elapsed.ts'
import { costOf, expectCost, plainPassMs } from '../../support/processor-time.ts'

/** A measure that gives the next of some numbers for each piece of work, after it has been done. */
function costing(...numbers: readonly number[]) {
  const left = [...numbers]
  return async (work: () => unknown) => {
    await work()
    return left.shift() ?? expect.fail('measured once more')
  }
}

describe('work that is compared with a bound', () => {
  it('passes at the first round within it, whatever disturbed those before', async () => {
    const measure = costing(184, 200, 190, 160, 139)
    await expectCost(() => undefined, { below: () => 140, measure })
    await expect(measure(() => undefined)).rejects.toThrow('measured once more')
    await expectCost(() => undefined, { below: () => 140, measure: costing(1) })
  })

  it('fails when it is over it in each of five rounds, and the error names them all', async () => {
    const measure = costing(10, 20, 30, 40.04, 50, 1)
    const bounds = [9, 20, 29, 40, 50]
    await expect(expectCost(() => undefined, { below: () => bounds.shift() ?? 0, measure })).rejects.toThrow(
      'cost in each round: 10.0 (below 9.0), 20.0 (below 20.0), 30.0 (below 29.0), 40.0 (below 40.0), 50.0 (below 50.0)',
    )
  })

  it('is measured beside its bound in each round, on a state of its own, and gives what it made', async () => {
    const made: string[] = []
    const given = await expectCost((state: { round: number }) => made.push(`work ${state.round}`), {
      fresh: async () => ({ round: made.push('fresh') }),
      below: ({ round }) => made.push(`bound ${round}`) && 5,
      measure: costing(5, 4),
    })
    expect(given).toBe(5)
    expect(made).toEqual(['fresh', 'work 1', 'bound 1', 'fresh', 'work 4', 'bound 4'])
  })

  it('is not done again when what it expects itself does not hold', async () => {
    let rounds = 0
    const wrong = expectCost(() => expect(++rounds).toBe(0), { below: () => 1e9 })
    await expect(wrong).rejects.toThrow('expected 1 to be +0')
  })

  it('fails when it costs more than as many passes over a text, and passes when it does not', async () => {
    const pass = () => plainPassMs(1_000_000)
    await expectCost(pass, { below: async () => 4 * (await costOf(pass)) })
    const slow = expectCost(pass, { below: () => pass() / 100 })
    await expect(slow).rejects.toThrow(/^cost in each round: (?:[\d.]+ \(below [\d.]+\)(?:, )?){5}/)
  })

  it('costs nothing of the processor while it waits, only of the clock', async () => {
    const wait = () => new Promise((resolve) => setTimeout(resolve, 50))
    await expectCost(wait, { below: () => 40 })
    await expect(expectCost(wait, { below: () => 40, measure: elapsedMs })).rejects.toThrow('cost in each round')
  })
})
