import { describe, expect, it } from 'vitest'
import { argumentProblem, schemaProblem } from '../../../../src/registry/schema-sanity.ts'
import { misfit } from '../../../../src/tools/registered/expected.ts'

describe('what a test call must give', () => {
  it.each([
    [3, 3],
    [null, null],
    [{ a: 1 }, { a: 1, b: 2 }],
    [
      [1, { a: [] }],
      [1, { a: [], more: true }],
    ],
    [{}, { anything: 1 }],
  ])('%j fits %j', (expected, value) => {
    expect(misfit(expected, value, 'result')).toBeNull()
  })

  it.each([
    [3, '3', 'result is "3" and not 3'],
    [{ a: { b: 1 } }, { a: { b: 2 } }, 'result.a.b is 2 and not 1'],
    [{ a: 1 }, {}, 'result has no a'],
    [{ toString: 1 }, {}, 'result has no toString'],
    [[1], [1, 2], 'result has 2 items and not 1'],
    [[[1]], [['1']], 'result[0][0] is "1" and not 1'],
    [{ a: 1 }, [1], 'result is [1] and no object'],
    [[], null, 'result is null and no list'],
  ])('%j does not fit %j', (expected, value, why) => {
    expect(misfit(expected, value, 'result')).toBe(why)
  })
})

describe('a schema of arguments', () => {
  it.each([
    {},
    { type: 'object', properties: { a: { type: 'string' }, b: true }, required: ['a'] },
    { required: ['a'] },
  ])('%j will do', (schema) => {
    expect(schemaProblem(schema)).toBeNull()
  })

  it.each([
    [{ type: 'array' }, 'its type must be "object"'],
    [{ properties: [] }, 'properties must be an object'],
    [{ properties: { a: 'string' } }, 'properties.a must be a schema'],
    [{ required: 'a' }, 'required must be a list'],
    [{ properties: {}, required: ['a'] }, 'requires a, which is not in properties'],
  ])('%j is refused', (schema, why) => {
    expect(schemaProblem(schema)).toContain(why)
  })

  it('names an argument of a test that the schema does not take', () => {
    const schema = { properties: { n: { type: 'string' } } }
    expect(argumentProblem(schema, { n: 3 })).toBe(
      'test.args do not fit input_schema: n: must be string, and is integer: 3',
    )
    expect(argumentProblem(schema, { n: '3' })).toBeNull()
    expect(argumentProblem({ properties: { n: { type: 'text' } } }, { n: 3 })).toBeNull()
  })

  it('names a required argument that a test leaves out', () => {
    expect(argumentProblem({ required: ['a', 'b'] }, { a: 1 })).toContain('b is required')
    expect(argumentProblem({ required: ['a'] }, { a: null })).toBeNull()
  })
})
