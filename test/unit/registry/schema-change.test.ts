import { describe, expect, it } from 'vitest'
import { compareSchemas } from '../../../src/registry/schema-change.ts'
import { expectCost, plainPassMs } from '../../support/processor-time.ts'

type Schema = Record<string, unknown>

const object = (properties: Schema, more: Schema = {}) => ({ type: 'object', properties, ...more })
const text = { type: 'string' }

/** What became of a schema, once as that of arguments and once as that of results. */
function change(before: Schema, after: Schema) {
  const input = compareSchemas({ input_schema: before, output_schema: {} }, { input_schema: after, output_schema: {} })
  const output = compareSchemas({ input_schema: {}, output_schema: before }, { input_schema: {}, output_schema: after })
  return { input: input.breaking, output: output.breaking, changes: input.changes }
}

const NOTHING = { input: false, output: false, changes: [] }
const NARROWED = { input: true, output: false }
const WIDENED = { input: false, output: true }
const UNKNOWN = { input: true, output: true }
const HARMLESS = { input: false, output: false, changes: [expect.anything()] }

describe('a change of a schema', () => {
  it.each<[string, Schema, Schema, object]>([
    ['nothing', object({ a: text }), object({ a: text }), NOTHING],
    ['another order of names', { type: 'object', minProperties: 1 }, { minProperties: 1, type: 'object' }, NOTHING],
    ['other words', { title: 'a', description: 'b' }, { description: 'c', examples: [1] }, NOTHING],
    ['a further property', object({}), object({ a: text }), HARMLESS],
    [
      'a further property of a closed object',
      object({}, { additionalProperties: false }),
      object({ a: text }, { additionalProperties: false }),
      WIDENED,
    ],
    ['a property less', object({ a: text }), object({}), UNKNOWN],
    ['a property that is required now', object({ a: text }), object({ a: text }, { required: ['a'] }), NARROWED],
    ['one that is no longer', object({ a: text }, { required: ['a'] }), object({ a: text }), WIDENED],
    ['another default', { type: 'integer', default: 1 }, { type: 'integer', default: 2 }, HARMLESS],
    ['a further type', { type: 'string' }, { type: ['string', 'null'] }, WIDENED],
    ['integer to number', { type: 'integer' }, { type: 'number' }, WIDENED],
    ['number to integer', { type: 'number' }, { type: 'integer' }, NARROWED],
    ['another type', { type: 'string' }, { type: 'integer' }, UNKNOWN],
    ['a type where there was none', {}, { type: 'string' }, NARROWED],
    ['a further value', { enum: ['a'] }, { enum: ['b', 'a'] }, WIDENED],
    ['a value less', { enum: ['a', { x: 1, y: 2 }] }, { enum: [{ y: 2, x: 1 }] }, NARROWED],
    ['a constant for a list', { enum: ['a', 'b'] }, { const: 'a' }, NARROWED],
    ['a list for a constant', { const: 'a' }, { enum: ['a', 'b'] }, WIDENED],
    ['a higher minimum', { minimum: 1 }, { minimum: 2 }, NARROWED],
    ['a lower minimum', { minimum: 1 }, { minimum: 0 }, WIDENED],
    ['a higher maximum', { maxLength: 1 }, { maxLength: 2 }, WIDENED],
    ['a maximum where there was none', {}, { maxItems: 2 }, NARROWED],
    ['finer steps', { multipleOf: 10 }, { multipleOf: 5 }, WIDENED],
    ['items that must differ', { type: 'array' }, { type: 'array', uniqueItems: true }, NARROWED],
    ['another pattern', { pattern: 'a' }, { pattern: 'b' }, UNKNOWN],
    ['no pattern any more', { pattern: 'a' }, {}, WIDENED],
    ['other items', { items: { type: 'string' } }, { items: { type: ['string', 'null'] } }, WIDENED],
    ['items of any kind', { items: text }, { items: true }, WIDENED],
    ['a closed object', {}, { additionalProperties: false }, NARROWED],
    ['an object that was closed', { additionalProperties: false }, { additionalProperties: {} }, WIDENED],
    ['an alternative more', { anyOf: [text] }, { anyOf: [{ type: 'null' }, text] }, WIDENED],
    ['a condition more', { allOf: [text] }, { allOf: [text, { minLength: 1 }] }, NARROWED],
    ['what is not understood', { oneOf: [text] }, { oneOf: [text, { type: 'null' }] }, UNKNOWN],
    ['a keyword that nobody knows', {}, { 'x-y': 1 }, UNKNOWN],
    ['a property that may be nothing now', object({ a: text }), object({ a: false }), NARROWED],
    [
      'deep down',
      object({ a: object({ b: text }) }),
      object({ a: object({ b: { ...text, maxLength: 9 } }) }),
      NARROWED,
    ],
  ])('%s', (_, before, after, expected) => {
    expect(change(before, after)).toMatchObject(expected)
  })

  it('is told by where it is and what it is', () => {
    const before = object({ 'a/b': { items: { maximum: 5 } } })
    const after = object({ 'a/b': { items: { maximum: 3 } } })
    expect(change(before, after).changes).toEqual([
      {
        schema: 'input',
        path: '/properties/a~1b/items',
        what: 'maximum is 3 now; it was 5',
        breaking: true,
      },
    ])
  })

  it('is followed through references, and loops end', () => {
    const tree = (max: number) => ({
      $ref: '#/$defs/node',
      $defs: {
        node: object({ name: { type: 'string', maxLength: max }, children: { items: { $ref: '#/$defs/node' } } }),
      },
    })
    expect(change(tree(5), tree(5))).toEqual(NOTHING)
    expect(change(tree(5), tree(9))).toMatchObject(WIDENED)
    const inline = object({ city: text })
    const moved = { ...object({ city: { $ref: '#/$defs/city' } }), $defs: { city: text } }
    expect(change(inline, moved)).toMatchObject(NOTHING)
    const self = { $ref: '#' }
    expect(change(self, text)).toMatchObject(UNKNOWN)
    expect(change({ $ref: '#/nowhere' }, { $ref: '#/elsewhere' })).toMatchObject(UNKNOWN)
    expect(change({ $ref: 'https://x.example/s' }, { $ref: 'https://x.example/s' })).toEqual(NOTHING)
  })

  it('takes no longer than it should, whatever the schemas are', async () => {
    const names = Array.from({ length: 5_000 }, (_, n) => `p${n}`)
    const big = { enum: Array.from({ length: 20_000 }, (_, n) => n) }
    const before = object(Object.fromEntries(names.map((name) => [name, { enum: [1] }])))
    const after = {
      ...object(Object.fromEntries(names.map((name) => [name, { $ref: '#/$defs/big' }]))),
      $defs: { big },
    }
    const { changes } = await expectCost(
      () => compareSchemas({ input_schema: before, output_schema: {} }, { input_schema: after, output_schema: {} }),
      { below: () => 500 * plainPassMs(1_000_000) },
    )
    expect(changes).toHaveLength(100)
    expect(changes.at(-1)).toMatchObject({ what: expect.stringMatching(/^and \d+ more changes$/) })

    let deep: Schema = text
    for (let n = 0; n < 1_000; n++) deep = { items: deep }
    expect(change(deep, { ...deep, maxItems: 1 })).toMatchObject(NARROWED)
  })
})
