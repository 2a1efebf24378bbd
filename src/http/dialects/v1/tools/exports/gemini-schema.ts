import { MAX_EXPORTED_DEPTH, MAX_EXPORTED_PARTS } from '../../../../../core/limits/tool-search.ts'
import {
  CONSTRAINTS,
  isSchema,
  type JsonSchema,
  propertiesOf,
  requiredOf,
  type SchemaNotes,
  schemasIn,
} from './schema-notes.ts'

/** Keywords that Gemini's Schema has with the same meaning. */
const TEXTS = ['title', 'description', 'pattern']
const NUMBERS = [
  ...['minimum', 'maximum', 'minItems', 'maxItems'],
  ...['minLength', 'maxLength', 'minProperties', 'maxProperties'],
]
const READ = new Set([
  ...[...TEXTS, ...NUMBERS, 'type', 'nullable', 'format', 'enum', 'const', 'anyOf', 'oneOf'],
  ...['items', 'properties', 'required', 'additionalProperties'],
])

const TYPES = ['string', 'number', 'integer', 'boolean', 'array', 'object']
/** Formats that Gemini takes, by type. */
const FORMATS: Readonly<Record<string, readonly string[]>> = {
  string: ['date-time', 'enum'],
  integer: ['int32', 'int64'],
  number: ['float', 'double'],
}
/** Names of parameters that Gemini takes. */
const A_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/

/**
 * Translates a JSON Schema into Gemini's Schema, a part of OpenAPI 3.0: a field that it does not have makes it refuse the whole
 * request. Source: reference of `FunctionDeclaration` and `Schema` of the Gemini API, and its messages for what it refuses.
 */
export class GeminiSchema {
  readonly #root: JsonSchema
  readonly #notes: SchemaNotes
  #parts = 0
  /** References whose schemas are being translated. */
  readonly #open = new Set<string>()

  constructor(root: JsonSchema, notes: SchemaNotes) {
    this.#root = root
    this.#notes = notes
  }

  /** The whole, which is an object. */
  whole(): JsonSchema {
    const { anyOf: _, oneOf: __, ...root } = this.#root
    const whole = this.#translate({ ...root, type: 'object' }, [])
    return { properties: {}, ...whole }
  }

  #translate(given: JsonSchema, path: readonly string[]): JsonSchema {
    this.#parts++
    if (path.length > MAX_EXPORTED_DEPTH || this.#parts > MAX_EXPORTED_PARTS) {
      this.#notes.add('too deep or too large: any text is taken', path)
      return { type: 'STRING' }
    }
    const { $ref } = given
    if (typeof $ref !== 'string') return this.#translated(this.#merged(given, path), path)
    if (this.#open.has($ref)) {
      this.#notes.add('a schema within itself is not described', path)
      return { type: 'OBJECT' }
    }
    this.#open.add($ref)
    const translated = this.#translated(this.#merged(given, path), path)
    this.#open.delete($ref)
    return translated
  }

  #translated(schema: JsonSchema, path: readonly string[]): JsonSchema {
    const { type, isNullable } = this.#typeOf(schema, path)
    for (const name of Object.keys(schema))
      if (CONSTRAINTS.has(name) && !READ.has(name)) this.#notes.add(`${name} is dropped`, path)
    const kept = keptOf(schema)
    const options = [...schemasIn(schema.anyOf), ...schemasIn(schema.oneOf)]
    const real = options.filter((option) => option.type !== 'null')
    const nullable = (isNullable || real.length < options.length) && { nullable: true }
    if (real.length === 1) return { ...this.#translate(real[0] as JsonSchema, [...path, '?']), ...kept, ...nullable }
    if (real.length > 1) {
      return { ...kept, ...nullable, anyOf: real.map((option) => this.#translate(option, [...path, '?'])) }
    }
    return {
      ...{ type: type.toUpperCase(), ...kept, ...nullable },
      ...this.#valuesOf(schema, type, path),
      ...(type === 'array' && { items: this.#translate(this.#itemsOf(schema, path), [...path, '[]']) }),
      ...(type === 'object' && this.#fieldsOf(schema, path)),
    }
  }

  /** The schema with its reference, and parts that hold together, put into it. */
  #merged({ $ref, allOf, ...schema }: JsonSchema, path: readonly string[]): JsonSchema {
    const parts = schemasIn(allOf)
    if (typeof $ref === 'string' && parts.length > 0) this.#notes.add('allOf beside $ref is dropped', path)
    const referred = typeof $ref === 'string' ? this.#resolve($ref, path) : null
    if (referred) return this.#merged({ ...referred, ...schema }, path)
    if (parts.length === 0) return schema
    const names = propertiesOf(schema)
    const merged: JsonSchema = {
      ...Object.assign({}, ...parts, schema),
      properties: Object.fromEntries([...parts.flatMap(propertiesOf), ...names]),
      required: [...new Set([...parts, schema].flatMap(requiredOf))],
    }
    const { allOf: nested, $ref: reference, ...rest } = merged
    if (nested !== undefined || reference !== undefined) this.#notes.add('what allOf refers to is dropped', path)
    return propertiesOf(rest).length === 0 ? { ...rest, properties: undefined } : rest
  }

  /** The schema that a reference inside the document stands for; null when there is none, or it would go round. */
  #resolve(reference: string, path: readonly string[]): JsonSchema | null {
    let found: unknown = reference.startsWith('#') ? this.#root : undefined
    for (const part of reference.split('/').slice(1, MAX_EXPORTED_DEPTH)) {
      const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
      found = isSchema(found) && Object.hasOwn(found, name) ? found[name] : undefined
    }
    // A reference to a reference may go round in a ring of any length.
    if (isSchema(found) && found !== this.#root && !('$ref' in found)) return found
    this.#notes.add('$ref is dropped, since it leads nowhere, or round', path)
    return null
  }

  #typeOf(schema: JsonSchema, path: readonly string[]): { readonly type: string; readonly isNullable: boolean } {
    const types = (Array.isArray(schema.type) ? schema.type : [schema.type]).filter((type) => typeof type === 'string')
    const known = types.filter((type) => TYPES.includes(type))
    if (known.length > 1) this.#notes.add('of several types the first is taken', path)
    const isNullable = types.includes('null') || schema.nullable === true
    const [first] = known
    if (first !== undefined) return { type: first, isNullable }
    const inferred = 'properties' in schema ? 'object' : 'items' in schema ? 'array' : 'string'
    const says = ['enum', 'const', 'anyOf', 'oneOf', 'properties', 'items'].some((name) => schema[name] !== undefined)
    if (!says) this.#notes.add('a value of any type becomes a text', path)
    return { type: inferred, isNullable }
  }

  /** Values and format; enumerations are of texts alone. */
  #valuesOf(schema: JsonSchema, type: string, path: readonly string[]): JsonSchema {
    const values = 'const' in schema ? [schema.const] : Array.isArray(schema.enum) ? schema.enum : []
    const texts = values.filter((value) => typeof value === 'string' && value !== '')
    const isEnum = type === 'string' && texts.length > 0
    if (texts.length < values.filter((value) => value !== null).length || (!isEnum && texts.length > 0)) {
      this.#notes.add('values of an enumeration that are no texts are dropped', path)
    }
    if (isEnum) return { format: 'enum', enum: texts }
    const { format } = schema
    if (typeof format !== 'string') return {}
    if (FORMATS[type]?.includes(format) && format !== 'enum') return { format }
    this.#notes.add(`the format ${format.slice(0, 40)} is dropped`, path)
    return {}
  }

  #itemsOf({ items }: JsonSchema, path: readonly string[]): JsonSchema {
    if (isSchema(items)) return items
    this.#notes.add('items of any type become texts', path)
    return { type: 'string' }
  }

  #fieldsOf(schema: JsonSchema, path: readonly string[]): JsonSchema {
    const all = propertiesOf(schema)
    const fields = all.filter(([name]) => A_NAME.test(name))
    if (fields.length < all.length) this.#notes.add('a parameter whose name Gemini does not take is dropped', path)
    const names = new Set(fields.map(([name]) => name))
    const required = requiredOf(schema).filter((name) => names.has(name))
    if (isSchema(schema.additionalProperties) || schema.additionalProperties === true) {
      this.#notes.add('fields of any name are taken, and not described', path)
    }
    return {
      ...(fields.length > 0 && {
        properties: Object.fromEntries(fields.map(([name, part]) => [name, this.#translate(part, [...path, name])])),
      }),
      ...(required.length > 0 && { required }),
    }
  }
}

const keptOf = (schema: JsonSchema): JsonSchema =>
  Object.fromEntries([
    ...TEXTS.filter((name) => typeof schema[name] === 'string').map((name) => [name, schema[name]]),
    ...NUMBERS.filter((name) => typeof schema[name] === 'number').map((name) => [name, schema[name]]),
    ...('default' in schema ? [['default', schema.default]] : []),
  ])
