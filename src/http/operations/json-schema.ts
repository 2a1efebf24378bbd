import * as z from 'zod'

export type JsonSchema = Readonly<Record<string, unknown>>

/** Sender of a value: a request has what a schema takes, an answer what it gives. */
export type Side = 'request' | 'answer'

/** Place of named schemas in a document. */
const SCHEMAS = '#/components/schemas/'

/**
 * JSON Schemas of zod's, for one document. A schema with `.meta({ id })` stands once among the {@link named}, and is referred to.
 * What zod writes beside the meaning is left out: bounds of safe integers, expressions behind a format, any text as a property's
 * name.
 */
export class JsonSchemas {
  readonly named: Record<string, JsonSchema> = {}
  readonly #closed: boolean

  /** @param closed whether answers have no further fields. A client's document leaves them open: a new field breaks nobody. */
  constructor({ closed }: { readonly closed: boolean }) {
    this.#closed = closed
  }

  /** @throws Error for a schema that cannot be written, and for one id with two schemas, as of a request and an answer */
  of(schema: z.ZodType, side: Side): JsonSchema {
    const written = z.toJSONSchema(schema, {
      io: side === 'request' ? 'input' : 'output',
      override: ({ jsonSchema }) => tidy(jsonSchema, side === 'answer' && !this.#closed),
    }) as Record<string, unknown>
    const { $schema: _, $defs = {}, ...root } = referring(written) as Record<string, unknown>
    for (const [id, named] of Object.entries($defs as Record<string, JsonSchema>)) this.#name(id, named)
    return root
  }

  #name(id: string, schema: JsonSchema): void {
    if (id.startsWith('__schema')) throw new Error('a schema that holds itself needs a name: give it .meta({ id })')
    const known = this.named[id]
    if (known && JSON.stringify(known) !== JSON.stringify(schema)) {
      throw new Error(`two schemas have the id ${id}; a request's and an answer's differ: name them apart`)
    }
    this.named[id] = schema
  }
}

/** Removes from one schema, in place, what says nothing. */
function tidy(schema: Record<string, unknown>, open: boolean): void {
  if ('x-default' in schema) {
    schema.default = schema['x-default']
    delete schema['x-default']
  }
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  if ('format' in schema) delete schema.pattern
  const types = (schema.anyOf as JsonSchema[] | undefined)?.map(onlyType)
  if (types?.every((type) => type !== null)) {
    delete schema.anyOf
    schema.type = types
  }
  const names = schema.propertyNames as JsonSchema | undefined
  if (names && Object.keys(names).length === 1 && names.type === 'string') delete schema.propertyNames
  if (open && schema.additionalProperties === false) delete schema.additionalProperties
}

/** Type of a schema that says nothing else, as bounds that are left out leave it; null for others. */
const onlyType = ({ type, ...rest }: JsonSchema): string | null =>
  typeof type === 'string' && Object.keys(rest).length === 0 ? type : null

/** A copy whose references lead to the document's named schemas. */
function referring(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(referring)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      name === '$ref' && typeof part === 'string' ? part.replace('#/$defs/', SCHEMAS) : referring(part),
    ]),
  )
}
