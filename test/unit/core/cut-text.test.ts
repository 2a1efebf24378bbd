import { describe, expect, it } from 'vitest'
import { endOf, shownLength, startOf } from '../../../src/core/cut-text.ts'

describe('a text is cut', () => {
  it.each([
    ['short', 10, 'short', 'short'],
    ['abcdef', 3, 'abc', 'def'],
    ['abcdef', 0, '', ''],
    ['', 5, '', ''],
    ['a😀😀b', 2, 'a', 'b'],
    ['a😀😀b', 3, 'a😀', '😀b'],
    ['a\u0000b', 6, 'a', 'b'],
    ['a\u0000b', 7, 'a\u0000', '\u0000b'],
    ['line\nline\t"\\', 11, 'line\nline\t"', 'ine\nline\t"\\'],
  ])('%j to %i characters: its start %j, its end %j', (text, chars, start, end) => {
    expect([startOf(text, chars), endOf(text, chars)]).toEqual([start, end])
  })

  it('to no more than that in JSON, whatever is in it', () => {
    const texts = ['\u0001'.repeat(5_000), `${'x'.repeat(990)}${'\u001f'.repeat(500)}`, '😀\u0007'.repeat(1_000)]
    for (const text of texts) {
      for (const cut of [startOf(text, 1_000), endOf(text, 1_000)]) {
        expect(JSON.stringify(cut).length - 2).toBeLessThanOrEqual(1_000)
        expect(JSON.stringify(cut).length - 2).toBeGreaterThan(900)
        expect(cut.isWellFormed()).toBe(true)
        expect(shownLength(cut)).toBe(JSON.stringify(cut).length - 2)
      }
    }
  })
})
