import { describe, expect, it } from 'vitest'
import { MAX_PATTERN_NESTING, MAX_SEARCH_WORK } from '../../../../../src/core/limits/finding.ts'
import { matchingLines } from '../../../../../src/tools/files/pattern/matching-lines.ts'
import { parsePattern } from '../../../../../src/tools/files/pattern/parse.ts'
import { compileLinePattern } from '../../../../../src/tools/files/pattern/pattern.ts'
import { matchPlaces } from '../../../../../src/tools/files/pattern/places.ts'
import { WorkMeter } from '../../../../../src/tools/files/pattern/work-meter.ts'
import { randomOf } from '../../../../support/random.ts'

/** Where a pattern matches in a line. */
function places(source: string, line: string, fold = false): number[] {
  const search = matchPlaces(line, compileLinePattern(parsePattern(source, fold), new WorkMeter(1e9)), 1_000)
  let step = search.next()
  while (!step.done) step = search.next()
  return step.value
}

/** Numbers of the lines that match, and how often the search paused. */
function scan(source: string, text: string, limit = MAX_SEARCH_WORK) {
  const meter = new WorkMeter(limit)
  const numbers: number[] = []
  let pauses = 0
  for (const line of matchingLines(text, compileLinePattern(parsePattern(source, false), meter))) {
    if (line) numbers.push(line.number)
    else if (meter.isExhausted) return { numbers, pauses, exhausted: true }
    else {
      pauses += 1
      meter.resume()
    }
  }
  return { numbers, pauses, exhausted: false }
}

describe('a regular expression', () => {
  it.each([
    ['a|ab', 'abab', [0, 2]],
    ['(?:a|ab)(?:c|bcd)', 'abcd', [0]],
    ['a*?b', 'aab', [0]],
    ['\\bfoo\\b', 'foo food foo', [0, 9]],
    ['^\\s*def \\w+\\(', '    def run(self):', [0]],
    ['[[:digit:]]{2,3}', '1 22 4444', [2, 5]],
    ['[^a-c]', 'abcd', [3]],
    ['[]a]', ']a', [0, 1]],
    ['\\p{Han}+', 'ab中文c', [2]],
    ['\\PL', 'a1', [1]],
    ['\\x41\\x{1F600}\\u0042', 'A😀B', [0]],
    ['.', '😀b', [0, 2]],
    ['\\Qa.b\\E+', 'a.bb a+b', [0]],
    ['(?i:É)x', 'éx Éx éX', [0, 3]],
    ['x{0}y', 'xy', [1]],
    ['a{,2}', 'a{,2}', [0]],
    ['$', 'ab', [2]],
    ['(?P<name>a)(?<other>b)', 'ab', [0]],
    ['(?U)a+', 'aa', [0, 1]],
  ])('%s is found in "%s" at %j', (source, line, expected) => {
    expect(places(source, line)).toEqual(expected)
  })

  it('takes cases for the same as Unicode has them: the Kelvin sign for k, the long s for s', () => {
    expect(places('KS', 'ks \u212a\u017f', true)).toEqual([0, 3])
    expect(places('[k-s]', '\u212a', true)).toEqual([0])
    expect(places('[^k]', 'K\u212a', true)).toEqual([])
  })

  it.each([
    ['(?=a)', /looks around/],
    ['(a)\\1', /back references/],
    ['a**', /two repeats/],
    ['*a', /nothing stands before/],
    ['(a', /has no "\)"/],
    ['a)', /without its "\("/],
    ['[a', /has no "\]"/],
    ['[z-a]', /ends before it begins/],
    ['a{1001}', /MAX_PATTERN_REPEATS/],
    ['\\y', /has no meaning/],
    ['\\p{Klingon}', /no known property/],
    ['a\\', /ends with a backslash/],
    ['(a{1000}){1000}', /MAX_PATTERN_STATES/],
    ['((((()){1000}){1000}){1000}){1000}', /MAX_PATTERN_STATES/],
    ['('.repeat(MAX_PATTERN_NESTING + 1), /MAX_PATTERN_NESTING/],
    ['a\nb', /one line/],
  ])('%s is refused, and the reason named', (source, reason) => {
    expect(() => places(source, 'a')).toThrow(reason)
  })

  it('finds what the engine of the language finds, at the same places, for patterns drawn at random', () => {
    const draw = randomOf(58)
    const pick = <T>(list: readonly T[]) => list[Math.floor(draw() * list.length)] as T
    const atoms = ['a', 'b', 'c', '.', '\\b', '^', '$', '[ab]', '[^a]', '\\w', '\\d', 'é', '😀', '\\B', '[a-c]']
    const repeats = ['*', '+', '?', '*?', '+?', '??', '{2}', '{1,3}', '{0,2}?', '{2,}']
    const pattern = (depth: number): string => {
      const kind = depth === 0 ? 0 : Math.floor(draw() * 10)
      if (kind < 4) return pick(atoms)
      if (kind < 7) return pattern(depth - 1) + pattern(depth - 1)
      if (kind < 8) return `(?:${pattern(depth - 1)}|${pattern(depth - 1)})`
      // Only one character is repeated: of a group that may be empty the two engines have other ideas.
      return `${pick(['a', 'b', '[ab]', '.', '\\w', '(?:ab)', '(?:a|bc)'])}${pick(repeats)}`
    }
    for (let n = 0; n < 1_000; n++) {
      const source = pattern(4)
      const line = Array.from({ length: Math.floor(draw() * 14) }, () =>
        pick(['a', 'b', 'c', 'A', '1', ' ', 'é', '😀']),
      ).join('')
      const found = [...line.matchAll(new RegExp(source, 'gu'))].map(({ index }) => index)
      // That engine also finds nothing at all in the middle of a character of two units.
      const expected = found.filter((at) => !/[\udc00-\udfff]/.test(line.charAt(at)))
      expect({ source, line, places: places(source, line) }).toEqual({ source, line, places: expected })
    }
  })
})

describe('a search over lines', () => {
  it('counts them as file_read does, and does not look beyond their ends', () => {
    expect(scan('^b$', 'a\nb\n\nb').numbers).toEqual([2, 4])
    expect(scan('^$', 'a\n\n').numbers).toEqual([2])
    expect(scan('b', 'a\fb\u2028b').numbers).toEqual([2, 3])
    expect(scan('a.b|a\\sb', 'a\nb').numbers).toEqual([])
    expect(scan('', '').numbers).toEqual([])
  })

  it.each([
    ['(a+)+$', `${'a'.repeat(1_000_000)}b`],
    ['(a|a)*b', 'a'.repeat(1_000_000)],
    ['(x+x+)+y', 'x'.repeat(1_000_000)],
    ['(.*)*(.*)*(.*)*z', 'x'.repeat(1_000_000)],
    [`${'a?'.repeat(60)}${'a'.repeat(60)}b`, 'a'.repeat(1_000_000)],
    [`(?:${Array.from({ length: 150 }, (_, n) => `w${n}`).join('|')})z`, 'w1w2w3 '.repeat(150_000)],
  ])('%s goes once over a line that a backtracking engine does not leave, with pauses', (source, text) => {
    const { numbers, pauses, exhausted } = scan(source, text)
    expect({ numbers, exhausted }).toEqual({ numbers: [], exhausted: false })
    expect(pauses).toBeGreaterThan(2)
  })

  it('pauses while a class of hundreds of ranges is asked about thousands of characters', () => {
    const character = (codePoint: number) => String.fromCodePoint(codePoint)
    const ranges = Array.from({ length: 300 }, (_, n) => `${character(0x4e00 + 3 * n)}-${character(0x4e01 + 3 * n)}`)
    const text = Array.from({ length: 6_000 }, (_, n) => character(0xe000 + n)).join('')
    expect(scan(`(?i)[${ranges.join('')}]`, text)).toMatchObject({
      numbers: [],
      pauses: expect.toSatisfy((n) => n > 50),
    })
  })

  it('gives up on a pattern with more states than a table holds, instead of growing or going on', () => {
    const draw = randomOf(58)
    const text = Array.from({ length: 200_000 }, () => (draw() < 0.5 ? 'a' : 'b')).join('')
    expect(scan('[ab]*a[ab]{900}c', text, 20_000_000)).toMatchObject({ numbers: [], exhausted: true })
  })
})
