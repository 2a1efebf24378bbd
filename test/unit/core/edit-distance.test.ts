import { expect, it } from 'vitest'
import { editDistance } from '../../../src/core/edit-distance.ts'

it.each([
  ['', '', 0],
  ['abc', 'abc', 0],
  ['abc', 'abd', 1],
  ['abc', 'ab', 1],
  ['ab', 'abc', 1],
  ['raed', 'read', 1],
  ['ca', 'abc', 3],
  ['kitten', 'sitting', 3],
  ['', 'abc', 3],
])('%s is by that many errors away from %s: %i', (one, other, distance) => {
  expect(editDistance(one, other, 9)).toBe(distance)
  expect(editDistance(other, one, 9)).toBe(distance)
})

it('says of texts further apart than asked only that they are', () => {
  for (const most of [0, 1, 2]) expect(editDistance('kitten', 'sitting', most)).toBe(most + 1)
  expect(editDistance('kitten', 'sitting', 3)).toBe(3)
})
