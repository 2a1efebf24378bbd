import { isObject, type JsonObject } from '../../core/json-object.ts'
import { ownField } from './expression/values.ts'
import type { Template } from './template.ts'

/** A JSON Schema, examined superficially: where it is not plain (`$ref`, `anyOf`, …) it counts as allowing everything. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** Reason why a path cannot exist, e.g. "input has no topik; it has topic, limit"; null when it can, as far as is known. */
export function pathProblem(
  schema: JsonSchema | undefined,
  path: readonly (string | number)[],
  called: string,
): string | null {
  let at: unknown = schema
  let name = called
  for (const key of path) {
    if (!isPlain(at)) return null
    const unfit = typeProblem(at, key, name)
    if (unfit !== null) return unfit
    if (typeof key === 'number') {
      at = ownField(at, 'items')
      name = `${name}[${key}]`
      continue
    }
    const fields = ownField(at, 'properties')
    if (!isObject(fields)) return null
    const field = ownField(fields, key)
    if (field === undefined) {
      return isOpen(at)
        ? null
        : `${name} has no ${key.slice(0, 64)}; it has ${Object.keys(fields).slice(0, 12).join(', ') || 'no fields'}`
    }
    at = field
    name = `${name}.${key}`
  }
  return null
}

/** Reason why a value of that type has nothing under the key. */
function typeProblem(schema: JsonObject, key: string | number, name: string): string | null {
  const type = ownField(schema, 'type')
  switch (type) {
    case 'array':
      if (typeof key === 'number' || key === 'length') return null
      return `${name} is a list; write ${name}[0] for its first item, or pluck(${name}, ${JSON.stringify(key.slice(0, 64))})`
    case 'object':
      return typeof key === 'number' ? `${name} is an object; its fields have names, not numbers` : null
    case 'string':
      return key === 'length' ? null : `${name} is a text, which has no fields`
    case 'integer':
    case 'number':
    case 'boolean':
      return `${name} is a ${type === 'integer' ? 'number' : type}, which has no fields`
    default:
      return null
  }
}

/** Type at the end of a path, e.g. "string"; null when it is not stated. */
export function typeAt(schema: JsonSchema | undefined, path: readonly (string | number)[]): string | null {
  let at: unknown = schema
  for (const key of path) {
    const below = isObject(at) ? ownField(at, typeof key === 'number' ? 'items' : 'properties') : null
    at = typeof key === 'number' ? below : isObject(below) ? ownField(below, key) : null
  }
  const type = isObject(at) ? ownField(at, 'type') : null
  return typeof type === 'string' ? type : null
}

/** Arguments that the tool requires and the input lacks, and those that the tool does not know. */
export function inputProblems(schema: JsonSchema | undefined, input: Template): string[] {
  const given = keysGiven(input)
  if (!schema || !given || !isPlain(schema)) return []
  const fields = ownField(schema, 'properties')
  const known = isObject(fields) ? Object.keys(fields) : []
  const missing = requiredOf(schema).filter((key) => !given.includes(key))
  const unknown = ownField(schema, 'additionalProperties') === false ? given.filter((key) => !known.includes(key)) : []
  return [
    ...(missing.length > 0
      ? [`input: ${missing.join(', ')} ${missing.length > 1 ? 'are' : 'is'} required and not given`]
      : []),
    ...unknown.map(
      (key) =>
        `input: the tool knows no ${key.slice(0, 64)}; it knows ${known.slice(0, 20).join(', ') || 'no arguments'}`,
    ),
  ]
}

/** Arguments that a template names; null when an expression gives them. */
function keysGiven(input: Template): readonly string[] | null {
  if (input.kind === 'object') return input.fields.map(([key]) => key)
  return input.kind === 'constant' && isObject(input.value) ? Object.keys(input.value) : null
}

function requiredOf(schema: JsonObject): string[] {
  const required = ownField(schema, 'required')
  return Array.isArray(required) ? required.filter((key) => typeof key === 'string') : []
}

const MANIFOLD = ['$ref', 'allOf', 'anyOf', 'oneOf', 'patternProperties', 'if']

const isPlain = (schema: unknown): schema is JsonObject =>
  isObject(schema) && !MANIFOLD.some((word) => Object.hasOwn(schema, word))

/** Whether a schema states that there may be other fields. */
function isOpen(schema: JsonObject): boolean {
  const additional = ownField(schema, 'additionalProperties')
  return additional !== undefined && additional !== false
}
