import { describe, expect, it } from 'vitest'
import { hunksOf } from '../../../../src/core/diff/hunks.ts'
import { diffLines } from '../../../../src/core/diff/line-diff.ts'
import { MAX_DIFF_FILE_LINES, MAX_DIFF_FILE_STEPS } from '../../../../src/core/limits/history.ts'
import { expectCost, plainPassMs } from '../../../support/processor-time.ts'
import { randomOf } from '../../../support/random.ts'

/** The new text, made of the old one and the runs that differ. */
function applied(before: readonly string[], after: readonly string[], runs: ReturnType<typeof diffLines>): string[] {
  const made: string[] = []
  let at = 0
  for (const { oldAt, oldLength, newAt, newLength } of runs) {
    made.push(...before.slice(at, oldAt))
    expect(made).toHaveLength(newAt)
    made.push(...after.slice(newAt, newAt + newLength))
    at = oldAt + oldLength
  }
  return [...made, ...before.slice(at)]
}

describe('the lines that differ', () => {
  it('turn the old text into the new one, whatever the texts and the bound on work', () => {
    const random = randomOf(11)
    const upTo = (n: number) => Math.floor(random() * n)
    for (let round = 0; round < 2_000; round++) {
      const line = () => `line ${upTo(1 + upTo(8))}`
      const before = Array.from({ length: upTo(30) }, line)
      const after =
        upTo(2) === 0
          ? Array.from({ length: upTo(30) }, line)
          : before.flatMap((one) => (upTo(5) === 0 ? [] : upTo(5) === 0 ? [one, line()] : [one]))
      const runs = diffLines(before, after, { left: upTo(3) === 0 ? upTo(20) : 1_000_000 })
      expect(applied(before, after, runs)).toEqual(after)
    }
  })

  it('are as few as can be for texts that differ little', () => {
    const before = Array.from({ length: 1_000 }, (_, n) => `${n % 7}`)
    const after = before.toSpliced(500, 1).toSpliced(100, 0, 'new')
    const runs = diffLines(before, after, { left: 1_000_000 })
    expect(runs.reduce((all, { oldLength, newLength }) => all + oldLength + newLength, 0)).toBe(2)
  })

  it('stand between the lines that occur once where the texts differ much', () => {
    const before = Array.from({ length: 4_000 }, (_, n) => `function ${n}`)
    const after = before.map((line, n) => (n % 2 === 0 ? line : `other ${n}`))
    expect(diffLines(before, after, { left: 1_000_000 })).toHaveLength(2_000)
  })

  const N = MAX_DIFF_FILE_LINES
  it.each([
    ['lines all alike', () => 'x', () => 'x', N - 1_000],
    ['lines of two kinds against three', (n: number) => `${n % 2}`, (n: number) => `${n % 3}`, N],
    ['lines in the opposite order', (n: number) => `${n}`, (n: number) => `${N - n}`, N],
    ['every other line changed', (n: number) => `${n}`, (n: number) => `${n % 2 ? n : -n}`, N],
    ['few kinds in no order', (n: number) => `${(n * 7_919) % 13}`, (n: number) => `${(n * 104_729) % 11}`, N],
  ])('cost no more than some passes over a text, also for %s', async (_, one, other, length) => {
    const before = Array.from({ length: N }, (_, n) => one(n)).join('\n')
    const after = Array.from({ length }, (_, n) => other(n)).join('\n')
    await expectCost(() => hunksOf(before, after, { left: MAX_DIFF_FILE_STEPS }), {
      below: () => 40 * plainPassMs(2_000_000),
    })
  })
})
