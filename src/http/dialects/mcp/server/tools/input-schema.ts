import { isObject } from '../../../../../core/json-object.ts'
import type { OfferedTool, Schema } from './offered-tool.ts'

/** Name of the argument that names a session, where the address binds none. */
export const SESSION_ARGUMENT = 'session'

const SESSION_SCHEMA = { type: 'string' }

/**
 * Schema for a list: of an object, without `$schema`, and with what clients check of it in the form that they want; one schema in
 * another form costs them the whole list.
 * @param shown arguments that the list has; all where it is left out. The tool takes the others just as well
 */
export function objectSchema(
  { $schema: _, required, ...schema }: Schema,
  shown?: readonly string[],
): OfferedTool['inputSchema'] {
  const given = isObject(schema.properties) ? schema.properties : {}
  const names = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []
  return {
    ...schema,
    type: 'object',
    properties: withSchemas(shown === undefined ? given : pick(given, shown)),
    ...(names.length > 0 && { required: names }),
  }
}

/** Properties whose schemas are objects: `true`, and what is no schema, take any value. */
function withSchemas(properties: Schema): Schema {
  const entries = Object.entries(properties)
  if (entries.every(([, schema]) => isObject(schema))) return properties
  return Object.fromEntries(
    entries.map(([name, schema]) => [name, isObject(schema) ? schema : schema === false ? { not: {} } : {}]),
  )
}

/** The schema with an optional argument for the session. A tool's own argument of that name is not replaced. */
export function withSession(schema: OfferedTool['inputSchema']): OfferedTool['inputSchema'] {
  const properties = schema.properties as Schema
  if (Object.hasOwn(properties, SESSION_ARGUMENT)) return schema
  return { ...schema, properties: { ...properties, [SESSION_ARGUMENT]: SESSION_SCHEMA } }
}

/** Whether the argument `session` of a tool is the tool's own. */
export const hasOwnSession = ({ properties }: Schema): boolean =>
  isObject(properties) && Object.hasOwn(properties, SESSION_ARGUMENT)

const pick = (properties: Schema, names: readonly string[]): Schema =>
  Object.fromEntries(names.filter((name) => Object.hasOwn(properties, name)).map((name) => [name, properties[name]]))
