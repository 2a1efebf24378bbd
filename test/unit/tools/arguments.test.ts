import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  anyObject,
  commandLine,
  flag,
  integer,
  numberRanges,
  objects,
  oneOrMoreTexts,
  onePath,
  optional,
} from '../../../src/tools/arguments.ts'
import { describeIssues } from '../../../src/tools/registry.ts'

/** Value that a tool gets, or what a model reads. */
function read(schema: z.ZodType, value: unknown): unknown {
  const parsed = z.object({ it: schema }).safeParse({ it: value }, { reportInput: true })
  return parsed.success ? (parsed.data as { it?: unknown }).it : describeIssues(parsed.error)
}

describe('what a model writes for', () => {
  it.each([
    [true, true], ['true', true], ['True', true], [' yes', true], ['on', true], ['1', true], [1, true],
    [false, false], ['False', false], ['no', false], ['off', false], ['0', false], [0, false],
    ['maybe', 'it: must be true or false'], [2, 'it: must be true or false'], ['', 'it: must be true or false'],
  ])('a boolean, %j, is %j', (given, value) => expect(read(flag, given)).toEqual(value)) // biome-ignore format: a table

  it.each([
    [5, 5], ['5', 5], [' +5.0 ', 5], [5.0, 5],
    ['5 lines', 'it: must be a whole number'], [true, 'it: must be a whole number'], [[5], 'it: must be a whole number'],
  ])('a whole number, %j, is %j', (given, value) => expect(read(integer, given)).toEqual(value)) // biome-ignore format: a table

  it.each([
    [
      ['a', 'b'],
      ['a', 'b'],
    ],
    ['a', ['a']],
    ['["a", "b"]', ['a', 'b']],
    [' ["a"]', ['a']],
    ['[a', ['[a']],
    ['["a", 1]', 'it.1: Invalid input: expected string, received number'],
    [null, 'missing required parameter: it'],
    ['', 'it is required'],
    ['[]', 'it is required'],
  ])('a list of texts, %j, is %j', (given, value) => expect(read(oneOrMoreTexts, given)).toEqual(value))

  it.each([
    ['ls -la /', 'ls -la /'],
    [['ls -la | wc'], 'ls -la | wc'],
    [['ls', '-la', '/'], 'ls -la /'],
    [['grep', '-r', 'a b', "it's $(x)", ''], "grep -r 'a b' 'it'\\''s $(x)' ''"],
    [['bash', '-lc', 'cd app && ls'], "bash -lc 'cd app && ls'"],
    ['[ -f a ]', '[ -f a ]'],
    [
      ['ls', '|', 'wc'],
      expect.stringMatching(/^it: a list is taken as the words of one command; give several commands/),
    ],
    [
      ['cd app', 'ls'],
      expect.stringMatching(/^it: a list is taken as the words of one command; give several commands/),
    ],
    [['ls', 5], expect.stringMatching(/^it: a list is taken as the words/)],
    [['a', 'b\0c'], expect.stringMatching(/^it: a list is taken as the words/)],
    [[], expect.stringMatching(/^it: a list is taken as the words/)],
    [[''], 'it is required'],
    [null, 'missing required parameter: it'],
    ['', 'it is required'],
  ])('a command, %j, is %j', (given, value) => expect(read(commandLine, given)).toEqual(value))

  it.each([
    ['2,3', '2,3'], [2, '2'], [[2, 3], '2,3'], [['2-4', 7], '2-4,7'], ['[2, 3]', '2,3'],
    [[{}], 'it: Invalid input: expected string, received array'],
  ])('numbers and ranges, %j, are %j', (given, value) => expect(read(numberRanges, given)).toEqual(value)) // biome-ignore format: a table

  it.each([
    ['a', 'a'], [['a'], 'a'], [null, 'missing required parameter: it'],
    [['a', 'b'], 'it: give one path; make a call for each, or name them in one command'],
  ])('one path, %j, is %j', (given, value) => expect(read(onePath, given)).toEqual(value)) // biome-ignore format: a table

  it.each([
    [[{ a: 1 }], [{ a: 1 }]],
    [{ a: 1 }, [{ a: 1 }]],
    ['{"a": 1}', [{ a: 1 }]],
    ['[{"a": 1}]', [{ a: 1 }]],
    ['a.txt', 'it: Invalid input: expected array, received string'],
    [null, 'missing required parameter: it'],
  ])('a list of objects, %j, is %j', (given, value) => {
    expect(read(objects(z.object({ a: z.int() })), given)).toEqual(value)
  })

  it.each([
    [{ a: [1] }, { a: [1] }],
    ['{"a": [1]}', { a: [1] }],
    ['{"id": 12345678901234567890}', { id: '12345678901234567890' }],
    ['{"a"', 'it: Invalid input: expected record, received string'],
    ['[1]', 'it: Invalid input: expected record, received string'],
    [`{"a": ${'['.repeat(100_000)}`, 'it: Invalid input: expected record, received string'],
  ])('an object, %j, is %j', (given, value) => expect(read(anyObject, given)).toEqual(value))

  it('a text, an object, is told to be text', () => {
    expect(read(z.string(), { a: 1 })).toBe(
      'it: Invalid input: expected string, received object; give JSON as text, in quotes',
    )
  })

  it('nothing at all, null, is nothing', () => expect(read(optional(integer), null)).toBeUndefined())
})
