import type { DocumentedOperation, OpenApi } from '../../../src/http/operations/document.ts'

/** Document of a published dialect, and requests that its examples make. */
export interface PublishedDocument {
  readonly document: OpenApi
  readonly examples: readonly PublishedExample[]
}

export interface PublishedExample {
  readonly method: string
  /** Path of the document, and the path and query that the example sends. */
  readonly path: string
  readonly url: string
  readonly body?: unknown
  /** Whether the body is sent as a form, whose parts are files. */
  readonly isForm?: true
  readonly status: number
}

interface PublishedParameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'cookie'
  readonly description: string
  readonly required?: true
  readonly schema: object
}

interface PublishedOperation {
  readonly method: string
  readonly path: string
  readonly id: string
  readonly summary: string
  readonly description?: string
  readonly parameters?: readonly PublishedParameter[]
  /** Schema of a JSON body. */
  readonly body?: object
  /** Schema of a form, where the body is one. */
  readonly form?: object
  /** Answer with the status 200. */
  readonly answer: object
  /** Statuses of refusals besides 401, 403 and 429. */
  readonly more?: readonly string[]
  readonly example: {
    readonly params?: Readonly<Record<string, string>>
    readonly query?: Readonly<Record<string, string>>
    readonly body?: unknown
    /** Status of its answer; 200 when left out. */
    readonly status?: number
  }
}

interface Given {
  readonly title: string
  readonly description: string
  readonly tag: { readonly name: string; readonly description: string }
  /** Header that has the key. */
  readonly security: string
  /** Media type of refusals that are problems; FastAPI's form when left out. */
  readonly refusal?: 'application/problem+json'
  readonly schemas: Readonly<Record<string, object>>
  readonly operations: readonly PublishedOperation[]
}

export const JSON_ANSWER = (schema: object) => ({
  description: 'The answer.',
  content: { 'application/json': { schema } },
})

/** Schema of an object that has all of its fields. */
export const wholeObject = <Fields extends object>(properties: Fields) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
})

const PROBLEM = {
  description: 'A problem by RFC 9457.',
  content: {
    'application/problem+json': {
      schema: {
        type: 'object',
        properties: { status: { type: 'integer' }, code: { type: 'string' }, detail: { type: 'string' } },
        required: ['status', 'code', 'detail'],
      },
    },
  },
}

const REFUSAL = {
  description: 'A refusal in the form of FastAPI.',
  content: {
    'application/json': {
      schema: {
        type: 'object',
        properties: {
          detail: { description: 'What was wrong: a text, or a list of mistakes.' },
          details: { type: 'array', items: { type: 'object' }, description: "Mistakes in the Tool Server's form." },
        },
      },
    },
  },
}

/** OpenAPI 3.1 document of a dialect whose routes are not operations: described by hand, and held to the routes by tests. */
export function publishedDocument({ operations, ...given }: Given): PublishedDocument {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const operation of operations) {
    const { method, path } = operation
    paths[path] = { ...paths[path], [method]: operationOf(operation, given) }
  }
  const document = {
    openapi: '3.1.0',
    info: {
      title: given.title,
      version: '1',
      description: given.description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'The server that this document comes from.' }],
    tags: [given.tag],
    paths,
    components: {
      schemas: given.schemas,
      securitySchemes: { key: { type: 'apiKey', in: 'header', name: given.security, description: 'An API key.' } },
    },
  }
  return { document: document as unknown as OpenApi, examples: operations.map(exampleOf) }
}

function operationOf(
  { id, summary, description, parameters = [], body, form, answer, more = [], example }: PublishedOperation,
  { tag, refusal }: Pick<Given, 'tag' | 'refusal'>,
): DocumentedOperation {
  const refusals = ['401', '403', ...more, '429', 'default'].map((status) => [status, refusal ? PROBLEM : REFUSAL])
  return {
    operationId: id,
    tags: [tag.name],
    summary,
    ...(description !== undefined && { description }),
    security: [{ key: [] }],
    ...(parameters.length > 0 && {
      parameters: parameters.map((parameter) => {
        const given = (parameter.in === 'path' ? example.params : example.query)?.[parameter.name]
        const isNumber = (parameter.schema as { type?: unknown }).type === 'integer'
        return given === undefined ? parameter : { ...parameter, example: isNumber ? Number(given) : given }
      }),
    }),
    ...(body && {
      requestBody: { required: true, content: { 'application/json': { schema: body, example: example.body } } },
    }),
    ...(form && { requestBody: { required: true, content: { 'multipart/form-data': { schema: form } } } }),
    responses: { 200: answer, ...Object.fromEntries(refusals) },
  } as unknown as DocumentedOperation
}

function exampleOf({
  method,
  path,
  form,
  example: { params = {}, query, body, status = 200 },
}: PublishedOperation): PublishedExample {
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name] ?? '').replaceAll('%2F', '/'))
  const search = query ? `?${new URLSearchParams(query)}` : ''
  return {
    method,
    path,
    status,
    url: filled + search,
    ...(body !== undefined && { body }),
    ...(form && { isForm: true }),
  }
}
