import {
  MAX_IMPORTED_DESCRIPTION_CHARS,
  MAX_IMPORTED_SCHEMA_DEPTH,
  MAX_IMPORTED_SCHEMA_PARTS,
} from '../../core/limits/imports.ts'
import { type JsonObject, listOrEmpty, objectOf, type References, textOf } from './references.ts'

/** Keywords of a schema that are short and useful to a model. */
const KEPT = [
  'type', 'format', 'enum', 'const', 'default', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum',
  'minLength', 'maxLength', 'minItems', 'maxItems', 'uniqueItems', 'pattern',
] as const // biome-ignore format: a list of words

/**
 * Reader of schemas, which replaces references by what they refer to. A part that is too deep, too large or circular
 * becomes "anything".
 */
export class SchemaReader {
  readonly #references: References
  #parts = 0

  /** One reader per tool: its parts are counted together. */
  constructor(references: References) {
    this.#references = references
  }

  /** Resolves a schema. @returns a schema without references */
  read(given: unknown): JsonObject {
    return this.#read(given, 0, [])
  }

  #read(given: unknown, depth: number, above: readonly JsonObject[]): JsonObject {
    if (depth > MAX_IMPORTED_SCHEMA_DEPTH || ++this.#parts > MAX_IMPORTED_SCHEMA_PARTS) return {}
    const schema = this.#references.follow(given)
    if (above.includes(schema)) return {}
    const inside = (one: unknown) => this.#read(one, depth + 1, [...above, schema])
    const room = MAX_IMPORTED_SCHEMA_PARTS - this.#parts
    const read: Record<string, unknown> = {}
    for (const key of KEPT) if (schema[key] !== undefined && isShort(schema[key])) read[key] = schema[key]
    // OpenAPI 3.0's way to say so.
    if (schema.nullable === true && typeof schema.type === 'string') read.type = [schema.type, 'null']
    const description = shorten(textOf(schema.description) || textOf(schema.title))
    if (description !== '') read.description = description
    const properties = this.#references.entries(schema.properties).slice(0, room)
    if (properties.length > 0) {
      read.properties = Object.fromEntries(properties.map(([name, one]) => [name, inside(one)]))
    }
    const required = listOrEmpty(schema.required)
      .slice(0, MAX_IMPORTED_SCHEMA_PARTS)
      .filter((name) => typeof name === 'string')
    this.#references.spend(required.length)
    if (required.length > 0) read.required = required
    if (schema.items !== undefined) read.items = inside(schema.items)
    if (typeof schema.additionalProperties === 'object') read.additionalProperties = inside(schema.additionalProperties)
    for (const key of ['oneOf', 'anyOf'] as const) {
      const choices = listOrEmpty(schema[key]).slice(0, room)
      if (choices.length > 0) read[key] = choices.map(inside)
    }
    const others = listOrEmpty(schema.allOf).slice(0, room).map(inside)
    return others.length === 0 ? read : together([read, ...others])
  }
}

/** A list of thousands of values says nothing to a model. */
const isShort = (value: unknown) => listOrEmpty(value).length <= MAX_IMPORTED_SCHEMA_PARTS

/** Merges schemas of objects: the properties of all of them, each by its first schema. */
function together(schemas: readonly JsonObject[]): JsonObject {
  const lastFirst = schemas.toReversed()
  const properties = Object.fromEntries(lastFirst.flatMap((schema) => Object.entries(objectOf(schema.properties))))
  const required = [...new Set(schemas.flatMap((schema) => listOrEmpty(schema.required)))]
  return {
    ...Object.fromEntries(lastFirst.flatMap((schema) => Object.entries(schema))),
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required }),
  }
}

/** Text cut to MAX_IMPORTED_DESCRIPTION_CHARS. */
export function shorten(text: string): string {
  const trimmed = text.slice(0, 2 * MAX_IMPORTED_DESCRIPTION_CHARS).trim()
  return trimmed.length > MAX_IMPORTED_DESCRIPTION_CHARS
    ? `${trimmed.slice(0, MAX_IMPORTED_DESCRIPTION_CHARS - 1).toWellFormed()}…`
    : trimmed.toWellFormed()
}
