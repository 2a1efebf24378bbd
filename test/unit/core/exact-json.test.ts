import { expect, it } from 'vitest'
import { parseExactly } from '../../../src/core/exact-json.ts'

it.each([
  ['9007199254740991', 9007199254740991],
  ['9007199254740993', '9007199254740993'],
  ['-12345678901234567890', '-12345678901234567890'],
  ['1000000000000000000', 1e18],
  [`1${'0'.repeat(400)}`, `1${'0'.repeat(400)}`],
  ['1e400', '1e400'],
  ['-1E+999', '-1E+999'],
  ['1e-400', 0],
  ['1.989e30', 1.989e30],
  ['0.12345678901234567890', 0.12345678901234568],
  [
    '{"a":[{"b":18446744073709551617,"c":"18446744073709551617"}],"d":1}',
    {
      a: [{ b: '18446744073709551617', c: '18446744073709551617' }],
      d: 1,
    },
  ],
])('%s keeps its digits, as text where a number would lose some', (text, value) => {
  expect(parseExactly(text)).toEqual(value)
})

it('has fields of any name', () => {
  const read = parseExactly('{"__proto__":9007199254740993}')
  expect(JSON.stringify(read)).toBe('{"__proto__":"9007199254740993"}')
})
