import { describe, expect, it } from 'vitest'
import { FailureError } from '../../../../src/core/failure.ts'
import {
  MAX_CHAIN_EXPRESSION_CHARS,
  MAX_CHAIN_EXPRESSION_DEPTH,
  MAX_CHAIN_TEXT_CHARS,
  MAX_CHAIN_WORK,
} from '../../../../src/core/limits/chains.ts'
import { ChainBudget } from '../../../../src/registry/chain/budget.ts'
import { evaluate } from '../../../../src/registry/chain/expression/evaluate.ts'
import { MissingError } from '../../../../src/registry/chain/expression/missing.ts'
import { parseExpression } from '../../../../src/registry/chain/expression/parse.ts'
import { grownMib } from '../../../support/grown-memory.ts'
import { costOf, expectCost, plainPassMs } from '../../../support/processor-time.ts'

const value = (source: string, input: unknown = {}) =>
  evaluate(parseExpression(source), { names: new Map([['input', input]]), work: new ChainBudget() })

/** What is said when it cannot be evaluated. */
function refusal(source: string, input: unknown = {}): string {
  try {
    return `no refusal: ${JSON.stringify(value(source, input))}`
  } catch (thrown) {
    if (thrown instanceof FailureError) return thrown.failure.message
    if (thrown instanceof MissingError) return thrown.message
    throw thrown
  }
}

describe('values of expressions', () => {
  it.each([
    ['1 + 2 * 3', 7],
    ['(1 + 2) * 3', 9],
    ['10 - 2 - 3', 5],
    ['-2 * -3', 6],
    ['7 % 4 / 2', 1.5],
    ['1 < 2 && 2 < 3', true],
    ['false || !false', true],
    ['1 == 1 ? "a" : "b"', 'a'],
    ['false ? 1 : true ? 2 : 3', 2],
    ['"a" + \'b\' + 1', 'ab1'],
    ['"\\u0041\\n\\"x\\""', 'A\n"x"'],
    ['[1, "a", null][1]', 'a'],
    ['"a" < "b"', true],
    ['2 in [1, 2]', true],
    ['"x" in "text"', true],
    ['null ?? false ?? 3', false],
    ['1e3', 1000],
  ])('%s is %j', (source, expected) => {
    expect(value(source)).toEqual(expected)
  })

  const input = {
    hits: [
      { url: 'a', n: 1 },
      { url: 'b', n: 2 },
    ],
    'two words': 5,
    none: null,
    标题: '你好😀',
    at: 1,
  }

  it.each([
    ['input.hits[0].url', 'a'],
    ['input.hits[-1].url', 'b'],
    ['input.hits[input.at].n', 2],
    ['input["two words"]', 5],
    ['input.标题', '你好😀'],
    ['length(input.标题)', 3],
    ['slice(input.标题, 2)', '😀'],
    ['input.hits.length', 2],
    ['length(input.hits)', 2],
    ['pluck(input.hits, "url")', ['a', 'b']],
    ['where(input.hits, "n", 2)', [{ url: 'b', n: 2 }]],
    ['first(input.hits).n + last(input.hits).n', 3],
    ['join(pluck(input.hits, "url"), "+")', 'a+b'],
    ['sum(pluck(input.hits, "n"))', 3],
    ['max([3, 9, 4]) - min([3, 9, 4])', 6],
    ['split("a,b", ",")', ['a', 'b']],
    ['replace("a.b.c", ".", "$&")', 'a$&b$&c'],
    ['upper(trim(" x "))', 'X'],
    ['starts_with("abc", "ab") && ends_with("abc", "bc")', true],
    ['contains(input, "none")', true],
    ['keys(input.hits[0])', ['url', 'n']],
    ['values(input.hits[0])', ['a', 1]],
    ['flatten([[1], [2, 3], 4])', [1, 2, 3, 4]],
    ['number("2.50") + 1', 3.5],
    ['round(2.345, 1)', 2.3],
    ['json(input.hits[0])', '{"url":"a","n":1}'],
    ['parse_json("{\\"a\\": [1]}").a[0]', 1],
    ['shell("it\'s; rm -rf /")', "'it'\\''s; rm -rf /'"],
    ['text(12) + text(true)', '12true'],
    ['[[]][0] ?? 1', []],
    ['input.hits == [input.hits[0], input.hits[1]]', true],
    ['input.hits[0] != input.hits[1]', true],
  ])('%s is %j', (source, expected) => {
    expect(value(source, input)).toEqual(expected)
  })

  it('takes what is missing or null as an answer where it is asked for', () => {
    expect(value('input.x.y.z ?? "none"', input)).toBe('none')
    expect(value('default(input.none, 1)', input)).toBe(1)
    expect(value('coalesce(input.none, input.x, input.hits[9], first([]))', input)).toBeNull()
    expect(value('has(input.x) || has(input.none) || has(input.hits[5])', input)).toBe(false)
    expect(value('has(input.hits)', input)).toBe(true)
  })

  it('says what there is when a path leads to nothing', () => {
    expect(refusal('input.hits[0].link', input)).toBe('input.hits[0] has no "link"; it has url, n')
    expect(refusal('input.hits.url', input)).toMatch(
      /is a list; write \[0\] for its first item, or pluck\(input.hits, "url"\)/,
    )
    expect(refusal('input.hits[2]', input)).toBe('the list has 2 items, and none at 2')
    expect(refusal('input.none.x', input)).toBe('input.none is null, so there is no input.none.x')
  })

  it.each([
    ['a === b', /write ==$/],
    ['a = b', /write == to compare/],
    ['x and y', /write && for and/],
    ['not x', /write ! for not/],
    ['None', /write null for None/],
    ['input.x?.y', /\?\?/],
    ['input.list.map(1)', /no method map\(\); call a function as length\(x\)/],
    ['size(1)', /no function size; there are .*contains.*length/],
    ['join()', /join\(\) takes 1 to 2 arguments, not 0/],
    ['$input', /names stand without \$/],
    ['{"a": 1}', /objects are written in the JSON around/],
    ['"open', /is not closed; end it with "/],
    ['(1', /"\)" is missing before the end/],
    ['1 2', /"2" is not expected there/],
    ['', /the expression is empty/],
    ['input.', /the end is not expected/],
    ['if', /there is no if here/],
    ['input ? 1 : 2', /needs true or false, and got an object; compare it/],
    ['1 / 0', /division by zero/],
    ['1e999', /too large/],
    ['1e308 * 10', /too large/],
    ['"a" * 2', /\* needs numbers, and got a text/],
    ['1 < "2"', /compares two numbers or two texts/],
    ['length(5)', /it needs a list, a text or an object, and got a number/],
    ['number("0x10")', /"0x10" is no number/],
    ['parse_json("{")', /the text is no JSON/],
    ['parse_json("[1e400]")', /it holds a number that is too large/],
    ['"a" + null', /it is null, which has no text/],
  ])('refuses %s', (source, message) => {
    expect(refusal(source)).toMatch(message)
  })
})

describe('hostile expressions', () => {
  it.each([
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    'valueOf',
    '__defineGetter__',
    'call',
  ])('do not reach %s of objects, lists, texts or names', (name) => {
    for (const owner of ['input', 'input.list', 'input.text', 'input.n', '[]', '"x"', '1']) {
      expect(refusal(`${owner}.${name}`, { list: [1], text: 'x', n: 1 })).not.toMatch(/no refusal/)
      expect(refusal(`${owner}["${name}"]`, { list: [1], text: 'x', n: 1 })).not.toMatch(/no refusal/)
    }
    expect(refusal(name)).toBe(`there is no ${name} here`)
    expect(refusal(`${name}(1)`)).toMatch(`there is no function ${name}`)
    expect(value(`has(input.${name})`)).toBe(false)
    expect(value(`contains(input, "${name}")`)).toBe(false)
    expect(value(`pluck([input], "${name}")`)).toEqual([null])
  })

  it('read an own field that is called __proto__, and change no prototype', () => {
    expect(value('input.__proto__.x', JSON.parse('{"__proto__": {"x": 1}}'))).toBe(1)
    expect(value('parse_json("{\\"__proto__\\": {\\"polluted\\": 1}}").polluted ?? "no"')).toBe('no')
    expect({}).not.toHaveProperty('polluted')
  })

  it.each([
    ['brackets', '('.repeat(50_000)],
    ['lists', '['.repeat(900)],
    ['signs', '!'.repeat(900)],
    ['minus signs', '-'.repeat(900)],
    ['places', `input${'[input'.repeat(300)}`],
    ['calls', 'length('.repeat(250)],
    ['choices', 'true ? '.repeat(250)],
    ['right sides', '1 ?? '.repeat(390)],
  ])('that nest %s are refused, and the stack holds', (_, source) => {
    expect(refusal(source)).toMatch(/MAX_CHAIN_EXPRESSION_DEPTH|MAX_CHAIN_EXPRESSION_CHARS|the end is not expected/)
  })

  it('may be as deep as the limit says', () => {
    const depth = MAX_CHAIN_EXPRESSION_DEPTH
    expect(value(`${'('.repeat(depth)}1${')'.repeat(depth)}`)).toBe(1)
    expect(refusal(`${'('.repeat(depth + 1)}1${')'.repeat(depth + 1)}`)).toMatch(/MAX_CHAIN_EXPRESSION_DEPTH/)
  })

  it('may be a long row of signs, which needs no depth', () => {
    expect(value(`1${'+1'.repeat(MAX_CHAIN_EXPRESSION_CHARS / 2 - 1)}`)).toBe(MAX_CHAIN_EXPRESSION_CHARS / 2)
    expect(refusal(`1${'+1'.repeat(MAX_CHAIN_EXPRESSION_CHARS)}`)).toMatch(/MAX_CHAIN_EXPRESSION_CHARS/)
  })

  const large = 'ab'.repeat(MAX_CHAIN_TEXT_CHARS / 2)

  it('handle a text of a megabyte, and make none that is larger', () => {
    expect(value('length(input)', large)).toBe(MAX_CHAIN_TEXT_CHARS)
    expect(value('contains(input, "ba")', large)).toBe(true)
    expect(refusal('input + input', large)).toMatch(/MAX_CHAIN_TEXT_CHARS/)
    expect(refusal('replace(input, "a", "xxxx")', large)).toMatch(/MAX_CHAIN_TEXT_CHARS/)
    expect(refusal('join([input, input], "")', large)).toMatch(/MAX_CHAIN_TEXT_CHARS/)
    expect(refusal('json([input, input])', large)).toMatch(/MAX_CHAIN_TEXT_CHARS/)
    expect(refusal('contains(input, input)', large)).toMatch(/MAX_CHAIN_NEEDLE_CHARS/)
  })

  it('end soon when they are written to cost much', async () => {
    const worst = {
      text: 'a'.repeat(MAX_CHAIN_TEXT_CHARS),
      part: `${'a'.repeat(500)}b${'a'.repeat(499)}`,
      list: Array.from({ length: 500_000 }, (_, n) => n),
    }
    await expectCost(
      () => {
        for (const source of [
          `${'contains(input.text, input.part) || '.repeat(50)}false`,
          `${'contains(input.list, -1) || '.repeat(60)}false`,
          `${'input.list == input.list && '.repeat(60)}true`,
          `${'length(split(input.text, "a")) + '.repeat(50)}0`,
          `${'length(upper(input.text)) + '.repeat(50)}0`,
        ]) {
          expect(refusal(source, worst)).toMatch(/MAX_CHAIN_WORK/)
        }
      },
      { below: () => 40 * plainPassMs(MAX_CHAIN_WORK) },
    )
  })

  it('make no list that is longer than they may look at, and count what an error tells of an object', async () => {
    const costly = {
      list: Array.from({ length: 300_000 }, (_, n) => n),
      fields: Object.fromEntries(Array.from({ length: 300_000 }, (_, n) => [`field${n}`, n])),
    }
    const flattening = () => refusal(`flatten([${'input.list,'.repeat(150)} 1])`, costly)
    expect(await expectCost(flattening, { below: () => 200, measure: grownMib })).toMatch(/MAX_CHAIN_WORK/)
    expect(value('flatten([input, [4], 5])', [1, [2], 3])).toEqual([1, [2], 3, 4, 5])
    expect(refusal(`${'input.fields.x ?? '.repeat(100)} 1`, costly)).toMatch(/MAX_CHAIN_WORK/)
  })

  it('learn once what fields a large object has, however often one is asked for that it lacks', async () => {
    const costly = () => ({ fields: Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`field${n}`, n])) })
    const seeking = (times: number) => (input: unknown) =>
      expect(value(`${'input.fields.x ?? '.repeat(times)} 1`, input)).toBe(1)
    await expectCost(seeking(60), {
      fresh: costly,
      below: async () => {
        const input = costly()
        return 10 * (await costOf(() => seeking(1)(input)))
      },
    })
  })

  it('of any characters whatever give a value or a refusal, and nothing else', () => {
    const pieces = [
      ...[
        'input',
        'steps',
        '.',
        '[',
        ']',
        '(',
        ')',
        '"',
        "'",
        '\\',
        '??',
        '&&',
        '||',
        '!',
        '==',
        '<',
        '+',
        '-',
        '*',
        '/',
        '%',
        '?',
        ':',
      ],
      ...[
        ',',
        '0',
        '1e9',
        'a',
        '__proto__',
        'constructor',
        'length',
        'has',
        'null',
        'true',
        ' ',
        '}}',
        '${{',
        '\u0000',
        '😀',
        '\ud800',
        'é',
      ],
    ]
    let seed = 7
    const random = () => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return seed / 2_147_483_648
    }
    for (let round = 0; round < 20_000; round++) {
      const length = 1 + Math.floor(random() * 12)
      const source = Array.from({ length }, () => pieces[Math.floor(random() * pieces.length)]).join('')
      expect(() => refusal(source, { a: [1, { a: 'x' }] }), source).not.toThrow()
    }
  })
})
