import {
  type DocumentedContent,
  type DocumentedOperation,
  type DocumentedResponse,
  type OpenApi,
  PROBLEM_JSON,
} from '../../../src/http/operations/document.ts'
import type { JsonSchema } from '../../../src/http/operations/json-schema.ts'
import { checkValue } from '../../../src/registry/check/check-value.ts'

/** Checks answers against a document, which must be a closed one: there an undeclared field is a mistake. */
export class AnswerCheck {
  readonly #document: OpenApi
  /** Operations by method and the segments of their path, most literal path first. */
  readonly #places: readonly Place[]

  constructor(document: OpenApi) {
    this.#document = document
    this.#places = Object.entries(document.paths)
      .flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, operation]) => ({
          method,
          path,
          operation,
          matches: matcherOf(path, operation),
        })),
      )
      .sort((a, b) => literal(b.path) - literal(a.path))
  }

  /** Operation of a request; undefined when the document has none. */
  operationOf(method: string, pathname: string): DocumentedOperation | undefined {
    const wanted = method === 'HEAD' ? 'get' : method.toLowerCase()
    return this.#places.find((place) => place.method === wanted && place.matches.test(pathname))?.operation
  }

  /**
   * Checks an answer: its status, media type and JSON. A stream is not read, nor is the answer used up.
   * @throws Error naming the request and what the document does not allow
   */
  async check(method: string, url: string, response: Response): Promise<void> {
    const operation = this.operationOf(method, new URL(url, 'http://localhost').pathname)
    if (!operation) return
    const wrong = await this.#misfit(operation, method, response)
    if (wrong !== null) {
      throw new Error(`${method} ${url} (${operation.operationId}) is answered ${response.status}, and ${wrong}`)
    }
  }

  async #misfit(operation: DocumentedOperation, method: string, response: Response): Promise<string | null> {
    const { status } = response
    const declared = operation.responses[status] ?? (status >= 500 ? operation.responses.default : undefined)
    if (!declared) return `its operation declares ${Object.keys(operation.responses)} alone`
    const content = this.#contentOf(declared)
    const type = response.headers.get('Content-Type')?.split(';', 1)[0]?.trim().toLowerCase()
    if (!content) return type === undefined || status === 304 ? null : `has the content ${type}, which is not declared`
    // A file may be JSON too, and is no answer of that schema.
    const isFile = response.headers.get('Content-Disposition')?.startsWith('attachment') && '*/*' in content
    const media = type === undefined ? undefined : isFile ? content['*/*'] : (content[type] ?? content['*/*'])
    if (!media) return `its content is ${type}, not ${Object.keys(content)}`
    if (method === 'HEAD' || media.schema === undefined || !isJson(type)) return null
    const value = JSON.parse(await response.clone().text())
    const misfits = checkValue({ ...media.schema, components: this.#document.components }, value)
    if (misfits.length === 0) return null
    const shown = misfits.slice(0, 5).map(({ path, message }) => `${path || '/'} ${message}`)
    return `its body does not fit: ${shown.join('; ')}\n${JSON.stringify(value).slice(0, 1_000)}`
  }

  #contentOf(response: DocumentedResponse): DocumentedContent | undefined {
    if (!('$ref' in response)) return response.content
    const problem: JsonSchema = { $ref: '#/components/schemas/Problem' }
    return { [PROBLEM_JSON]: { schema: problem } }
  }
}

interface Place {
  readonly method: string
  readonly path: string
  readonly operation: DocumentedOperation
  readonly matches: RegExp
}

const isJson = (type: string | undefined) => type !== undefined && /\bjson$/.test(type)

/** Number of a path's literal segments. */
const literal = (path: string) => path.split('/').filter((segment) => !segment.startsWith('{')).length

/** Expression for the paths of an operation. */
function matcherOf(path: string, { parameters = [] }: DocumentedOperation): RegExp {
  const withSlashes = parameters.filter((parameter) => parameter['x-slashes']).map(({ name }) => `{${name}}`)
  const segments = path.split('/').map((segment) => {
    if (!segment.startsWith('{')) return RegExp.escape(segment)
    return withSlashes.includes(segment) ? '.+' : '[^/]+'
  })
  return new RegExp(`^${segments.join('/')}/?$`)
}
