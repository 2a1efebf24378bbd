import { expect, it } from 'vitest'
import { utf8Length } from '../../../src/core/utf8-length.ts'

it.each([
  [''],
  ['plain'],
  ['grün 文 😀'],
  ['\ud83d'],
  ['\ude00\ud83d x'],
  ['\ud83d\ud83d\ude00'],
  ['😀'.repeat(256)],
  ['文'.repeat(2_000)],
])('a text has as many bytes as its encoding, however it is counted: %j', (text) => {
  expect(utf8Length(text)).toBe(new TextEncoder().encode(text).length)
})
