import { isObject, type JsonObject } from '../../../core/json-object.ts'

/** Words for types in one language. */
export interface TypeWords {
  readonly any: string
  readonly null: string
  readonly boolean: string
  readonly integer: string
  readonly number: string
  readonly string: string
  literal(value: string | number | boolean): string
  list(item: string): string
  object(fields: readonly Field[] | null): string
}

export interface Field {
  readonly name: string
  readonly type: string
  readonly isOptional: boolean
}

/** Levels of a type that are written out; deeper ones are any value. */
const MAX_DEPTH = 4
/** Choices and fields that are written out; more are any value of their kind. */
const MAX_PARTS = 20

/** Type of a JSON Schema, as a text. References, and what no type can say, are any value. */
export function typeOf(schema: unknown, words: TypeWords, depth = 0): string {
  if (!isObject(schema) || depth > MAX_DEPTH) return words.any
  if ('const' in schema) return choiceOf([schema.const], words)
  if (Array.isArray(schema.enum)) return choiceOf(schema.enum, words)
  const alternatives = [schema.anyOf, schema.oneOf].find(Array.isArray)
  if (alternatives)
    return union(
      alternatives.slice(0, MAX_PARTS).map((one) => typeOf(one, words, depth + 1)),
      words,
    )
  if (Array.isArray(schema.type))
    return union(
      schema.type.map((type) => plainType({ ...schema, type }, words, depth)),
      words,
    )
  return plainType(schema, words, depth)
}

function plainType(schema: JsonObject, words: TypeWords, depth: number): string {
  switch (schema.type) {
    case 'null':
    case 'boolean':
    case 'integer':
    case 'number':
    case 'string':
      return words[schema.type]
    case 'array':
      return words.list(typeOf(schema.items, words, depth + 1))
    case 'object':
      return words.object(fieldsOf(schema, words, depth))
    default:
      return words.any
  }
}

function fieldsOf({ properties, required }: JsonObject, words: TypeWords, depth: number): readonly Field[] | null {
  if (!isObject(properties) || depth >= MAX_DEPTH) return null
  const entries = Object.entries(properties)
  if (entries.length === 0 || entries.length > MAX_PARTS) return null
  const names = new Set(Array.isArray(required) ? required : [])
  return entries.map(([name, schema]) => ({
    name,
    type: typeOf(schema, words, depth + 1),
    isOptional: !names.has(name),
  }))
}

function choiceOf(values: readonly unknown[], words: TypeWords): string {
  if (values.length > MAX_PARTS) return words.any
  return union(
    values.map((value) => {
      if (value === null) return words.null
      return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
        ? words.literal(value)
        : words.any
    }),
    words,
  )
}

const union = (types: readonly string[], words: TypeWords) =>
  types.length === 0 || types.includes(words.any) ? words.any : [...new Set(types)].join(' | ')
