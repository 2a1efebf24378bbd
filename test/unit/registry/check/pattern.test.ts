import { describe, expect, it } from 'vitest'
import { Pattern } from '../../../../src/registry/check/pattern.ts'

const free = () => {}
const found = (source: string, text: string) => new Pattern(source).foundIn(text, free)

/** Counts what a match costs. */
function workOf(source: string, text: string): number {
  let work = 0
  new Pattern(source).foundIn(text, (more) => {
    work += more
  })
  return work
}

const TEXTS = [
  ...[
    '',
    'a',
    'b',
    'ab',
    'aab',
    'abc',
    'aaa',
    'abab',
    'foo bar',
    'foo-bar_1',
    '2024-01-31',
    'A1',
    'x@y.example',
    ' ',
    '\n',
    'a\nb',
  ],
  ...[
    'äöü',
    '日本語',
    '😀',
    'a😀b',
    '{',
    '}',
    ']',
    '(',
    '\\',
    '.',
    '^$',
    'a{2}',
    '1.5',
    '-12',
    '٣',
    '\u2028',
    'aaaaaaaaaaaaaaaaab',
  ],
]

describe('a pattern', () => {
  it.each([
    ...[
      '',
      'a',
      'ab',
      '^a',
      'b$',
      '^$',
      '^ab$',
      'a|b',
      '^(a|b)*$',
      '(?:ab)+',
      '^(?<name>a)b',
      'a?b',
      'a*',
      'a+b',
      'a{2}',
      '^a{2,}$',
    ],
    ...[
      '^a{1,3}$',
      '^a{0}$',
      '.',
      '^.$',
      '^.{2,3}$',
      '[a-c]',
      '[^a-c]',
      '^[\\w.-]+@[\\w.-]+$',
      '\\d',
      '^\\d{4}-\\d{2}-\\d{2}$',
      '\\D',
      '\\s',
      '\\S',
    ],
    ...[
      '\\bfoo\\b',
      'o\\Bo',
      '^\\p{L}+$',
      '\\P{L}',
      '[\\p{L}\\d]',
      '\\u{1F600}',
      '\\uD83D\\uDE00',
      '^\\x61',
      '\\u0061',
      '\\n',
      '[\\n ]',
      '\\.',
      '\\/',
      '\\^\\$',
    ],
    ...[
      '\\{',
      '^(a|)b',
      '(a*)*b',
      '^(a+)+$',
      '((a|b)*c|d)?$',
      '[\\]]',
      '[]|a',
      '^(?:|a)$',
      'a+?b',
      'x*',
      '(?:)',
      '(?:){3}',
      '\\cJ',
      '\\0',
      '^[^]$',
      '[😀]',
    ],
  ])('%j finds what the engine finds', (source) => {
    const engine = new RegExp(source, 'u')
    for (const text of TEXTS) expect([text, found(source, text)]).toEqual([text, engine.test(text)])
  })

  it('may escape what need not be, as many do', () => {
    for (const [source, text] of [
      ['\\-\\_a', '-_a'],
      ['[\\-\\w]+\\@', 'x-y@'],
      ['a{', 'a{'],
      ['}', '}'],
      [']', ']'],
      ['a{,2}', 'a{,2}'],
    ] as const) {
      expect(found(source, text)).toBe(new RegExp(source).test(text))
    }
  })

  it.each(['(a+)+$', '(a|a)*$', '(a|aa)+$', '(.*a){20}$', '^(([a-z])+.)+[A-Z]([a-z])+$', '(x+x+)+y'])(
    '%s takes no longer the more ways there are',
    (source) => {
      const text = (length: number) => `${'ax'.repeat(length)}!`
      expect(workOf(source, text(2_000))).toBeLessThan(3 * workOf(source, text(1_000)))
    },
  )

  it.each([
    ['(?=a)', /looks ahead or behind/],
    ['(?<!a)b', /looks ahead or behind/],
    ['(a)\\1', /refers back/],
    ['(?<n>a)\\k<n>', /refers back/],
    ['(a', /no "\)"/],
    ['a)', /too many/],
    ['[a', /no "\]"/],
    ['[b-a]', /no set of characters/],
    ['*a', /nothing that "\*" could repeat/],
    ['a**', /could repeat/],
    ['a{3,1}', /wrong way round/],
    ['a{100000}', /minLength and maxLength/],
    ['(a{1000}){1000}', /MAX_PATTERN_STATES/],
    ['((((a{100}){100}){100}){100})', /MAX_PATTERN_STATES/],
    ['('.repeat(100_000), /MAX_PATTERN_DEPTH/],
    ['a\\', /single/],
    [`a${'|a'.repeat(100_000)}`, /MAX_PATTERN_STATES/],
  ])('%.40s is refused', (source, message) => {
    expect(() => new Pattern(source)).toThrow(message)
  })

  it('of nothing, any number of times, is made at once', () => {
    expect(found('(((){5000}){5000}){5000}a', 'a')).toBe(true)
  })
})
