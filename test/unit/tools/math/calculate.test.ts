import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { MAX_EXPRESSION_CHARS, MAX_EXPRESSION_DEPTH } from '../../../../src/core/limits/math.ts'
import { catalog } from '../../../../src/tools/catalog.ts'
import { expectCost, plainPassMs } from '../../../support/processor-time.ts'
import { toolbench } from '../../../support/toolbench.ts'

const result = async (expression: string) => (await toolbench(catalog).data('calculate', { expression })).result
const failure = (expression: string) => toolbench(catalog).failure('calculate', { expression })
const refusal = async (expression: string) => (await failure(expression)).message

/** Every one is an expression of Python too, with the same value there. */
const AS_PYTHON = [
  '(123 + 234) / 23 * 1.5 - 8',
  '1 + 2 * 3 - 4',
  '2 ** 3 ** 2',
  '-2 ** 2',
  '2 ** -1',
  '(-8) // 3',
  '-8 % 3',
  '8 % -3',
  '-7.5 // 2',
  '-7.5 % 2',
  '7 // 2.0',
  '0.1 + 0.2',
  '1_000_000 * 3',
  '1e3 + .5 + 2.',
  '--3 - +-4',
  '2**52',
  '10 - 2 - 3',
  '100 / 10 / 2',
  'sqrt(2) ** 2',
  'math.sqrt(16) + math.pi',
  'log(8, 2) + log10(1000) + log2(8) + log(e)',
  'round(2.5) + round(3.5) + round(-0.5)',
  'round(2.675, 2)',
  'round(1234, -2) + round(1250, -2) + round(1350, -2)',
  'max(1, 2.5, 2) + min(3, 1)',
  'factorial(10) / gcd(12, 18)',
  'floor(-2.5) + ceil(2.1) + trunc(-2.7) + int(3.9)',
  'abs(-3) + pow(2, 10)',
  'sin(pi / 2) + cos(0) + atan2(1, 1)',
  'hypot(3, 4) + degrees(pi) + radians(180)',
  'float(3) / 2',
]

describe('calculate', () => {
  it('gives what Python gives', async () => {
    const script = `from math import *\nimport math, json, sys\nprint(json.dumps([eval(x) for x in json.loads(sys.argv[1])]))`
    const python = JSON.parse(execFileSync('python3', ['-c', script, JSON.stringify(AS_PYTHON)], { encoding: 'utf8' }))
    const ours = await Promise.all(AS_PYTHON.map(result))
    expect(ours.map((value, at) => [AS_PYTHON[at], value])).toEqual(
      AS_PYTHON.map((expression, at) => [expression, expect.closeTo(python[at], 9)]),
    )
  })

  it('is exact in whole numbers of any size, which beyond 2^53 come as digits', async () => {
    expect(await result('2**53 - 1')).toBe(9_007_199_254_740_991)
    expect(await result('2**100')).toBe('1267650600228229401496703205376')
    expect(await result('factorial(30) // factorial(28)')).toBe(870)
    expect(await result('(10**50 + 1) - 10**50')).toBe(1)
  })

  it('says where an expression makes no sense, and what is known', async () => {
    expect(await refusal('2 +')).toBe(
      'the expression cannot be read from character 4 on: the end is not expected there',
    )
    expect(await refusal('(1 + 2')).toMatch(/from character 7 on: the end/)
    expect(await refusal('1 2')).toMatch(/character 3 on: 2 is not expected/)
    expect(await refusal('3 ^ 2')).toBe('"^" at character 3 has no meaning in an expression; write ** for a power')
    expect(await refusal('foo(1)')).toMatch(/^foo at character 1 is not known here.*sqrt/)
    expect(await refusal('sqrt 4')).toMatch(/lacks its brackets/)
    expect(await refusal('sqrt()')).toBe('sqrt takes 1 numbers, and has 0')
    expect(await refusal('1 / 0')).toBe('division by zero')
    expect(await refusal('5 % 0.0')).toBe('division by zero')
    expect(await refusal('sqrt(-1)')).toMatch(/sqrt is not defined/)
    expect(await refusal('10.0 ** 400')).toMatch(/too large for a decimal number/)
    expect(await refusal('')).toBe('expression is required')
  })

  it.each([
    "__import__('os').system('id')",
    'constructor.constructor("return process")()',
    '(lambda: 1)()',
    '[x for x in range(10)]',
    'globalThis',
    'toString(1)',
    '__proto__',
    'a = 1',
    '1; 2',
    '`1`',
  ])('runs nothing: %s', async (expression) => {
    expect(await failure(expression)).toMatchObject({ code: 'invalid_input' })
  })

  it.each([
    '9**9**9**9',
    '2**(2**40)',
    'factorial(10**9)',
    'factorial(factorial(20))',
    '(10**9999)**9999',
    '10**19000 * 10**19000',
    'round(5, -10**18) + 10**10**10',
    `${'('.repeat(5_000)}1${')'.repeat(5_000)}`,
    `${'-'.repeat(9_000)}1`,
    `${'2**'.repeat(3_000)}1`,
    'sqrt('.repeat(2_000),
    `${'1+'.repeat(MAX_EXPRESSION_CHARS)}1`,
  ])('refuses soon what would take long: %.30s', async (expression) => {
    await expectCost(async () => expect(await failure(expression)).toMatchObject({ code: 'limit_exceeded' }), {
      below: () => 30 * plainPassMs(expression.length),
    })
  })

  it('takes as much as it grants, soon', async () => {
    await expectCost(
      async () => {
        expect(await result(`${'('.repeat(MAX_EXPRESSION_DEPTH)}1${')'.repeat(MAX_EXPRESSION_DEPTH)}`)).toBe(1)
        expect(await result(`${'1+'.repeat(4_999)}1`)).toBe(5_000)
        expect(String(await result(`${'2**60000*1+'.repeat(900)}1`))).toHaveLength(18_065)
      },
      { below: () => 100 * plainPassMs(10_000) },
    )
  })
})
