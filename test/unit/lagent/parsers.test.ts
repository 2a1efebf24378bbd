import { describe, expect, it } from 'vitest'
import { BaseParser, JsonParser, ParseError, Tuple, TupleParser } from '../../../src/lagent/index.ts'
import { expectCost, plainPassMs } from '../../support/processor-time.ts'
import { Bold, Kit } from './sample-actions.ts'

const json = (inputs: unknown, api = 'run', action = Bold) =>
  new JsonParser(new action().description).parseInputs(inputs, api)
const tuple = (inputs: unknown, api = 'run', action = Bold) =>
  new TupleParser(new action().description).parseInputs(inputs, api)
const refusal = (message: string) => new ParseError(message)

describe('JsonParser', () => {
  it.each([
    ['plain', '{"text": "x"}'],
    ['blanks around it', '  {"text": "x"}\n'],
    ['a block marked as JSON', '```json\n{"text": "x"}\n```'],
    ['blanks around the block', '  ```json\n{"text": "x"}\n```  \n'],
    ['a block that only ends', '{"text": "x"}\n```'],
    ['blanks in the block', '```json\n\n {"text": "x"} \n\n```'],
    ['what only Python takes for a blank', '\x1c```json\n\x85{"text": "x"}\n```\x1f'],
  ])('reads arguments: %s', (_, inputs) => {
    expect(json(inputs)).toEqual({ text: 'x' })
  })

  it('takes an object as it is, and a Map', () => {
    expect(json({ text: 'x' })).toEqual({ text: 'x' })
    expect(json(new Map([['text', 'x']]))).toEqual(new Map([['text', 'x']]))
  })

  it('takes the last of keys that come twice', () => {
    expect(json('{"text": "a", "text": "b"}')).toEqual({ text: 'b' })
  })

  it('neither checks types nor fills in defaults', () => {
    expect(json('{"text": 5}')).toEqual({ text: 5 })
    expect(json('{"x": 1}', 'add', Kit)).toEqual({ x: 1 })
    expect(json('{}', 'items', Kit)).toEqual({})
  })

  it("reads what Python's JSON has beyond JSON, and integers of any length", () => {
    expect(json('{"text": NaN}')).toEqual({ text: Number.NaN })
    expect(json('{"text": [Infinity, -Infinity]}')).toEqual({ text: [Infinity, -Infinity] })
    expect(json('{"text": 12345678901234567890}')).toEqual({ text: 12345678901234567890n })
    expect(json('{"text": [0, -0.5, 1e3, "\\u00e9\\ud83d\\ude00", null, true, false, {}]}')).toEqual({
      text: [0, -0.5, 1000, 'é😀', null, true, false, {}],
    })
  })

  it('keeps a key named __proto__ a key', () => {
    const args = json('{"text": {"__proto__": {"polluted": 1}}}') as { text: object }
    expect(Object.keys(args.text)).toEqual(['__proto__'])
    expect(Object.getPrototypeOf(args.text)).toBe(Object.prototype)
  })

  it.each([
    "{'text': 'x'}",
    '{"text": "x",}',
    '{"text": "x"} more',
    '{"text": 01}',
    '{"text": "a\nb"}',
    '{"text": "\\q"}',
    '{"text": "x"',
    '{text: 1}',
    'Infinit',
    '',
  ])('refuses what is no JSON, and shows it: %j', (inputs) => {
    expect(() => json(inputs)).toThrow(refusal(`invalid json format: ${inputs}`))
  })

  it.each([
    ['```json\n{bad}\n```', '{bad}'],
    ['```\n{"text": "x"}\n```', '```\n{"text": "x"}'],
    ['Sure:\n```json\n{"text": "x"}\n```', 'Sure:\n```json\n{"text": "x"}'],
    ['  \n```', ''],
    ['```json\n\ufeff{}\n```', '\ufeff{}'],
  ])('shows what is left of the block %j', (inputs, shown) => {
    expect(() => json(inputs)).toThrow(refusal(`invalid json format: ${shown}`))
  })

  it.each([
    ['{"text": "x", "b": 1}', "unknown arguments: {'b'}"],
    ['{"text": "x", "b": 1, "c": 2}', "unknown arguments: {'b', 'c'}"],
    ['{"text": "x", "it\'s": 1}', `unknown arguments: {"it's"}`],
    ['{}', "missing required arguments: {'text'}"],
    ['[1]', 'unknown arguments: {1}'],
    ['[[1]]', 'unknown arguments: [1]'],
    ['"text"', "unknown arguments: {'t', 'e', 'x'}"],
    ['5', 'the arguments must be a JSON object, not 5'],
    ['null', 'the arguments must be a JSON object, not None'],
  ])('tells %s: %s', (inputs, message) => {
    expect(() => json(inputs)).toThrow(refusal(message))
  })

  it('names all that is missing', () => {
    expect(() => json('{"c": 1}', 'three', Kit)).toThrow(refusal("missing required arguments: {'a', 'b'}"))
  })

  it('passes on a list that names the parameters, as Lagent does', () => {
    expect(json('["text"]')).toEqual(['text'])
  })

  it.each([[['text']], [5], [null], [undefined], [new Set(['text'])]])(
    'refuses what is neither text nor object: %j',
    (inputs) => {
      expect(() => json(inputs)).toThrow(/^invalid json format: /)
    },
  )

  it('refuses an API that there is not', () => {
    expect(() => json('{}', 'zzz', Kit)).toThrow(refusal('invalid API: zzz'))
  })

  it('refuses ten thousand brackets, and reads a megabyte of blanks, in a moment', async () => {
    expect(() => json('['.repeat(10_000))).toThrow(/^invalid json format: \[\[/)
    await expectCost(
      () => {
        expect(() => json(`${' \n'.repeat(500_000)}x`)).toThrow(/^invalid json format/)
        expect(json(`{"text": "${'\\n'.repeat(500_000)}"}`)).toEqual({ text: '\n'.repeat(500_000) })
      },
      { below: () => 200 * plainPassMs(1_000_000) },
    )
  })
})

describe('TupleParser', () => {
  it.each([
    ['("x",)', { text: 'x' }],
    [' ("x",)', { text: 'x' }],
    ['"x",', { text: 'x' }],
    ['("x")', { text: 'x' }],
    ["['x']", { text: 'x' }],
    ['{"text": 1}', { text: 'text' }],
    ['{7}', { text: 7 }],
    ['(("a", [1, {"b": None}]),)', { text: ['a', [1, { b: null }]] }],
  ])('reads %s', (inputs, args) => {
    expect(tuple(inputs)).toEqual(args)
  })

  it('gives values their names in the order of the parameters, required ones and others', () => {
    expect(tuple('("a", 2, 3.5)', 'three', Kit)).toEqual({ a: 'a', b: 2, c: 3.5 })
    expect(tuple('(True, -1, 1e3)', 'three', Kit)).toEqual({ a: true, b: -1, c: 1000 })
    expect(tuple('("a", 2)', 'three', Kit)).toEqual({ a: 'a', b: 2 })
    expect(tuple('()', 'items', Kit)).toEqual({})
  })

  it('takes a Tuple as it is, and keeps one within', () => {
    expect(tuple(Tuple.of('x'))).toEqual({ text: 'x' })
    expect(tuple('((1, 2),)')).toStrictEqual({ text: Tuple.of(1, 2) })
  })

  it.each([
    ['()', 'API takes 1 required positional arguments but 0 were given'],
    ['("xyz")', 'API takes 1 positional arguments but 3 were given'],
    ['x', 'invalid tuple format: x'],
    ['(', 'invalid tuple format: ('],
    ['(true,)', 'invalid tuple format: (true,)'],
    ['5', 'the arguments must be a tuple, not 5 of type int'],
  ])('tells %s: %s', (inputs, message) => {
    expect(() => tuple(inputs)).toThrow(refusal(message))
  })

  it('counts against what the API has', () => {
    const tooMany = refusal('API takes 3 positional arguments but 4 were given')
    expect(() => tuple('("a", 2, 3.5, 4)', 'three', Kit)).toThrow(tooMany)
  })

  it.each([
    [['q'], "invalid tuple format: ['q']"],
    [null, 'invalid tuple format: None'],
  ])('takes no list and nothing else for a tuple: %j', (inputs, message) => {
    expect(() => tuple(inputs)).toThrow(refusal(message))
  })
})

describe('BaseParser', () => {
  const base = (inputs: unknown, api = 'run', action = Bold) =>
    new BaseParser(new action().description).parseInputs(inputs, api)

  it('takes the whole input as the first argument', () => {
    expect(base('{"text": 1}')).toEqual({ text: '{"text": 1}' })
    expect(base({ text: 1 })).toEqual({ text: { text: 1 } })
  })

  it('refuses an input for an API without parameters', () => {
    expect(() => base('x', 'items', Kit)).toThrow(refusal('this API takes no arguments'))
  })
})

it.each([
  ['text', { name: 't', description: '', parameters: [], required: ['text'] }, 't'],
  [
    'text',
    { name: 'K', description: '', api_list: [{ name: 'a', description: '', parameters: [], required: ['text'] }] },
    'K.a',
  ],
])('refuses a description that requires what it has not: %s', (name, description, shown) => {
  expect(() => new BaseParser(description)).toThrow(`unknown parameters for function "${shown}": {'${name}'}`)
})

describe('parseOutputs', () => {
  const text = (value: unknown) => new BaseParser(new Bold().description).parseOutputs(value)[0]?.content

  it('writes a dict as JSON with blanks, and other values as Python prints them', () => {
    expect(text({ sum: 3, text: '和', list: [1, null, 'a"b'], none: undefined })).toBe(
      '{"sum": 3, "text": "和", "list": [1, null, "a\\"b"]}',
    )
    expect(
      text(
        new Map<unknown, unknown>([
          [1, Number.NaN],
          [true, Tuple.of(1)],
        ]),
      ),
    ).toBe('{"1": NaN, "true": [1]}')
    expect(text([1, 'a', null, true])).toBe("[1, 'a', None, True]")
    expect(text(undefined)).toBe('None')
    expect(text('as it is')).toBe('as it is')
  })

  it('drops what GBK has not', () => {
    expect(text('中文 é ж ї € 😀 end')).toBe('中文 é ж    end')
    expect(text('ñ ö ä ß 한 ü Ю あ Ω')).toBe('     ü Ю あ Ω')
    expect(text('\ue000\ufe10ǹ⿰\ud800')).toBe('')
    expect(text({ '\udc00a': '\ud800' })).toBe('{"a": ""}')
    // As many as CPython's codec encodes.
    const plane = Array.from({ length: 0x10000 - 0x80 }, (_, at) => String.fromCharCode(0x80 + at)).join('')
    expect(text(plane)).toHaveLength(21_791)
  })

  it('refuses a value that holds itself', () => {
    const round: unknown[] = []
    round.push(round)
    expect(() => text(round)).toThrow(/MAX_NESTING/)
    expect(() => text({ round })).toThrow(/MAX_NESTING/)
  })
})
