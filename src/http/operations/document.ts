import type * as z from 'zod'
import { type JsonSchema, JsonSchemas } from './json-schema.ts'
import { type Answer, type Content, type GuardedOperation, isRaw, type Parameter } from './operation.ts'
import { ProblemSchema } from './problem-schema.ts'
import type { Route } from './route.ts'

/** Words about a document as a whole. */
export interface DocumentInfo {
  readonly title: string
  readonly version: string
  readonly description: string
  /** Descriptions of the resources, by the operations' tags, in the order in which a reader meets them. */
  readonly tags: Readonly<Record<string, string>>
}

/** An OpenAPI 3.1 document, as far as its readers here need to know it. */
export interface OpenApi {
  readonly openapi: '3.1.0'
  readonly info: JsonSchema
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> } & JsonSchema
}

export interface DocumentedOperation {
  readonly operationId: string
  /** Credentials of which a request needs one, each with the scope that a key needs; empty for an operation open to all. */
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  readonly parameters?: readonly DocumentedParameter[]
  readonly requestBody?: { readonly required: boolean; readonly content: DocumentedContent }
  readonly responses: Readonly<Record<string, DocumentedResponse>>
}

export interface DocumentedParameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly schema: JsonSchema
  /** Whether slashes in a value of the path may be sent as they are; `%2F` is taken in any. */
  readonly 'x-slashes'?: true
}

export type DocumentedContent = Readonly<Record<string, { readonly schema?: JsonSchema; readonly example?: unknown }>>
export type DocumentedResponse = { readonly $ref: string } | { readonly content?: DocumentedContent }

/** Media type of problems. */
export const PROBLEM_JSON = 'application/problem+json'
const PROBLEM = { $ref: '#/components/responses/Problem' }
/** Statuses of problems that each operation may answer; those above are `default`. */
const USUAL_PROBLEMS = [400, 401, 403, 429, 500]

/**
 * OpenAPI 3.1 document of operations.
 * @param closed whether answers have no fields besides their schemas', as tests want it
 * @throws Error for an operation that cannot be documented, naming it
 */
export function documentOf(routes: readonly Route[], info: DocumentInfo, { closed = false } = {}): OpenApi {
  const schemas = new JsonSchemas({ closed })
  const problem = {
    description: 'A problem.',
    content: { [PROBLEM_JSON]: { schema: schemas.of(ProblemSchema, 'answer') } },
  }
  const paths: Record<string, Record<string, DocumentedOperation>> = {}
  const ids = new Set<string>()
  for (const route of routes) {
    const { id, tag } = route.operation
    try {
      if (ids.has(id)) throw new Error('another operation has this id')
      if (!Object.hasOwn(info.tags, tag)) throw new Error(`there is no description of the tag ${tag}`)
      ids.add(id)
      const path = templateOf(route.path)
      paths[path] = { ...paths[path], [route.method]: operationOf(route, schemas) }
    } catch (thrown) {
      throw new Error(`operation ${id}: ${thrown instanceof Error ? thrown.message : thrown}`, { cause: thrown })
    }
  }
  const { tags, ...words } = info
  return {
    openapi: '3.1.0',
    info: { ...words, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: '/', description: 'The server that this document comes from.' }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: Object.fromEntries(Object.entries(schemas.named).sort(([a], [b]) => (a < b ? -1 : 1))),
      responses: { Problem: problem },
      securitySchemes: SECURITY_SCHEMES,
    },
  } as OpenApi
}

/** A parameter in Hono's paths, a whole segment: `:name`, or `:path{.+}` for all further segments. */
const PARAMETER = /(?<=\/):(\w+)(\{[^}]*\})?/g

/** Path of a document: Hono's `:name` and `:path{.+}` are `{name}` and `{path}`. */
const templateOf = (path: string): string => path.replace(PARAMETER, '{$1}')

const SECURITY_SCHEMES = {
  bearer: { type: 'http', scheme: 'bearer', description: 'An API key. A local server needs none.' },
  header: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'An API key.' },
  owner: { type: 'http', scheme: 'bearer', description: "The ADMIN_TOKEN of the server's owner." },
}

function operationOf(
  { method, path, operation: given, credentials, scope }: Route,
  schemas: JsonSchemas,
): DocumentedOperation {
  const operation = method === 'get' ? given : withKey(given)
  const { id, tag, summary, description, example } = operation
  const roles = scope === undefined ? [] : [scope]
  const security = [
    ...(credentials.includes('key') ? [{ bearer: roles }, { header: roles }] : []),
    ...(credentials.includes('owner') ? [{ owner: [] }] : []),
  ]
  const parameters = parametersOf(path, operation, schemas)
  const body = bodyOf(operation)
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    security,
    ...(parameters.length > 0 && { parameters }),
    ...(body.length > 0 && {
      requestBody: { required: !operation.bodyIsOptional, content: contentOf(body, 'request', schemas, example.body) },
    }),
    responses: responsesOf(operation, schemas),
  } as DocumentedOperation
}

/** An operation that may change something: it takes an idempotency key. */
const withKey = (operation: GuardedOperation): GuardedOperation => ({
  ...operation,
  headers: { ...operation.headers, 'Idempotency-Key': KEY },
  problems: [...operation.problems, 409, 413, 422],
})

const KEY =
  'A name of your own for this request, 1 to 255 visible characters: sent again with the same key, the request is carried out once and has the first answer, with `Idempotent-Replayed: true`.'

function parametersOf(path: string, operation: GuardedOperation, schemas: JsonSchemas): DocumentedParameter[] {
  const { params = {}, query, headers = {}, example } = operation
  const inPath = [...path.matchAll(PARAMETER)].map(([, name = '', pattern]) => {
    const written = parameterOf(params[name] ?? fail(`the path's parameter ${name} is not described`), schemas)
    const given = example.params?.[name] ?? fail(`the example has no ${name}`)
    return {
      name,
      in: 'path',
      required: true,
      ...written,
      ...(pattern && { 'x-slashes': true }),
      example: textValue(given, written.schema),
    }
  })
  const unknown = Object.keys(params).find((name) => !inPath.some((parameter) => parameter.name === name))
  if (unknown !== undefined) fail(`the path has no parameter ${unknown}`)
  const inHeaders = Object.entries(headers).map(([name, parameter]) => ({
    ...{ name, in: 'header', ...parameterOf(parameter, schemas) },
    ...(example.headers?.[name] !== undefined && { example: example.headers[name] }),
  }))
  return [...inPath, ...(query ? queryOf(query, example.query, schemas) : []), ...inHeaders] as DocumentedParameter[]
}

function parameterOf(parameter: Parameter, schemas: JsonSchemas) {
  if (typeof parameter === 'string') return { description: parameter, schema: { type: 'string' } }
  const { description, schema, required } = parameter
  return { description, ...(required && { required }), schema: schemas.of(schema, 'request') }
}

/** Parameters of a query: the properties of its schema. */
function queryOf(query: z.ZodType, example: Readonly<Record<string, string>> | undefined, schemas: JsonSchemas) {
  const { properties = {}, required = [] } = schemas.of(query, 'request') as {
    properties?: Record<string, JsonSchema>
    required?: string[]
  }
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    ...(required.includes(name) && { required: true }),
    description: description ?? fail(`the query's ${name} is not described: give its schema .meta({ description })`),
    schema,
    ...(example?.[name] !== undefined && { example: textValue(example[name], schema) }),
  }))
}

/** Value of a path's or query's text, as its schema has it. */
const textValue = (text: string, { type }: JsonSchema): unknown =>
  type === 'integer' || type === 'number' ? Number(text) : type === 'boolean' ? text === 'true' : text

const bodyOf = ({ body }: GuardedOperation): readonly Content[] =>
  body === undefined ? [] : Array.isArray(body) ? body : [body as Content]

function contentOf(contents: readonly Content[], side: 'request' | 'answer', schemas: JsonSchemas, example?: unknown) {
  const shown = example === undefined ? {} : { example }
  return Object.fromEntries(
    contents.map((content, at) => {
      const [type, schema] = isRaw(content) ? [content.raw, content.schema] : ['application/json', content]
      return [type, { ...(schema && { schema: schemas.of(schema, side) }), ...(at === 0 && shown) }]
    }),
  )
}

function responsesOf(operation: GuardedOperation, schemas: JsonSchemas): Record<string, unknown> {
  const { answers, problems } = operation
  const answered = Object.entries(answers).map(([status, answer]) => [status, responseOf(answer, schemas)] as const)
  const failed = [...problems, ...USUAL_PROBLEMS]
  const all = [...answered, ...failed.map((status) => [String(status), PROBLEM] as const)]
  return { ...Object.fromEntries(all.sort(([a], [b]) => Number(a) - Number(b))), default: PROBLEM }
}

function responseOf({ description, content, headers }: Answer, schemas: JsonSchemas) {
  const contents = content === undefined ? [] : Array.isArray(content) ? content : [content as Content]
  return {
    description,
    ...(headers && {
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, words]) => [name, { description: words, schema: { type: 'string' } }]),
      ),
    }),
    ...(contents.length > 0 && { content: contentOf(contents, 'answer', schemas) }),
  }
}

function fail(message: string): never {
  throw new Error(message)
}
