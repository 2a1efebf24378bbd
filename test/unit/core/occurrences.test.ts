import { describe, expect, it } from 'vitest'
import { occurrences, unitsOf } from '../../../src/core/occurrences.ts'
import { randomOf } from '../../support/random.ts'

const found = (pattern: string, text: string, from = 0) => [...occurrences(unitsOf(pattern), unitsOf(text), from)]

describe('occurrences', () => {
  it('are those of indexOf, overlapping ones included, for any texts', () => {
    const random = randomOf(57)
    const word = (length: number) => Array.from({ length }, () => 'ab'[Math.floor(random() * 2)]).join('')
    for (let round = 0; round < 500; round++) {
      const [pattern, text] = [word(1 + Math.floor(random() * 6)), word(Math.floor(random() * 40))]
      const expected = Array.from(text, (_, at) => at).filter((at) => text.startsWith(pattern, at))
      expect(found(pattern, text), `${pattern} in ${text}`).toEqual(expected)
    }
  })

  it('begin where the search does', () => {
    expect(found('aa', 'aaaa', 1)).toEqual([1, 2])
    expect(found('a', '')).toEqual([])
  })

  it('cost the same for a long pattern that nearly fits everywhere as for a short one', () => {
    let read = 0
    const text = unitsOf('a'.repeat(200_000))
    const counted = { length: text.length, unit: (at: number) => text.unit(at + 0 * read++) }
    expect([...occurrences(unitsOf(`b${'a'.repeat(20_000)}`), counted)]).toEqual([])
    expect(read).toBe(text.length)
  })
})
