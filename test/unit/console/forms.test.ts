import { describe, expect, it } from 'vitest'
import { draftOf, firstDraft, madeOf, missingIn } from '../../../src/console/forms/drafts.ts'
import { type Field, fieldsOf, type Schema } from '../../../src/console/forms/fields.ts'
import { catalog } from '../../../src/tools/catalog.ts'
import { Values } from '../../support/openapi/generated-values.ts'
import { randomOf } from '../../support/random.ts'

/** What a form gives that was opened with a value. */
const through = (schema: Schema, value: unknown) => {
  const field = fieldsOf(schema)
  return madeOf(field, draftOf(field, value))
}
const kindsOf = (field: Field) =>
  field.kind === 'group'
    ? Object.fromEntries(field.fields.map(({ name, field: inner }) => [name, inner.kind]))
    : field.kind

describe('the form of a schema', () => {
  it.each(catalog.list().map((tool) => [tool.name, tool.inputSchema] as const))(
    'gives back the arguments of %s that it was opened with',
    (_, schema) => {
      const values = new Values(randomOf(7), schema)
      for (let turn = 0; turn < 30; turn++) {
        const args = values.fitting(schema)
        expect(through(schema, args)).toEqual({ value: args, problems: [] })
      }
    },
  )

  it.each(catalog.list().map((tool) => [tool.name, tool.inputSchema] as const))(
    'has a field of its own for each argument of %s',
    (_, schema) => {
      expect(Object.keys(kindsOf(fieldsOf(schema)))).toEqual(Object.keys(schema.properties ?? {}))
    },
  )

  it('has a kind of field for each kind of value', () => {
    const schema = {
      type: 'object',
      properties: {
        text: { type: 'string' },
        count: { type: 'integer' },
        flag: { type: 'boolean' },
        colour: { enum: ['red', 'green', 3] },
        tags: { type: 'array', items: { type: 'string' } },
        maybe: { anyOf: [{ type: 'string' }, { type: 'null' }] },
        also: { type: ['number', 'null'] },
        shape: { oneOf: [{ $ref: '#/$defs/Circle' }, { $ref: '#/$defs/Square' }] },
        any: {},
      },
      $defs: {
        Circle: { type: 'object', properties: { type: { const: 'circle' }, radius: { type: 'number' } } },
        Square: { type: 'object', properties: { type: { const: 'square' }, side: { type: 'number' } } },
      },
    }
    expect(kindsOf(fieldsOf(schema))).toEqual({
      text: 'text',
      count: 'number',
      flag: 'flag',
      colour: 'choice',
      tags: 'list',
      maybe: 'text',
      also: 'number',
      shape: 'either',
      any: 'json',
    })
    const args = { shape: { type: 'square', side: 2 }, tags: ['a', ''], colour: 3, any: [null, { a: 1 }] }
    expect(through(schema, args)).toEqual({ value: args, problems: [] })
  })

  it('names required fields that are empty, of lists and chosen shapes too, unless further fields may stand for them', () => {
    const point = { type: 'object', properties: { x: { type: 'number' }, y: { type: 'number' } }, required: ['x', 'y'] }
    const named = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }
    const field = fieldsOf({
      type: 'object',
      properties: {
        path: { type: 'string' },
        points: { type: 'array', items: point },
        shape: { oneOf: [point, named] },
        note: { type: 'string' },
      },
      required: ['path', 'points'],
    })
    const missing = (args: object) => missingIn(field, draftOf(field, args))
    expect(missingIn(field, null)).toEqual(['path', 'points'])
    expect(missing({ note: 'a' })).toEqual(['path', 'points'])
    expect(missing({ path: '', points: [{ x: 0, y: 1 }, { y: 2 }], shape: { name: 'a' } })).toEqual(['points[1].x'])
    expect(missing({ file_path: 'a', points: [] })).toEqual([])
    if (field.kind !== 'group') throw new Error(field.kind)
    const chosen = { option: 1, draft: { parts: [null], rest: '' } }
    expect(missingIn(field, { parts: ['a', { items: [] }, chosen, null], rest: '' })).toEqual(['shape.name'])
  })

  it('names the shapes of a value by what tells them apart, and begins one with that filled in', () => {
    const shape = (type: string) => ({ type: 'object', properties: { type: { const: type } }, required: ['type'] })
    const field = fieldsOf({ oneOf: [shape('circle'), shape('square')] })
    if (field.kind !== 'either') throw new Error(field.kind)
    expect(field.options.map(({ label }) => label)).toEqual(['circle', 'square'])
    const [, square] = field.options
    if (!square) throw new Error('no option')
    expect(madeOf(square.field, firstDraft(square.field)).value).toEqual({ type: 'square' })
  })

  it('takes options that only say what is required for one form', () => {
    const schema = {
      type: 'object',
      properties: { url: { type: 'string' }, path: { type: 'string' } },
      anyOf: [{ required: ['url'] }, { required: ['path'] }],
    }
    expect(kindsOf(fieldsOf(schema))).toEqual({ url: 'text', path: 'text' })
  })

  it('gives nothing, and no null, for what is left empty', () => {
    const field = fieldsOf({
      type: 'object',
      properties: {
        a: { type: 'string' },
        b: { type: 'number', default: 2 },
        c: { anyOf: [{ type: 'boolean' }, { type: 'null' }] },
        d: { type: 'object', properties: { e: { type: 'string' } } },
      },
    })
    expect(madeOf(field, { parts: [null, '', null, null], rest: '' })).toEqual({ value: {}, problems: [] })
  })

  it('keeps what fits no field: other types, fields that no schema names, a null that was given', () => {
    const schema = { type: 'object', properties: { count: { type: 'integer' }, name: { type: 'string' } } }
    const args = { count: 'three', name: null, more: [1], further: {} }
    expect(through(schema, args)).toEqual({ value: args, problems: [] })
  })

  it('names the field whose text is no value', () => {
    const field = fieldsOf({
      type: 'object',
      properties: { count: { type: 'integer' }, part: { type: 'array', items: { type: 'number' } }, any: {} },
    })
    const { value, problems } = madeOf(field, { parts: ['1.5', { items: ['1', 'x'] }, '{'], rest: '' })
    expect(value).toEqual({ part: [1] })
    expect(problems).toEqual(['count: a whole number is needed', 'part[1]: “x” is no number', 'any: no JSON yet'])
  })

  it('ends at schemas that contain themselves, are too large, or name what every object has', () => {
    const tree = { type: 'object', properties: { children: { type: 'array', items: { $ref: '#' } } } }
    const args = { children: [{ children: [{ children: [{ children: [{ children: [] }] }] }] }] }
    expect(through(tree, args).value).toEqual(args)
    expect(fieldsOf({ $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/a' } } }).kind).toBe('json')
    expect(fieldsOf({ $ref: '#/constructor' }).kind).toBe('json')
    const wide = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`a${at}`, { type: 'string' }]))
    expect(fieldsOf({ type: 'object', properties: wide }).kind).toBe('json')
    const named = JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}') as Schema
    const own = JSON.parse('{"__proto__":"text"}') as unknown
    expect(JSON.stringify(through(named, own).value)).toBe('{"__proto__":"text"}')
  })
})
