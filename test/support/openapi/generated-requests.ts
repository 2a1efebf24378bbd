import type { DocumentedOperation, DocumentedParameter, OpenApi } from '../../../src/http/operations/document.ts'
import { randomOf } from '../random.ts'
import type { Sendable } from './examples.ts'
import { Values } from './generated-values.ts'

/**
 * Requests for an operation, the same ones each time: some as the document has them, some with another path, query, header or
 * body than it allows.
 * @param example of the operation, whose key and path are of things that are there
 */
export function* generatedRequests(
  example: Sendable,
  operation: DocumentedOperation,
  document: OpenApi,
  count: number,
): Generator<Sendable> {
  for (let seed = 1; seed <= count; seed++) {
    const values = new Values(randomOf(seed), document as unknown as Record<string, unknown>)
    yield new Generated(values, example, operation).request()
  }
}

class Generated {
  readonly #values: Values
  readonly #example: Sendable
  readonly #operation: DocumentedOperation

  constructor(values: Values, example: Sendable, operation: DocumentedOperation) {
    this.#values = values
    this.#example = example
    this.#operation = operation
  }

  request(): Sendable {
    const { method, headers } = this.#example
    const body = this.#body()
    const inHeaders = this.#parameters('header').map(({ name }) => [name, headerText(this.#values.text())] as const)
    return {
      method,
      path: this.#path() + this.#query(),
      headers: { ...headers, ...Object.fromEntries(inHeaders.filter(() => this.#values.chance(0.5))) },
      ...(body !== undefined && { body }),
    }
  }

  /** The example's path; sometimes one of its last segments is another text. */
  #path(): string {
    const [path = ''] = this.#example.path.split('?')
    if (this.#parameters('path').length === 0 || this.#values.chance(0.7)) return path
    const segments = path.split('/')
    const at = this.#values.pick([segments.length - 1, segments.length - 2])
    const text = encodeURIComponent(this.#values.text().toWellFormed()) || 'x'
    return segments
      .map((segment, index) => (index === at ? this.#values.pick([text, '%E0%A4%A', '%00']) : segment))
      .join('/')
  }

  #query(): string {
    const query = new URLSearchParams()
    for (const { name, schema, required } of this.#parameters('query')) {
      if (!required && this.#values.chance(0.5)) continue
      const value = this.#values.chance(0.6) ? this.#values.fitting(schema) : this.#values.text()
      query.append(name, typeof value === 'string' ? value : JSON.stringify(value))
      if (this.#values.chance(0.1)) query.append(name, this.#values.text())
    }
    if (this.#values.chance(0.1)) query.append('unknown', this.#values.text())
    return query.size === 0 ? '' : `?${query}`
  }

  #body(): Sendable['body'] {
    const { requestBody } = this.#operation
    if (!requestBody) return undefined
    const [content] = Object.values(requestBody.content)
    if (!content?.schema) return this.#values.pick<Sendable['body']>([this.#example.body ?? '', this.#values.text()])
    const fitting = this.#values.chance(0.3) ? content.example : this.#values.fitting(content.schema)
    const value = this.#values.chance(0.6) ? fitting : this.#values.broken(fitting)
    const json = JSON.stringify(value)
    return this.#values.chance(0.9)
      ? json
      : this.#values.pick(['', json.slice(1), `${json}}`, '['.repeat(2_000), '\ufeff{}'])
  }

  #parameters(place: DocumentedParameter['in']): DocumentedParameter[] {
    return (this.#operation.parameters ?? []).filter((parameter) => parameter.in === place)
  }
}

/** A text that can be sent in a header. */
const headerText = (text: string) => text.replace(/[^\x20-\x7e]/g, '?').trim()
