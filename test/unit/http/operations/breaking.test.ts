import { readFileSync } from 'node:fs'
import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { breakingChanges } from '../../../../scripts/openapi/breaking.ts'
import { baselinePath, DOCUMENTED, documentFor } from '../../../../scripts/openapi/documents.ts'
import type { AppEnv } from '../../../../src/http/dialect.ts'
import { documentOf, type OpenApi } from '../../../../src/http/operations/document.ts'
import type { Method, Operation } from '../../../../src/http/operations/operation.ts'
import { guardedRoute, route, routesOf } from '../../../../src/http/operations/route.ts'

const INFO = { title: 'Things', version: '1', description: 'Of a test.', tags: { things: 'Things.' } }
const Part = z.object({ name: z.string(), kind: z.enum(['a', 'b']) })

const BEFORE: Operation = {
  id: 'changeThing',
  tag: 'things',
  summary: 'Change a thing',
  scope: 'read',
  params: { id: 'Its id.' },
  query: z.object({ limit: z.int().min(1).max(10).optional().meta({ description: 'Most.' }) }),
  headers: { 'If-Match': 'Its version.' },
  body: z.strictObject({ name: z.string(), size: z.int().optional(), kind: z.enum(['a', 'b']).optional() }),
  answers: {
    200: {
      description: 'It.',
      content: z.object({ id: z.string(), part: Part.meta({ id: 'Part' }), size: z.int().nullable() }),
    },
    202: { description: 'Later.' },
  },
  problems: [],
  example: { params: { id: 'a' }, body: { name: 'b' }, status: 200 },
}

function documented(more: Partial<Operation> = {}, path = '/things/:id', method: Method = 'post'): OpenApi {
  const app = new Hono<AppEnv>()
  route(app, method, path, { ...BEFORE, ...more }, (c) => c.body(null))
  return documentOf(routesOf(app), INFO)
}
const whatBreaks = (after: OpenApi) => breakingChanges(documented(), after).map(({ what }) => what)
const answer = (content: z.ZodType, more = {}) => ({
  answers: { ...BEFORE.answers, 200: { description: 'It.', content }, ...more },
})
const part = (schema: z.ZodType) =>
  answer(z.object({ id: z.string(), part: schema.meta({ id: 'Part' }), size: z.int().nullable() }))

describe('a change that breaks clients', () => {
  it.each<[string, OpenApi, string]>([
    ['another path', documented({}, '/items/:id'), 'POST /things/{} is gone'],
    ['another method', documented({}, '/things/:id', 'put'), 'POST /things/{} is gone'],
    ['another name of the operation', documented({ id: 'updateThing' }), 'its id is updateThing now'],
    ['a higher scope', documented({ scope: 'admin' }), '{"bearer":["read"]} is not enough any more'],
    ['a parameter that is gone', documented({ query: z.object({}) }), 'its query limit is gone'],
    ['a header that is gone', documented({ headers: {} }), 'its header If-Match is gone'],
    [
      'a header that is required',
      documented({ headers: { 'If-Match': { description: 'x', schema: z.string(), required: true } } }),
      'its header If-Match is required now',
    ],
    [
      'a narrower parameter',
      documented({ query: z.object({ limit: z.int().min(1).max(5).optional().meta({ description: 'Most.' }) }) }),
      'its query limit: maximum is 5 now; it was 10',
    ],
    [
      'a field of the body that is required',
      documented({ body: z.strictObject({ name: z.string(), size: z.int(), kind: z.enum(['a', 'b']).optional() }) }),
      'its body: "size" is required now',
    ],
    [
      'a field of the body that is gone',
      documented({ body: z.strictObject({ name: z.string(), kind: z.enum(['a', 'b']).optional() }) }),
      'its body at /properties/size: was removed',
    ],
    [
      'fewer values in the body',
      documented({
        body: z.strictObject({ name: z.string(), size: z.int().optional(), kind: z.enum(['a']).optional() }),
      }),
      'its body at /properties/kind: may no longer be one of ["b"]',
    ],
    ['no body', documented({ body: undefined as never }), 'it takes no body any more'],
    ['another media type', documented({ body: { raw: 'text/plain' } }), 'its body is no application/json any more'],
    ['an answer that is gone', documented({ answers: { 202: { description: 'Later.' } } }), 'its answer 200 is gone'],
    [
      'a field of an answer that is gone, in a schema with a name',
      documented(part(Part.omit({ name: true }))),
      'its answer 200 at /properties/part/properties/name: was removed',
    ],
    [
      'a field of an answer that may be missing',
      documented(part(Part.partial({ name: true }))),
      'its answer 200 at /properties/part: "name" is no longer required',
    ],
    [
      'more values in an answer',
      documented(part(Part.extend({ kind: z.enum(['a', 'b', 'c']) }))),
      'its answer 200 at /properties/part/properties/kind: may be one of ["c"] now',
    ],
    [
      'another type in an answer',
      documented(answer(z.object({ id: z.string(), part: Part.meta({ id: 'Part' }), size: z.number().nullable() }))),
      'its answer 200 at /properties/size: may be number now',
    ],
  ])('is %s', (_what, after, what) => {
    expect(whatBreaks(after)).toContain(what)
  })

  it('is an alternative that is new in an answer, gone from a request, or another one', () => {
    const [one, two] = [z.object({ a: z.int() }), z.object({ a: z.int(), b: z.string().optional() })]
    const answered = (...these: z.ZodType[]) => documented(answer(z.union(these)))
    const taken = (...these: z.ZodType[]) => documented({ body: z.union(these) })
    const what = (before: OpenApi, after: OpenApi) => breakingChanges(before, after).map((change) => change.what)
    expect(what(answered(one, z.string()), answered(one, z.string(), z.null()))).toEqual([
      'its answer 200: maxItems is 3 now; it was 2',
    ])
    expect(what(taken(one, z.string(), z.null()), taken(one, z.string()))).toEqual([
      'its body at /properties/alternative 3: was removed',
      'its body: maxItems is 2 now; it was 3',
    ])
    expect(what(answered(two, z.string()), answered(one, z.string()))).toEqual([
      'its answer 200 at /properties/alternative 1/properties/b: was removed',
    ])
    expect(what(taken(one, z.string()), taken(two, z.string(), z.null()))).toEqual([])
  })

  it('is a key for what was open to all', () => {
    const app = new Hono<AppEnv>()
    const { scope: _, ...open } = BEFORE
    guardedRoute(app, 'post', '/things/:id', { credentials: [], allow: () => {} }, open, (c) => c.body(null))
    const before = documentOf(routesOf(app), INFO)
    expect(breakingChanges(before, documented())).toEqual([{ operation: 'changeThing', what: 'it needs a key now' }])
    expect(breakingChanges(documented(), before)).toEqual([])
  })

  it.each<[string, OpenApi]>([
    ['nothing', documented()],
    [
      'another name of a parameter in the path',
      documented({ params: { name: 'x' }, example: { params: { name: 'a' }, status: 200 } }, '/things/:name'),
    ],
    [
      'one more parameter',
      documented({
        query: (BEFORE.query as z.ZodObject).extend({ q: z.string().optional().meta({ description: 'Q.' }) }),
      }),
    ],
    ['one more field of an answer', documented(part(Part.extend({ more: z.string() })))],
    [
      'one more value in the body',
      documented({
        body: z.strictObject({ name: z.string(), size: z.int().optional(), kind: z.enum(['a', 'b', 'c']).optional() }),
      }),
    ],
    ['one more answer', documented({ answers: { ...BEFORE.answers, 201: { description: 'New.' } } })],
    ['other words', documented({ summary: 'Alter a thing', description: 'At once.' })],
  ])('is not %s', (_what, after) => {
    expect(whatBreaks(after)).toEqual([])
  })
})

/** Operations whose clients the changelog tells what breaks them. */
const named =
  /^### What breaks clients$(.*?)(?=^##|$(?![\s\S]))/ms.exec(
    readFileSync('CHANGELOG.md', 'utf8').split(/^## /m)[1] ?? '',
  )?.[1] ?? ''

it.each(DOCUMENTED)(
  'the document of $name breaks no client since its baseline, but where the changelog says so',
  (documented) => {
    const baseline = JSON.parse(readFileSync(baselinePath(documented.name), 'utf8')) as OpenApi
    const untold = breakingChanges(baseline, documentFor(documented)).filter(
      ({ operation }) => !named.includes(`\`${operation}\``),
    )
    expect(untold, 'say it in CHANGELOG.md below "### What breaks clients", with the operation in backticks').toEqual(
      [],
    )
  },
)
