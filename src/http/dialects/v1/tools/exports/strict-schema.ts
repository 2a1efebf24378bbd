import { MAX_EXPORTED_DEPTH } from '../../../../../core/limits/tool-search.ts'
import {
  CONSTRAINTS,
  isSchema,
  type JsonSchema,
  propertiesOf,
  requiredOf,
  type SchemaNotes,
  schemasIn,
} from './schema-notes.ts'

const KEPT = [
  ...['type', 'title', 'description', 'enum', 'const', 'pattern', 'minimum', 'maximum', 'exclusiveMinimum'],
  ...['exclusiveMaximum', 'multipleOf', 'minItems', 'maxItems'],
]
const READ = new Set([...KEPT, 'format', 'anyOf', 'oneOf', 'additionalProperties'])
const FORMATS = ['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid']

/** Why a schema has no strict form. */
class NotStrict extends Error {}

/**
 * Schema of an object in OpenAI's strict form: all fields required, optional ones nullable, and no others.
 * Source: guide to structured outputs of the OpenAI API.
 * @param nullsAreAbsent whether the tool takes null for an argument that is not given
 * @returns the reason when there is no such form
 */
export function strictSchema(
  schema: JsonSchema,
  nullsAreAbsent: boolean,
  notes: SchemaNotes,
): { readonly schema: JsonSchema } | { readonly reason: string } {
  try {
    return { schema: strict({ ...schema, type: 'object' }, []) }
  } catch (thrown) {
    if (thrown instanceof NotStrict) return { reason: thrown.message }
    throw thrown
  }

  function strict(part: JsonSchema, path: readonly string[]): JsonSchema {
    const place = path.join('.').slice(0, 200) || 'the whole'
    const never = (why: string): never => {
      throw new NotStrict(`${place} ${why}`)
    }
    if (path.length > MAX_EXPORTED_DEPTH) never('is nested too deep')
    for (const name of ['$ref', 'allOf', 'not', 'if', 'patternProperties', 'prefixItems', 'dependentSchemas'])
      if (name in part) never(`has ${name}`)
    const options = [...schemasIn(part.anyOf), ...schemasIn(part.oneOf)]
    if (options.length > 0 && path.length === 0) never('has several forms')
    if (!('type' in part || 'enum' in part || 'const' in part) && options.length === 0) never('takes any value')
    for (const name of Object.keys(part))
      if (CONSTRAINTS.has(name) && !READ.has(name)) notes.add(`${name} is dropped`, path)
    const kept = Object.fromEntries(KEPT.flatMap((name) => (name in part ? [[name, part[name]]] : [])))
    const { format } = part
    if (typeof format === 'string' && FORMATS.includes(format)) kept.format = format
    else if (format !== undefined) notes.add('a format is dropped', path)
    if (options.length > 0) kept.anyOf = options.map((option) => strict(option, [...path, '?']))
    const types = Array.isArray(part.type) ? part.type : [part.type]
    if (types.includes('array')) {
      kept.items = isSchema(part.items) ? strict(part.items, [...path, '[]']) : never('takes items of any type')
    }
    if (!types.includes('object')) return kept
    if (part.additionalProperties !== undefined && part.additionalProperties !== false)
      never('takes fields of any name')
    const fields = propertiesOf(part)
    if (fields.length === 0 && path.length > 0) never('takes fields of any name')
    const required = new Set(requiredOf(part))
    const written = fields.map(([name, field]) => {
      if (!required.has(name) && !nullsAreAbsent)
        never(`has the optional ${name}, for which its tool may not take null`)
      const inner = strict(field, [...path, name])
      return [name, required.has(name) ? inner : nullable(inner)] as const
    })
    const properties = Object.fromEntries(written)
    return { ...kept, properties, required: Object.keys(properties), additionalProperties: false }
  }
}

function nullable(schema: JsonSchema): JsonSchema {
  const { type, anyOf, const: constant, enum: values, ...rest } = schema
  if (Array.isArray(anyOf)) return { ...schema, anyOf: [...anyOf, { type: 'null' }] }
  const types = type === undefined ? [] : [type].flat()
  const listed = Array.isArray(values) ? values : constant === undefined ? null : [constant]
  return {
    ...rest,
    ...(types.length > 0 && { type: [...new Set([...types, 'null'])] }),
    ...(listed && { enum: [...new Set([...listed, null])] }),
  }
}
