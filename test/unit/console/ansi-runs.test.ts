import { describe, expect, it } from 'vitest'
import { type AnsiRun, ansiRunsOf } from '../../../src/console/parts/ansi-runs.ts'
import { costOf, expectCost } from '../../support/processor-time.ts'

const run = (text: string, look = ''): AnsiRun => ({ text, look })
const textOf = (runs: readonly AnsiRun[]) => runs.map(({ text }) => text).join('')

describe('text of a terminal', () => {
  it.each([
    ['plain', [run('plain')]],
    ['\u001b[31mred\u001b[0m not', [run('red', 'ansi-red'), run(' not')]],
    [
      '\u001b[1;4;92mall\u001b[24m less',
      [run('all', 'ansi-green ansi-bold ansi-under'), run(' less', 'ansi-green ansi-bold')],
    ],
    ['\u001b[31mone\u001b[K\u001b[31m piece', [run('one piece', 'ansi-red')]],
    ['a\u001b[2J\u001b]0;title\u0007b\u001b]8;;x:y\u001b\\c', [run('abc')]],
    ['a\u0007\b\u009b\tb\r\nc\rd', [run('a\tb\nc\nd')]],
    ['\u001b[38;5;31mof a palette', [run('of a palette')]],
    ['\u001b[', []],
  ])('of %j has the colours and weights, and no other sequences', (text, runs) => {
    expect(ansiRunsOf(text)).toEqual(runs)
  })

  it('has at most as many runs as are wanted, and all of its text', () => {
    const wild = '\u001b[31ma\u001b[32mb'.repeat(10_000)
    for (const max of [0, 1, 2, 3, 100]) {
      const runs = ansiRunsOf(wild, max)
      expect(runs).toHaveLength(Math.max(1, max))
      expect(textOf(runs)).toBe('ab'.repeat(10_000))
      expect(runs.at(-1)?.look).toBe('')
    }
    expect(textOf(ansiRunsOf(wild))).toBe('ab'.repeat(10_000))
  })

  it.each(['\u001b', '\u001b[', '\u001b]', '\u001b[31m', '\u001b[31ma\u001b[32mb', '\u001b]\u001b', '\r', '\u0007'])(
    'of %j over and over is read about as fast as usual output',
    async (piece) => {
      const length = 200_000
      const hostile = piece.repeat(length / piece.length)
      const line = '\u001b[32mok\u001b[0m a test\n'
      const usual = line.repeat(length / line.length)
      await expectCost(() => ansiRunsOf(hostile), { below: async () => 20 * (await costOf(() => ansiRunsOf(usual))) })
    },
  )
})
