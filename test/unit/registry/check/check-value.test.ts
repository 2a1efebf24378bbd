import { describe, expect, it } from 'vitest'
import { schemaProblem } from '../../../../src/registry/check/check-schema.ts'
import { checkValue } from '../../../../src/registry/check/check-value.ts'
import { expectCost, plainPassMs } from '../../../support/processor-time.ts'

type Schema = Record<string, unknown>

/** `path: message` of each misfit. */
function wrong(schema: Schema, value: unknown): string[] {
  expect(schemaProblem(schema)).toBeNull()
  return checkValue(schema, value).map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
}

const object = (properties: Schema, more: Schema = {}) => ({ type: 'object', properties, ...more })

describe('a value that does not fit its schema', () => {
  it('is told by where, what is wrong, and what is allowed', () => {
    const schema = object(
      {
        city: { type: 'string', minLength: 2 },
        unit: { enum: ['C', 'F'] },
        days: { type: 'integer', minimum: 1, maximum: 7 },
        tags: { type: 'array', items: { type: 'string', pattern: '^[a-z]+$' }, maxItems: 3, uniqueItems: true },
      },
      { required: ['city', 'unit'], additionalProperties: false },
    )
    expect(wrong(schema, { city: 'Ulm', unit: 'C', days: 3, tags: ['a', 'b'] })).toEqual([])
    expect(wrong(schema, { city: 5, days: 9, town: 'Ulm' })).toEqual([
      'city: must be string, and is integer: 5',
      'days: must be at most 7; it is 9',
      'unit: is required and missing',
      'town: is not known; there are city, unit, days, tags',
    ])
    expect(wrong(schema, { city: 'X', unit: 'K', tags: ['a', 'B', 'a'] })).toEqual([
      'city: must have at least 2 characters; it has 1',
      'unit: must be one of "C", "F"; it is "K"',
      'tags[1]: must match the pattern ^[a-z]+$; it is "B"',
      'tags[2]: is the same as item 0; all must differ',
    ])
    expect(wrong(schema, [])).toEqual(['must be object, and is array: a list of 0'])
  })

  it('is compared with the form that it is nearest to', () => {
    const schema = {
      anyOf: [
        { type: 'string' },
        object({ kind: { const: 'point' }, at: object({ x: { type: 'number' } }, { required: ['x'] }) }),
      ],
    }
    expect(wrong(schema, { kind: 'point', at: { x: 'left' } })).toEqual([
      'at.x: must be number, and is string: "left" (it fits none of the 2 forms that are allowed; this is of the nearest)',
    ])
    expect(wrong({ oneOf: [{ type: 'number' }, { minimum: 2 }] }, 3)).toEqual([
      'must fit exactly one of the forms of oneOf, and fits 2; say more or less',
    ])
  })

  it.each<[string, Schema, unknown, unknown]>([
    ['draft 4 bounds', { minimum: 1, exclusiveMinimum: true }, 2, 1],
    ['draft 7 lists', { items: [{ type: 'string' }], additionalItems: false }, ['a'], ['a', 1]],
    ['first items', { prefixItems: [{ type: 'string' }], items: { type: 'number' } }, ['a', 1], ['a', 'b']],
    ['what a list contains', { contains: { const: 1 }, maxContains: 1 }, [0, 1], [1, 1]],
    [
      'names by pattern',
      { patternProperties: { '^x-': { type: 'number' } }, additionalProperties: false },
      { 'x-a': 1 },
      { y: 1 },
    ],
    ['names of fields', { propertyNames: { maxLength: 2 } }, { ab: 1 }, { abc: 1 }],
    ['what needs what', { dependentRequired: { a: ['b'] } }, { a: 1, b: 1 }, { a: 1 }],
    [
      'conditions',
      JSON.parse('{"if": {"required": ["a"]}, "then": {"required": ["b"]}, "else": {"required": ["c"]}}'),
      { c: 1 },
      { a: 1 },
    ],
    ['not', { not: { type: 'null' } }, 1, null],
    ['steps', { multipleOf: 0.01 }, 19.99, 19.999],
    ['whole numbers', { type: 'integer' }, 1, 1.5],
    ['whole numbers beyond 2^53, which come as text', { type: 'integer' }, '9007199254740993', '12'],
    ['their bounds', { type: 'number', minimum: 1 }, '9007199254740993', '-9007199254740993'],
    ['nullable', { type: 'string', nullable: true }, null, 1],
    ['characters beyond U+FFFF', { maxLength: 1 }, '😀', '😀😀'],
    ['references', { $ref: '#/$defs/a~1b', $defs: { 'a/b': { type: 'string' } } }, 'x', 1],
    [
      'trees',
      { properties: { next: { $ref: '#' } }, additionalProperties: false },
      { next: { next: {} } },
      { next: { other: 1 } },
    ],
    ['equal objects', { const: { a: 1, b: [2] } }, { b: [2], a: 1 }, { a: 1, b: [3] }],
    ['names of the prototype', { properties: { toString: false } }, {}, { toString: 1 }],
  ])('%s', (_, schema, good, bad) => {
    expect(wrong(schema, good)).toEqual([])
    expect(wrong(schema, bad)).not.toEqual([])
  })
})

describe('a schema that nothing can be checked against', () => {
  it.each<[Schema, RegExp]>([
    [{ type: 'sting' }, /type "sting" is none of/],
    [object({ a: { pattern: '(?=x)' } }), /^\/properties\/a: the pattern \(\?=x\) cannot be used/],
    [{ patternProperties: { '(a': {} } }, /cannot be used/],
    [{ $ref: 'https://x.example/schema' }, /leads to no schema/],
    [{ $ref: '#/$defs/none' }, /leads to no schema/],
    [{ unevaluatedProperties: false }, /cannot be checked/],
    [{ allOf: [] }, /not empty/],
    [{ properties: [] }, /map of schemas/],
    [{ properties: { a: 5 } }, /^\/properties\/a: must be a schema/],
    [{ required: 'a' }, /list of names/],
    [{ minLength: -1 }, /whole number/],
    [{ multipleOf: 0 }, /more than 0/],
  ])('%j is refused', (schema, message) => {
    expect(schemaProblem(schema)).toMatch(message)
  })

  it('is one that is nested without end', () => {
    let deep: Schema = {}
    for (let n = 0; n < 10_000; n++) deep = { not: deep }
    expect(schemaProblem(deep)).toMatch(/MAX_SCHEMA_DEPTH/)
  })
})

describe('a hostile schema or value', () => {
  const names = Array.from({ length: 300 }, (_, n) => `n${n}`)
  const wide = { anyOf: names.map(() => ({ $ref: '#/$defs/a' })) }
  let deep: unknown = 1
  for (let n = 0; n < 20_000; n++) deep = [deep]
  const many = Array.from({ length: 300_000 }, (_, n) => n)

  it.each<[string, Schema, unknown]>([
    ['that refers to itself', { $ref: '#' }, 1],
    ['that refers in a ring', { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } }, 1],
    [
      'that branches at each level',
      {
        ...wide,
        $defs: { a: { anyOf: names.map(() => ({ $ref: '#/$defs/b' })) }, b: { anyOf: names.map(() => false) } },
      },
      1,
    ],
    ['that is very deep', { items: { $ref: '#' } }, deep],
    ['that is very long', { items: { enum: names } }, many],
    ['that is compared with itself', { uniqueItems: true, items: { enum: names } }, [deep, deep]],
    ['whose text is matched slowly', { pattern: '(.*a){300}$' }, 'a'.repeat(100_000)],
    [
      'whose alternatives are long',
      { items: { anyOf: names.map(() => ({ const: many })) } },
      [many.slice(1), many.slice(1)],
    ],
    [
      'whose names are many',
      { additionalProperties: { not: {} }, patternProperties: { zzz$: {}, '(a|b)*c$': {} } },
      Object.fromEntries(many.map((n) => [`k${n}`, n])),
    ],
  ])('%s is refused soon', async (_, schema, value) => {
    await expectCost(() => expect(checkValue(schema, value)).not.toEqual([]), {
      below: () => 300 * plainPassMs(1_000_000),
    })
  })
})
