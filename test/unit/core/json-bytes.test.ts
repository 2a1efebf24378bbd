import { expect, it } from 'vitest'
import { jsonBytes } from '../../../src/core/json-bytes.ts'

it.each([
  [{}],
  [[]],
  [null],
  [''],
  ['grün 文'],
  [-1.5e-9],
  [{ a: [1, true, null, { b: 'x' }], größe: 'y', c: [[], {}] }],
])('a value has as many bytes as its JSON: %j', (value) => {
  expect(jsonBytes(value)).toBe(new TextEncoder().encode(JSON.stringify(value)).length)
})
