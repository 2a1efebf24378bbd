import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { stem } from '../../../src/retrieval/stem.ts'

describe('the stem of a word', () => {
  it.each([
    ['caresses', 'caress'],
    ['ponies', 'poni'],
    ['cats', 'cat'],
    ['agreed', 'agre'],
    ['plastered', 'plaster'],
    ['motoring', 'motor'],
    ['hopping', 'hop'],
    ['falling', 'fall'],
    ['filing', 'file'],
    ['happy', 'happi'],
    ['relational', 'relat'],
    ['vietnamization', 'vietnam'],
    ['sensibiliti', 'sensibl'],
    ['electriciti', 'electr'],
    ['adjustment', 'adjust'],
    ['adoption', 'adopt'],
    ['controll', 'control'],
    ['yes', 'ye'],
    ['yoyo', 'yoyo'],
  ])("%s is what Porter's paper says, %s", (word, expected) => {
    expect(stem(word)).toBe(expected)
  })

  it.each(['as', 'h2o', 'naïve', 'größen', 'β', '9700', '__proto__', ''])('%j is given back as it is', (word) => {
    expect(stem(word)).toBe(word)
  })

  it('stays what stored indexes were made with', () => {
    const hash = createHash('sha256')
    for (const word of MADE_UP) hash.update(`${word} ${stem(word)}\n`)
    // Another value means another search over what is stored: papers would have to be indexed anew.
    expect([MADE_UP.length, hash.digest('hex').slice(0, 16)]).toEqual(RECORDED)
  })
})

const BASES =
  'a be sk yt cr ye oy ell rat bly siz plan agree contr trans hop fil conform vietnam commun elect oper revis depend probab'
const SUFFIXES =
  ' s es ies sses eed ed ing y ly ational tional enci anci izer bli alli entli eli ousli ization ation ator alism iveness ' +
  'fulness ousness aliti iviti biliti logi icate ative alize iciti ical ful ness al ance ence er able ible ant ement ment ' +
  'ent sion tion ou ism ate iti ous ive ize e ll'
const MADE_UP = BASES.split(' ').flatMap((base) =>
  SUFFIXES.split(' ').flatMap((first) => ['', 's', 'ed', 'ly', 'ing'].map((last) => base + first + last)),
)
const RECORDED = [7375, 'f83ab35e3128be6a']
