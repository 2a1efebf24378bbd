import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import type { AppEnv } from '../../../../src/http/dialect.ts'
import { documentOf } from '../../../../src/http/operations/document.ts'
import type { Operation } from '../../../../src/http/operations/operation.ts'
import { PageOf, pageQuery } from '../../../../src/http/operations/page.ts'
import { guardedRoute, route, routesOf } from '../../../../src/http/operations/route.ts'
import { AnswerCheck } from '../../../support/openapi/answer-check.ts'

const INFO = { title: 'Things', version: '1', description: 'Of a test.', tags: { things: 'Things.' } }
const Thing = z.object({ id: z.string(), made_at: z.iso.datetime(), size: z.int().min(0) }).meta({ id: 'Thing' })

const operation = (more: Partial<Operation> = {}): Operation => ({
  id: 'getThing',
  tag: 'things',
  summary: 'Get a thing',
  scope: 'read',
  answers: { 200: { description: 'The thing.', content: Thing } },
  problems: [404],
  example: { status: 200 },
  ...more,
})

/** Document of operations at their paths. */
function documented(
  operations: Readonly<Record<string, Partial<Operation>>>,
  options: Parameters<typeof documentOf>[2] = {},
) {
  const app = new Hono<AppEnv>()
  for (const [path, more] of Object.entries(operations)) {
    route(app, more.body ? 'post' : 'get', path, operation(more), (c) => c.body(null))
  }
  return documentOf(routesOf(app), INFO, options)
}

describe('the document of operations', () => {
  it('has a path with its parameters, of which one may hold slashes, and literal colons', () => {
    const params = { name: 'Its name.', path: 'Its path.' }
    const document = documented({
      '/things/:name/files/:path{.+}': { params, example: { params: { name: 'a', path: 'b/c' }, status: 200 } },
      '/things:batch': { id: 'batch' },
    })
    expect(Object.keys(document.paths)).toEqual(['/things/{name}/files/{path}', '/things:batch'])
    expect(document.paths['/things/{name}/files/{path}']?.get?.parameters).toEqual([
      { name: 'name', in: 'path', required: true, description: 'Its name.', schema: { type: 'string' }, example: 'a' },
      {
        ...{ name: 'path', in: 'path', required: true, description: 'Its path.', schema: { type: 'string' } },
        ...{ 'x-slashes': true, example: 'b/c' },
      },
    ])
  })

  it('keeps the bounds and the default of a query, and none of a safe integer', () => {
    const count = z.int().optional().meta({ description: 'A count.' })
    const document = documented({
      '/things': { query: z.object({ ...pageQuery(200), count }), example: { query: { limit: '5' }, status: 200 } },
    })
    const { parameters = [], responses } = document.paths['/things']?.get ?? { responses: {} }
    expect(parameters.map(({ name, schema }) => [name, schema])).toEqual([
      ['limit', { type: 'integer', minimum: 1, maximum: 200, default: 50 }],
      ['cursor', { type: 'string', minLength: 1, maxLength: 512 }],
      ['count', { type: 'integer' }],
    ])
    expect(parameters[0]).toMatchObject({ in: 'query', example: 5 })
    expect(Object.keys(responses)).toEqual(['200', '400', '401', '403', '404', '429', '500', 'default'])
  })

  it('names a schema once, and leaves answers open for fields to come, but for tests', () => {
    const answers = { 200: { description: 'Some.', content: PageOf(z.strictObject({ thing: Thing })) } }
    const open = documented({ '/things': { answers }, '/thing': { id: 'other' } })
    expect(open.components.schemas.Thing).toEqual({
      type: 'object',
      properties: {
        id: { type: 'string' },
        made_at: { type: 'string', format: 'date-time' },
        size: { type: 'integer', minimum: 0 },
      },
      required: ['id', 'made_at', 'size'],
    })
    expect(JSON.stringify(open.paths)).toContain('{"$ref":"#/components/schemas/Thing"}')
    expect(JSON.stringify(open)).not.toContain('additionalProperties')
    expect(documented({ '/thing': {} }, { closed: true }).components.schemas.Thing).toMatchObject({
      additionalProperties: false,
    })
  })

  it('refuses a body with fields that the operation does not know', () => {
    const document = documented({
      '/things': { body: z.strictObject({ a: z.string() }), example: { body: { a: 'b' }, status: 200 } },
    })
    expect(document.paths['/things']?.post).toMatchObject({
      requestBody: {
        required: true,
        content: { 'application/json': { schema: { additionalProperties: false }, example: { a: 'b' } } },
      },
      responses: { 400: {}, 413: {} },
    })
  })

  it('says which credentials and scope an operation needs', () => {
    const app = new Hono<AppEnv>()
    const { scope: _, ...open } = operation()
    route(app, 'get', '/a', operation({ id: 'a', scope: 'execute' }), (c) => c.body(null))
    guardedRoute(app, 'get', '/b', { credentials: ['owner'], allow: () => {} }, { ...open, id: 'b' }, (c) =>
      c.body(null),
    )
    guardedRoute(app, 'get', '/c', { credentials: [], allow: () => {} }, { ...open, id: 'c' }, (c) => c.body(null))
    const { paths } = documentOf(routesOf(app), INFO)
    expect(['/a', '/b', '/c'].map((path) => paths[path]?.get?.security)).toEqual([
      [{ bearer: ['execute'] }, { header: ['execute'] }],
      [{ owner: [] }],
      [],
    ])
  })

  it.each<[string, Record<string, Partial<Operation>>, string]>([
    ['one id for two operations', { '/a': {}, '/b': {} }, 'another operation has this id'],
    ['an unknown tag', { '/a': { tag: 'others' } }, 'no description of the tag others'],
    ['a parameter that nothing describes', { '/a/:b': {} }, "the path's parameter b is not described"],
    ['a parameter that is not in the path', { '/a': { params: { b: 'B.' } } }, 'the path has no parameter b'],
    ['an example without a parameter', { '/a/:b': { params: { b: 'B.' } } }, 'the example has no b'],
    [
      'a query that nothing describes',
      { '/a': { query: z.object({ q: z.string() }) } },
      "the query's q is not described",
    ],
    [
      'one id for the schema of a request and another of an answer',
      { '/a': { body: z.strictObject({ a: z.string() }).meta({ id: 'Thing' }) } },
      'two schemas have the id Thing',
    ],
    [
      'an answer that is a transformation',
      { '/a': { answers: { 200: { description: 'x', content: z.string().transform(Number) } } } },
      'operation getThing: Transforms cannot be represented',
    ],
  ])('cannot be made with %s, and says so', (_what, operations, message) => {
    expect(() => documented(operations)).toThrow(message)
  })
})

describe('the check of answers', () => {
  const check = async (path: string, response: Response, method = 'GET') => {
    const params = { id: 'Its id.' }
    const made = documented(
      {
        '/things/:id': { params, example: { params: { id: 'a' }, status: 200 } },
        '/things/new': { id: 'newThing', answers: { 204: { description: 'None.' } } },
        '/lines': {
          id: 'lines',
          answers: { 200: { description: 'Lines.', content: { raw: 'application/x-ndjson' } } },
        },
      },
      { closed: true },
    )
    try {
      await new AnswerCheck(made).check(method, `http://localhost${path}`, response)
      return 'allowed'
    } catch (thrown) {
      return (thrown as Error).message
    }
  }
  const thing = { id: 'a', made_at: '2026-11-20T00:00:00.000Z', size: 1 }
  const problem = (status: number, more = {}) =>
    new Response(
      JSON.stringify({
        ...{ type: 'about:blank', title: 't', status, detail: 'd', code: 'not_found', retryable: false, hint: 'h' },
        ...{ request_id: 'r', ...more },
      }),
      { status, headers: { 'Content-Type': 'application/problem+json' } },
    )

  it('lets pass what the document declares, and paths that it does not have', async () => {
    expect(await check('/things/a', Response.json(thing))).toBe('allowed')
    expect(await check('/things/new', new Response(null, { status: 204 }))).toBe('allowed')
    expect(await check('/lines', new Response('{}\n', { headers: { 'Content-Type': 'application/x-ndjson' } }))).toBe(
      'allowed',
    )
    expect(await check('/things/a', problem(404))).toBe('allowed')
    expect(await check('/things/a', problem(503, { code: 'unavailable' }))).toBe('allowed')
    expect(await check('/others', Response.json({}))).toBe('allowed')
  })

  it.each<[string, string, Response, string]>([
    [
      'a status',
      '/things/a',
      Response.json(thing, { status: 201 }),
      'declares 200,400,401,403,404,429,500,default alone',
    ],
    ['a problem', '/things/a', problem(409), 'declares 200'],
    ['a further field', '/things/a', Response.json({ ...thing, secret: 1 }), 'secret'],
    ['another type', '/things/a', Response.json({ ...thing, size: '1' }), 'size'],
    ['a missing field', '/things/a', Response.json({ id: 'a' }), 'made_at'],
    ['a media type', '/things/a', new Response('a thing'), 'its content is text/plain, not application/json'],
    [
      'an error of another form',
      '/things/a',
      Response.json({ detail: 'x' }, { status: 404 }),
      'its content is application/json',
    ],
    ['an unknown code of a problem', '/things/a', problem(404, { code: 'unheard_of' }), 'code'],
    [
      'a failure of the server in plain words',
      '/things/a',
      new Response('x', { status: 500 }),
      'its content is text/plain',
    ],
  ])('names %s that the document does not allow', async (_what, path, response, message) => {
    expect(await check(path, response)).toContain(message)
  })
})
