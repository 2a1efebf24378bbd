import { expect, it } from 'vitest'
import SCIENCE_TABLE from '../../../src/papers/science-dictionary.json' with { type: 'json' }
import TOOL_TABLE from '../../../src/retrieval/tool-dictionary.json' with { type: 'json' }

it.each([
  ['tools and tasks', TOOL_TABLE],
  ['science', SCIENCE_TABLE],
])('each Chinese word of %s has one line, and plain English words', (_, table) => {
  const words = Object.keys(table).flatMap((line) => line.split('/'))
  expect(words.length).toBeGreaterThan(300)
  expect(words.filter((word) => !/\p{Script=Han}/u.test(word) || /\s/.test(word))).toEqual([])
  expect(words.filter((word, at) => words.indexOf(word) !== at)).toEqual([])
  expect(Object.values(table).filter((english) => !/^[a-z0-9-]+(?: [a-z0-9-]+)*$/.test(english))).toEqual([])
})
