import type {
  DocumentedContent,
  DocumentedOperation,
  DocumentedParameter,
  OpenApi,
} from '../../src/http/operations/document.ts'
import type { JsonSchema } from '../../src/http/operations/json-schema.ts'
import { compareSchemas } from '../../src/registry/schema-change.ts'
import { isSchemaObject, localTarget } from '../../src/registry/schema-node.ts'

/** A change after which a client of the operation may fail. */
export interface Breaking {
  /** Id of the operation, as the document before has it. */
  readonly operation: string
  readonly what: string
}

/**
 * Changes between two documents that break clients: a request that was taken may be refused, or an answer is not what it was. An
 * operation, a parameter, a field, a media type or an answer is gone; something is required that was not; a type, a bound or a
 * list of values takes less in a request, or holds more in an answer; a key needs a higher scope. What is new breaks nobody.
 */
export function breakingChanges(before: OpenApi, after: OpenApi): readonly Breaking[] {
  const [old, young] = [operationsOf(before), operationsOf(after)]
  return [...old].flatMap(([place, was]) => {
    const is = young.get(place)
    const found = is ? new Comparison(before, after, was, is).changes() : [`${place} is gone`]
    return found.map((what) => ({ operation: was.operationId, what }))
  })
}

/** Operations by method and path, whatever their parameters are called. */
function operationsOf({ paths }: OpenApi): Map<string, DocumentedOperation> {
  const entries = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      return [`${method.toUpperCase()} ${path.replace(/\{\w+\}/g, '{}')}`, operation] as const
    }),
  )
  return new Map(entries)
}

class Comparison {
  readonly #before: OpenApi
  readonly #after: OpenApi
  readonly #was: DocumentedOperation
  readonly #is: DocumentedOperation

  constructor(before: OpenApi, after: OpenApi, was: DocumentedOperation, is: DocumentedOperation) {
    this.#before = before
    this.#after = after
    this.#was = was
    this.#is = is
  }

  changes(): string[] {
    const { operationId } = this.#is
    return [
      ...(operationId === this.#was.operationId ? [] : [`its id is ${operationId} now`]),
      ...this.#access(),
      ...this.#parameters(),
      ...this.#body(),
      ...this.#answers(),
    ]
  }

  /** Each credential that was enough must still be, with the scope that it had. */
  #access(): string[] {
    if (this.#is.security.length === 0) return []
    if (this.#was.security.length === 0) return ['it needs a key now']
    const known = new Set(this.#is.security.map((one) => JSON.stringify(one)))
    const gone = this.#was.security.filter((one) => !known.has(JSON.stringify(one)))
    return gone.map((one) => `${JSON.stringify(one)} is not enough any more`)
  }

  #parameters(): string[] {
    const [old, young] = [sent(this.#was), sent(this.#is)]
    const gone = [...old].flatMap(([name, was]) => {
      const is = young.get(name)
      if (!is) return [`its ${name} is gone`]
      const required = is.required && !was.required ? [`its ${name} is required now`] : []
      return [...required, ...this.#schemas('input', `its ${name}`, was.schema, is.schema)]
    })
    const added = [...young].filter(([name, { required }]) => required && !old.has(name))
    return [...gone, ...added.map(([name]) => `its ${name} is new and required`)]
  }

  #body(): string[] {
    const [was, is] = [this.#was.requestBody, this.#is.requestBody]
    if (!was) return is?.required ? ['it needs a body now'] : []
    return is ? this.#contents('input', 'its body', was.content, is.content) : ['it takes no body any more']
  }

  #answers(): string[] {
    return Object.entries(this.#was.responses).flatMap(([status, was]) => {
      if ('$ref' in was || status === 'default') return []
      const is = this.#is.responses[status]
      if (!is || '$ref' in is) return [`its answer ${status} is gone`]
      return this.#contents('output', `its answer ${status}`, was.content ?? {}, is.content ?? {})
    })
  }

  #contents(side: 'input' | 'output', place: string, before: DocumentedContent, after: DocumentedContent): string[] {
    return Object.entries(before).flatMap(([type, was]) => {
      const is = after[type]
      return is ? this.#schemas(side, place, was.schema, is.schema) : [`${place} is no ${type} any more`]
    })
  }

  #schemas(side: 'input' | 'output', place: string, was: JsonSchema = {}, is: JsonSchema = {}): string[] {
    // A request may still be what it was where that is one of several things by now.
    const [options, before] = [alternativesOf(is, this.#after), alternativesOf(was, this.#before)]
    if (side === 'input' && options && !before) {
      const found = options.map((option) => this.#schemas(side, place, was, option))
      return found.reduce((least, one) => (one.length < least.length ? one : least))
    }
    const none = { input_schema: {}, output_schema: {} }
    const { changes } = compareSchemas(
      { ...none, [`${side}_schema`]: comparable(was, this.#before) },
      { ...none, [`${side}_schema`]: comparable(is, this.#after) },
    )
    return changes
      .filter(({ breaking }) => breaking)
      .map(({ path, what }) => `${place}${path && ` at ${path}`}: ${what}`)
  }
}

/** Parameters of a request, but for those of its path, which the path itself shows. */
const sent = ({ parameters = [] }: DocumentedOperation): ReadonlyMap<string, DocumentedParameter> =>
  new Map(parameters.filter((one) => one.in !== 'path').map((one) => [`${one.in} ${one.name}`, one] as const))

/** Schemas of which one must fit; null for a schema that is no such choice. */
function alternativesOf({ $ref, anyOf, oneOf }: JsonSchema, document: OpenApi): readonly JsonSchema[] | null {
  if (typeof $ref === 'string')
    return alternativesOf(localTarget(document as unknown as JsonSchema, $ref) as JsonSchema, document)
  const alternatives = anyOf ?? oneOf
  return Array.isArray(alternatives) && alternatives.length > 0 ? (alternatives as JsonSchema[]) : null
}

/**
 * A schema as it can be compared: with what its references lead to in their places, and its alternatives one by one, as parts of
 * which there may be so many.
 */
function comparable(schema: unknown, document: OpenApi, within: readonly string[] = []): JsonSchema {
  const inside = (value: unknown, refs = within): unknown => {
    if (Array.isArray(value)) return value.map((item) => inside(item, refs))
    if (!isSchemaObject(value)) return value
    const { $ref, anyOf, oneOf, ...rest } = value
    const plain = Object.fromEntries(Object.entries(rest).map(([name, part]) => [name, inside(part, refs)]))
    const alternatives = anyOf ?? oneOf
    if (Array.isArray(alternatives)) {
      const numbered = alternatives.map((one, at) => [`alternative ${at + 1}`, inside(one, refs)] as const)
      return { ...plain, properties: Object.fromEntries(numbered), maxItems: alternatives.length }
    }
    if (typeof $ref !== 'string' || refs.includes($ref)) return { ...plain, ...($ref !== undefined && { $ref }) }
    return inside({ ...(localTarget(document as unknown as JsonSchema, $ref) as object), ...rest }, [...refs, $ref])
  }
  return inside(schema) as JsonSchema
}
