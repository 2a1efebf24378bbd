import { describe, expect, it } from 'vitest'
import { hashKey, newKey, parseKey, randomDigits } from '../../../src/auth/key.ts'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

describe('newKey()', () => {
  it('makes ty_, twelve characters of id, _, and 49 of secret and checksum', () => {
    expect(newKey().text).toMatch(/^ty_[0-9A-Za-z]{12}_[0-9A-Za-z]{49}$/)
  })

  it('never makes the same id or secret twice', () => {
    const keys = Array.from({ length: 2_000 }, newKey)
    expect(new Set(keys.map(({ id }) => id)).size).toBe(keys.length)
    expect(new Set(keys.map(({ text }) => text.slice(16))).size).toBe(keys.length)
  })

  it('draws every character of the alphabet about equally often', () => {
    const drawn = randomDigits(62_000)
    for (const digit of BASE62) {
      const times = drawn.split(digit).length - 1
      expect(times).toBeGreaterThan(800)
      expect(times).toBeLessThan(1_200)
    }
  })
})

describe('parseKey()', () => {
  it('reads back what newKey() made', () => {
    for (let round = 0; round < 500; round++) {
      const key = newKey()
      expect(parseKey(key.text)).toEqual(key)
    }
  })

  it('knows a key that was made before by the published form', () => {
    const key = 'ty_0123456789AB_0000000000000000000000000000000000000000001'
    expect(parseKey(`${key}${'0'.repeat(6)}`)).toBeNull()
    expect(parseKey('ty_0123456789AB_00000000000000000000000000000000000000000012iRs49')?.id).toBe('0123456789AB')
  })

  it('refuses a key with any one character changed', () => {
    const { text } = newKey()
    for (let at = 0; at < text.length; at++) {
      for (const digit of `${BASE62}_- é`) {
        if (digit === text[at]) continue
        expect(parseKey(text.slice(0, at) + digit + text.slice(at + 1)), `character ${at} → ${digit}`).toBeNull()
      }
    }
  })

  it('refuses a key with one character missing, doubled or swapped with its neighbour', () => {
    const { text } = newKey()
    for (let at = 0; at < text.length; at++) {
      const [one, two] = [text.slice(at, at + 1), text.slice(at + 1, at + 2)]
      expect(parseKey(text.slice(0, at) + text.slice(at + 1))).toBeNull()
      expect(parseKey(text.slice(0, at) + one + text.slice(at))).toBeNull()
      if (one !== two && two !== '') {
        expect(parseKey(text.slice(0, at) + two + one + text.slice(at + 2))).toBeNull()
      }
    }
  })

  it.each([
    '',
    ' ',
    'ty_',
    'ty__',
    'dev',
    'Bearer x',
    '\0',
    'ty_0123456789AB_',
    '../../etc/passwd',
    `ty_${'a'.repeat(100_000)}`,
  ])('refuses %j', (text) => {
    expect(parseKey(text)).toBeNull()
  })

  it('refuses a good key with anything around it', () => {
    const { text } = newKey()
    for (const around of [' ', '\n', '\0', '/', '"', 'x', 'ty_', '%20']) {
      expect(parseKey(around + text)).toBeNull()
      expect(parseKey(text + around)).toBeNull()
    }
  })

  it('refuses random strings of the right form', () => {
    for (let round = 0; round < 5_000; round++) {
      expect(parseKey(`ty_${randomDigits(12)}_${randomDigits(49)}`)).toBeNull()
    }
  })
})

describe('hashKey()', () => {
  it('is 32 bytes, the same each time, and another one for another key', async () => {
    const key = newKey()
    const hash = await hashKey(key)
    expect(hash).toHaveLength(32)
    expect(await hashKey(key)).toEqual(hash)
    expect(await hashKey(newKey())).not.toEqual(hash)
  })

  it('is another one for the same secret under another id', async () => {
    const { text } = newKey()
    const moved = { id: 'x'.repeat(12), text: `ty_${'x'.repeat(12)}${text.slice(15)}` }
    expect(await hashKey(moved)).not.toEqual(await hashKey({ id: '', text }))
  })
})
