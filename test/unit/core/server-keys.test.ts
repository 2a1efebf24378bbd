import { expect, it } from 'vitest'
import { serverKeys } from '../../../src/core/server-keys.ts'

it.each(['secrets-key-of-the-tests', 'x', 'with, a comma', 'k1=abc', '', ':abc', 'k 1:abc', 'k1:'])(
  'a text without ids is one key, as it stands: %s',
  (text) => {
    expect(serverKeys(text)).toEqual([{ id: null, text }])
  },
)

it('a list has ids, and its first key comes first', () => {
  expect(serverKeys('k2:b+/=, k1:a:b c')).toEqual([
    { id: 'k2', text: 'b+/=' },
    { id: 'k1', text: 'a:b c' },
  ])
})

it('a list of one may be a key from before there were ids: as a whole it opens too', () => {
  expect(serverKeys('k1:abc')).toEqual([
    { id: 'k1', text: 'abc' },
    { id: null, text: 'k1:abc' },
  ])
})

it.each(['k1:a,b', 'a,k1:b', 'k1:a,', 'k1:a,k1:b', 'k1:a,k2:b,k3:c,k4:d,k5:e'])(
  'a list with a mistake is refused by no word of a key: %s',
  (text) => {
    expect(() => serverKeys(text)).toThrow(/^(key \d of \d has no id|two keys have one id|5 keys are given)/)
  },
)
