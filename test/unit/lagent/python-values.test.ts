import { describe, expect, it } from 'vitest'
import { BaseParser, Float, Tuple, TupleParser, toStr } from '../../../src/lagent/index.ts'
import { expectCost, plainPassMs } from '../../support/processor-time.ts'

const parser = new TupleParser({
  name: 'f',
  description: '',
  parameters: [{ name: 'value', type: 'STRING', description: '' }],
  required: ['value'],
})
/** The value that stands for the only argument. */
const literal = (text: string) => (parser.parseInputs(`(${text},)`) as { value: unknown }).value

describe('Python literals', () => {
  it.each([
    ['0', 0],
    ['1_000', 1000],
    ['-5', -5],
    ['+5', 5],
    ['0x_ff', 255],
    ['0o17', 15],
    ['0b101', 5],
    ['00', 0],
    ['.5', 0.5],
    ['5.', 5],
    ['1e-3', 0.001],
    ['1_0.2_5E+1', 102.5],
    ['-12345678901234567890', -12345678901234567890n],
    ['None', null],
    ['True', true],
    ['False', false],
    ['"a"', 'a'],
    ["'it\\'s'", "it's"],
    [`"a" 'b' """c"""`, 'abc'],
    ['"""a\n"b" \'c\'"""', 'a\n"b" \'c\''],
    ["''", ''],
    ['""""""', ''],
    ['"\\n\\t\\\\\\a\\x41\\101\\u00e9\\U0001F600\\q"', '\n\t\\\x07AAé😀\\q'],
    ['"a\\\nb"', 'ab'],
    ['r"\\n\\""', '\\n\\"'],
    ['u"x"', 'x'],
    ['b"a\\xff\\u0041"', Uint8Array.of(0x61, 0xff, 0x5c, 0x75, 0x30, 0x30, 0x34, 0x31)],
    ['Rb"\\n"', Uint8Array.of(0x5c, 0x6e)],
    ['[1, [2], ]', [1, [2]]],
    ['()', []],
    ['(1)', 1],
    ['(1,)', [1]],
    ['{}', {}],
    ['{"a": 1, "b": {"c": ()},}', { a: 1, b: { c: [] } }],
    [
      '{1: "a", None: 2}',
      new Map<unknown, unknown>([
        [1, 'a'],
        [null, 2],
      ]),
    ],
    ['{1, 2, 2}', new Set([1, 2])],
    ['set()', new Set()],
    ['[1, # one\n 2]', [1, 2]],
  ])('reads %s', (text, value) => {
    expect(literal(text)).toEqual(value)
  })

  it('tells tuples from lists', () => {
    expect(literal('(1, [2])')).toStrictEqual(Tuple.of<unknown>(1, [2]))
  })

  it('reads a tuple without brackets, and blank lines around one', () => {
    expect(parser.parseInputs('5,')).toEqual({ value: 5 })
    expect(parser.parseInputs('\n("x",)\n# end\n')).toEqual({ value: 'x' })
    expect(parser.parseInputs(' \t("x",) ')).toEqual({ value: 'x' })
  })

  it.each(['\n ("x",)', '\n\n\t("x",)', '("x",)\n  '])('refuses a line that is indented: %j', (text) => {
    expect(() => parser.parseInputs(text)).toThrow(/^invalid tuple format: /)
  })

  it.each([
    ['1j', '1j'],
    ['-1.5J', '(-0-1.5j)'],
    ['1 - 2j', '(1-2j)'],
    ['-1_0 + 01j', '(-10+1j)'],
    ['{1 + 0j: ...}', '{(1+0j): Ellipsis}'],
  ])('keeps %s, which JavaScript has not, to be printed', (text, printed) => {
    expect(toStr(literal(text))).toBe(printed)
  })

  it.each([
    ...[
      '01',
      '1__0',
      '1_',
      '0x',
      '1a',
      '1.2.3',
      '1jx',
      '--1',
      '-"a"',
      '-True',
      '1 + 1',
      '1j + 1',
      '1 + 2j + 3j',
      'x',
      'int()',
      'f"x"',
    ],
    ...[
      '"a',
      '"a\nb"',
      '"\ud800"',
      '"\\x4"',
      '"\\ud8"',
      '"\\U00110000"',
      '"\\N{BULLET}"',
      'b"é"',
      'b"a" "b"',
      "'''a''",
      '{[1]}',
    ],
    ...[
      '{([1],)}',
      '{1: 2, 3}',
      '{1, 2: 3}',
      '{{}: 1}',
      '[1 2]',
      '[,]',
      '(,)',
      '1 if 1 else 2',
      'a.b',
      '"a" % 1',
      '\0',
      '__import__("os")',
    ],
  ])('refuses %s', (text) => {
    expect(() => literal(text)).toThrow(/^invalid tuple format: /)
  })

  it('refuses a text that goes on after the value', () => {
    for (const text of ['("x",) y', '("x",)\n("y",)', '("x",);', '"x",\n"y"']) {
      expect(() => parser.parseInputs(text)).toThrow(/^invalid tuple format: /)
    }
  })

  it('refuses ten thousand brackets, and reads a megabyte, in a moment', async () => {
    await expectCost(
      () => {
        for (const open of ['(', '[', '{1:', '-(']) expect(() => literal(open.repeat(10_000))).toThrow(/^invalid tuple/)
        expect(literal(`"${'a'.repeat(1_000_000)}"`)).toHaveLength(1_000_000)
        expect(literal(`"${'\\n'.repeat(500_000)}"`)).toHaveLength(500_000)
        expect(() => literal(`${'"a" '.repeat(200_000)}+`)).toThrow(/^invalid tuple/)
      },
      { below: () => 300 * plainPassMs(1_000_000) },
    )
  })
})

describe("Python's text of values", () => {
  it.each([
    [null, 'None'],
    [true, 'True'],
    [10, '10'],
    [0.1, '0.1'],
    [1e22, '1e+22'],
    [-12345678901234567000, '-1.2345678901234567e+19'],
    [2 ** 53, '9007199254740992.0'],
    [-0, '0'],
    [[new Float(10), new Float(-0), new Float(1e16)], '[10.0, -0.0, 1e+16]'],
    [0.00001, '1e-05'],
    [1.5e-7, '1.5e-07'],
    [0.00012, '0.00012'],
    [Number.NaN, 'nan'],
    [-Infinity, '-inf'],
    [12345678901234567890n, '12345678901234567890'],
    [['it', "it's", `it's "it"`], `['it', "it's", 'it\\'s "it"']`],
    [['\n\t\x00\x7f\u00a0\u200b😀é\\'], `['\\n\\t\\x00\\x7f\\xa0\\u200b😀é\\\\']`],
    [Tuple.of(), '()'],
    [Tuple.of(1), '(1,)'],
    [Tuple.of<unknown>(1, [2]), '(1, [2])'],
    [[{ a: 1, 'b c': null }], "[{'a': 1, 'b c': None}]"],
    [new Set(), 'set()'],
    [new Set([1, 'a']), "{1, 'a'}"],
    [[Uint8Array.of(0x61, 0x0a, 0xff, 0x27)], `[b"a\\n\\xff'"]`],
  ])('%# is as Python prints it', (value, text) => {
    expect(toStr(value)).toBe(text)
  })

  it('has floats in the JSON of a dict too', () => {
    const [item] = new BaseParser({ name: 'f', description: '', parameters: [], required: [] }).parseOutputs({
      whole: new Float(10),
      huge: new Float(Number.POSITIVE_INFINITY),
      int: 10,
    })
    expect(item?.content).toBe('{"whole": 10.0, "huge": Infinity, "int": 10}')
  })
})
