import { describe, expect, it } from 'vitest'
import { readView } from '../../../../../src/tools/files/results/view.ts'

const show = (view: string, text: string, tokens = 1_000, data: Record<string, unknown> = {}) =>
  readView(view)({ text, data }, tokens)
const numbered = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}`).join('\n')

describe('a view of a text', () => {
  it('is the whole while it fits, else its head, its tail, or both, and says how much is left out', () => {
    expect(show('head', 'short')).toEqual({ text: 'short', tokens: 2, wholeTokens: 2, isWhole: true })
    const text = numbered(5_000)
    for (const view of ['head_tail', 'head', 'tail']) {
      const shown = show(view, text, 100)
      expect(shown.tokens).toBeLessThanOrEqual(100)
      expect(shown.isWhole).toBe(false)
      expect(shown.text.startsWith('line 1\n')).toBe(view !== 'tail')
      expect(shown.text.endsWith('line 5000')).toBe(view !== 'head')
      const [, left] = /\[(\d+) characters left out\]/.exec(shown.text) ?? []
      expect(Number(left)).toBeGreaterThan(text.length - 400)
    }
  })

  it('keeps its budget in Chinese and emoji, and cuts no character in two', () => {
    for (const text of ['水獭在湖里'.repeat(1_000), '🦦'.repeat(5_000), 'a🦦水'.repeat(2_000)]) {
      for (const tokens of [16, 17, 50, 333]) {
        const shown = show('head_tail', text, tokens)
        expect(shown.tokens).toBeLessThanOrEqual(tokens)
        expect(shown.text.isWellFormed()).toBe(true)
      }
    }
  })
})

describe('grep:', () => {
  it('shows matching lines with their numbers and those around, and how many more there are', () => {
    expect(show('grep:^line (10|11|40)$', numbered(50)).text).toBe(
      '8-line 8\n9-line 9\n10:line 10\n11:line 11\n12-line 12\n13-line 13\n--\n38-line 38\n39-line 39\n40:line 40\n41-line 41\n42-line 42',
    )
    expect(show('grep:absent', numbered(3)).text).toBe('[no line of 3 matches]')
    const many = show('grep:line', numbered(5_000), 60)
    expect(many.text).toMatch(/^1:line 1\n[\s\S]*\n\[49\d\d more matching lines\]$/)
    expect(many.tokens).toBeLessThanOrEqual(60)
    expect(show('grep:x', 'x'.repeat(10_000), 50).tokens).toBeLessThanOrEqual(50)
  })

  it('takes time by the length of the text, whatever the pattern', () => {
    const shown = show('grep:^(a+)+$|(a|a)*b|(.*a){30}$', `${'a'.repeat(200_000)}!`)
    expect(shown.text).toMatch(/^\[/)
  })

  it('refuses a pattern of ten thousand characters, one that is none, and an empty one', () => {
    for (const pattern of ['a'.repeat(10_000), '(', '', '(?=a)', 'a{100000}']) {
      expect(() => readView(`grep:${pattern}`)).toThrow()
    }
  })
})

describe('lines:', () => {
  it('shows lines of a range with their numbers, to the end, or the last ones, and which it leaves out', () => {
    expect(show('lines:2-3', numbered(5)).text).toBe('2:line 2\n3:line 3')
    expect(show('lines:4-', numbered(5)).text).toBe('4:line 4\n5:line 5')
    expect(show('lines:4', numbered(5)).text).toBe('4:line 4')
    expect(show('lines:-2', numbered(5)).text).toBe('4:line 4\n5:line 5')
    expect(show('lines:9-12', numbered(5)).text).toBe('[the text has 5 lines]')
    const some = show('lines:100-4000', numbered(5_000), 60)
    const [, next] = /\n\[lines:(\d+)-4000 are left out\]$/.exec(some.text) ?? []
    expect(some.text).toContain(`\n${Number(next) - 1}:line ${Number(next) - 1}\n`)
    expect(some.tokens).toBeLessThanOrEqual(60)
    expect(show('lines:1-2', 'x'.repeat(10_000), 50).tokens).toBeLessThanOrEqual(50)
  })

  it('refuses what is no range', () => {
    for (const range of ['', '-', '0', '3-2', 'a', '1-2-3', '-0']) expect(() => readView(`lines:${range}`)).toThrow()
  })
})

describe('jsonpath:', () => {
  const data = {
    matches: Array.from({ length: 10 }, (_, at) => ({ name: `n${at}`, "it's": at, deep: { name: 'inner' } })),
    'a b': null,
  }
  const at = (path: string, tokens = 1_000) => show(`jsonpath:${path}`, 't', tokens, data).text.split('\n')

  it.each([
    ['$.matches[0].name', ['"n0"']],
    ['$.matches[-1].name', ['"n9"']],
    ["$['a b']", ['null']],
    ["$.matches[2]['it\\'s', 'name']", ['2', '"n2"']],
    ['$["matches"][1:6:2].name', ['"n1"', '"n3"', '"n5"']],
    ['$.matches[8:].name', ['"n8"', '"n9"']],
    ['$.matches[2:0:-1].name', ['"n2"', '"n1"']],
    ['$.matches[::0]', ['[nothing there; the fields are matches, a b]']],
    ['$.matches[0, 1]..name', ['"n0"', '"inner"', '"n1"', '"inner"']],
    ['$.matches[0].*', ['"n0"', '0', '{"name":"inner"}']],
    ['$..absent', ['[nothing there; the fields are matches, a b]']],
    ['$.__proto__', ['[nothing there; the fields are matches, a b]']],
  ])('%s gives %j, one value a line', (path, values) => {
    expect(at(path)).toEqual(values)
  })

  it('shows as many values as fit, and the number of the others', () => {
    const shown = show('jsonpath:$..name', 't', 30, data)
    expect(shown.text).toMatch(/^"n0"\n[\s\S]*\n\[\d+ more values\]$/)
    expect(shown.tokens).toBeLessThanOrEqual(30)
  })

  it.each([
    'matches',
    '$.',
    '$[',
    '$[?(@.a)]',
    '$x',
    "$['a",
    '$[1e3]',
    `$${'.a'.repeat(60)}`,
    `$${'.a'.repeat(10_000)}`,
  ])('refuses %s, and says where', (path) => {
    expect(() => readView(`jsonpath:${path}`)).toThrow(/jsonpath: .* at character|MAX_VIEW_CHARS/)
  })

  it('ends for values ten thousand deep, and for paths that multiply', () => {
    let deep: unknown = 'end'
    for (let level = 0; level < 10_000; level++) deep = { down: deep }
    expect(show('jsonpath:$.deep', 't', 100, { deep }).tokens).toBeLessThanOrEqual(100)
    expect(show('jsonpath:$..down[0]', 't', 100, { deep }).text).toMatch(/nothing there/)
    expect(() => show('jsonpath:$..*..*..*', 't', 100, { deep })).toThrow(/MAX_PATH_WORK/)
    expect(() =>
      show('jsonpath:$..*..*..*..*', 't', 100, { list: Array.from({ length: 60_000 }, () => [[[1]]]) }),
    ).toThrow(/MAX_PATH_WORK/)
  })
})

it('a word that is no view is refused with those that are', () => {
  for (const view of ['', 'HEAD', 'grep', 'sed:x']) expect(() => readView(view)).toThrow(/give head_tail/)
})
