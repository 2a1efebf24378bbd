import type { LagentType, Parameter, ReturnedValue } from './description.ts'

export type JsonSchema = Readonly<Record<string, unknown>>

/** Alternatives within alternatives that are looked at for the type of one argument. */
const MAX_ALTERNATIVES_DEPTH = 8

/** Lagent's order: of several types that an argument may have, the first of these is named. */
const NAMED_FIRST: readonly (readonly [string, LagentType])[] = [
  ['array', 'Array'],
  ['string', 'STRING'],
  ['number', 'FLOAT'],
  ['integer', 'NUMBER'],
  ['boolean', 'BOOLEAN'],
  ['object', 'STRING'],
]

/** Parameters of an object's JSON Schema, and the names of required ones. */
export function parametersOf(schema: JsonSchema): { parameters: Parameter[]; required: string[] } {
  const properties = Object.entries(asSchema(schema.properties))
  const names = new Set(properties.map(([name]) => name))
  return {
    parameters: properties.map(([name, property]) => ({
      name,
      type: lagentType(asSchema(property), schema) ?? 'STRING',
      description: descriptionOf(asSchema(property)),
    })),
    required: (Array.isArray(schema.required) ? schema.required : []).filter((name) => names.has(name)),
  }
}

/** The value that the schema is of, as `return_data` tells it: without a type where the schema says nothing of it. */
export function returnedValue(schema: JsonSchema, root: JsonSchema = schema): ReturnedValue {
  const type = lagentType(schema, root)
  return { description: descriptionOf(schema), ...(type !== null && { type }) }
}

/** The members of an object by their names, or the one value that is no object; none where the schema says nothing. */
export function membersOf(schema: JsonSchema): ReturnedValue[] {
  const members = Object.entries(asSchema(schema.properties))
  if (members.length > 0) return members.map(([name, member]) => ({ name, ...returnedValue(asSchema(member), schema) }))
  const value = returnedValue(schema)
  return value.type === undefined && value.description === '' ? [] : [value]
}

/**
 * Lagent's name for the type; null where the schema says nothing of it.
 * @param root where `$ref` leads to, e.g. `#/$defs/Point`
 */
function lagentType(schema: JsonSchema, root: JsonSchema = schema): LagentType | null {
  const types = new Set(typesOf(schema, root, 0))
  return NAMED_FIRST.find(([type]) => types.has(type))?.[1] ?? null
}

export const descriptionOf = (schema: JsonSchema) => (typeof schema.description === 'string' ? schema.description : '')

export const asSchema = (value: unknown): JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonSchema) : {}

function typesOf(schema: JsonSchema, root: JsonSchema, depth: number): string[] {
  if (depth > MAX_ALTERNATIVES_DEPTH) return []
  if ('const' in schema) return [jsonTypeOf(schema.const)]
  if (Array.isArray(schema.enum)) return schema.enum.map(jsonTypeOf)
  if (typeof schema.type === 'string') return [schema.type]
  if (Array.isArray(schema.type)) return schema.type
  if (typeof schema.$ref === 'string') return typesOf(definition(schema.$ref, root), root, depth + 1)
  return ['anyOf', 'oneOf', 'allOf']
    .flatMap((key) => (Array.isArray(schema[key]) ? schema[key] : []))
    .flatMap((part) => typesOf(asSchema(part), root, depth + 1))
}

function definition(reference: string, root: JsonSchema): JsonSchema {
  const [, group = '', name = ''] = /^#\/(\$defs|definitions)\/(.+)$/.exec(reference) ?? []
  const definitions = asSchema(root[group])
  return Object.hasOwn(definitions, name) ? asSchema(definitions[name]) : {}
}

function jsonTypeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value
}
