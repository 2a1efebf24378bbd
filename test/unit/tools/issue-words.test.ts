import { expect, it } from 'vitest'
import * as z from 'zod'
import { safeRead } from '../../../src/core/safe-read.ts'
import { describeIssues } from '../../../src/tools/registry.ts'

const Input = z.strictObject({
  answer: z.enum(['text', 'data']).optional(),
  kind: z.literal('zip').optional(),
  count: z.union([z.string(), z.array(z.string()), z.null()]).optional(),
  source: z
    .discriminatedUnion('type', [
      z.strictObject({ type: z.literal('file'), path: z.string() }),
      z.strictObject({ type: z.literal('link'), url: z.string() }),
    ])
    .optional(),
  auth: z.union([z.array(z.strictObject({ secret: z.string() })), z.record(z.string(), z.string())]).optional(),
})

function wordsOn(schema: z.ZodType, input: unknown): string {
  const read = safeRead(schema, input)
  return read.success ? 'fits' : describeIssues(read.error)
}

it.each([
  ['a value that is none of a list', { answer: 'txt' }, 'answer: must be one of "text", "data"; got "txt"'],
  ['a value of another kind', { answer: 7 }, 'answer: must be one of "text", "data"; got 7'],
  ['a long value', { answer: 'x'.repeat(100) }, `answer: must be one of "text", "data"; got "${'x'.repeat(40)}…"`],
  ['the only value there is', { kind: { a: 1 } }, 'kind: must be "zip"; got an object'],
  ['a value that fits no form', { count: 7 }, 'count: must be a string or a list or null; got 7'],
  ['a part of the form that is meant', { count: ['a', 7] }, 'count.1: Invalid input: expected string, received number'],
  ['a form that there is not', { source: { type: 'dir' } }, 'source.type: must be one of "file", "link"; got "dir"'],
  ['a form that is not named', { source: {} }, 'missing required parameter: source.type (one of "file", "link")'],
  ['a form without a field', { source: { type: 'file' } }, 'missing required parameter: source.path'],
  [
    'a form inside of a list',
    { auth: [{ secret: 1 }] },
    'auth.0.secret: Invalid input: expected string, received number',
  ],
  ['a field that there is not', { anser: 'text' }, 'unknown field "anser"'],
  ['a field within another', { source: { type: 'link', url: 'a', path: 'b' } }, 'source: unknown field "path"'],
])('%s is refused by what was given and what may be', (_what, input, words) => {
  expect(wordsOn(Input, input)).toBe(words)
})

it('a value that is missing is said to be, with what it may be', () => {
  const input = z.object({ mode: z.enum(['merge', 'replace']) })
  expect(wordsOn(input, {})).toBe('missing required parameter: mode (one of "merge", "replace")')
})
