import { schemaProblem as whyNotChecked } from './check/check-schema.ts'
import { checkValue } from './check/check-value.ts'
import { isSchemaObject, type SchemaObject } from './schema-node.ts'

/** Plain mistake in the schema of a tool's arguments, in words for its author; null without one. */
export function schemaProblem(schema: SchemaObject): string | null {
  const { type, properties, required } = schema
  if (type !== undefined && type !== 'object') return 'input_schema: its type must be "object": arguments have names'
  if (properties !== undefined && !isSchemaObject(properties)) return 'input_schema: properties must be an object'
  const broken = Object.entries(properties ?? {}).find(([, one]) => typeof one !== 'boolean' && !isSchemaObject(one))
  if (broken) return `input_schema: properties.${broken[0].slice(0, 64)} must be a schema, e.g. {"type": "string"}`
  if (required === undefined) return null
  if (!Array.isArray(required) || required.some((name) => typeof name !== 'string'))
    return 'input_schema: required must be a list of names'
  const unknown = required.find((name) => isSchemaObject(properties) && !Object.hasOwn(properties, name))
  return unknown === undefined ? null : `input_schema: requires ${unknown.slice(0, 64)}, which is not in properties`
}

/**
 * Why arguments do not fit a schema; null when they do, or the schema cannot be checked against.
 * @param called name of the arguments in messages
 */
export function argumentProblem(schema: SchemaObject, args: SchemaObject, called = 'test.args'): string | null {
  const { required } = schema
  const missing = Array.isArray(required) ? required.find((name) => !Object.hasOwn(args, name)) : undefined
  if (missing !== undefined) return `${called}: ${String(missing).slice(0, 64)} is required by input_schema`
  const [misfit] = whyNotChecked(schema) === null ? checkValue(schema, args) : []
  if (!misfit) return null
  const reason = misfit.path === '' ? misfit.message : `${misfit.path}: ${misfit.message}`
  return `${called} do not fit input_schema: ${reason}`
}
